/** Adds a route: which numbers go to a carrier. */
import type { CarrierSetup } from '../../domain/directory.ts'
import type { NumberPool, Route } from '../../domain/route.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { checkName, checkOperator, checkPrefix } from './label.ts'

/** A route without its channel, which is the carrier's. Without more words it is for every account and sender. */
export type RouteWish = Omit<Route, 'channel' | 'accountId' | 'sender' | 'weight'> &
  Partial<Pick<Route, 'accountId' | 'sender' | 'weight'>>

/** The least and the most that a phone rings, as in a carrier's own settings. */
const RING_SECONDS = { least: 0.1, most: 60 } as const
const PRIORITY_MOST = 1_000
const WEIGHT_MOST = 1_000

/** Replaces the route of the same prefix, account and sender to the same carrier. Throws a ChangeRefused. */
export async function addRoute(store: SetupStore, wish: RouteWish): Promise<Route> {
  const rows = await store.loadDirectory()
  const carrier = rows.carriers.find((each) => each.id === wish.carrierId)
  if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${wish.carrierId}`)
  const route = checkRoute(carrier, rows.pools, wish)
  await store.change({ kind: 'set route', route })
  return route
}

/** The route that a wish makes. Throws a ChangeRefused. */
export function checkRoute(
  carrier: Pick<CarrierSetup, 'id' | 'channel'>,
  pools: readonly NumberPool[],
  wish: Omit<RouteWish, 'carrierId'>,
): Route {
  const { prefix, operators, priority, poolId, accountId = null, sender = null, weight = 1, ringSeconds } = wish
  checkPrefix(prefix)
  for (const operator of operators ?? []) checkOperator(operator)
  if (operators?.length === 0) throw new ChangeRefused('a route for some operators must name one')
  if (!Number.isInteger(priority) || priority < 0 || priority > PRIORITY_MOST) {
    throw new ChangeRefused(`a priority must be a whole number from 0 to ${PRIORITY_MOST}`)
  }
  if (!Number.isInteger(weight) || weight < 1 || weight > WEIGHT_MOST) {
    throw new ChangeRefused(`a weight must be a whole number from 1 to ${WEIGHT_MOST}`)
  }
  if (sender !== null) checkName('the sender of a route', sender)
  checkPool(carrier.channel === 'call', pools, poolId)
  if (ringSeconds !== undefined) checkRing(carrier.channel === 'call', ringSeconds)
  const { id: carrierId, channel } = carrier
  const ring = ringSeconds === undefined ? {} : { ringSeconds }
  return { channel, accountId, sender, prefix, operators, carrierId, priority, weight, poolId, ...ring }
}

function checkRing(isCall: boolean, seconds: number): void {
  if (!isCall) throw new ChangeRefused('only a route for calls has a ring time')
  const { least, most } = RING_SECONDS
  if (!(seconds >= least && seconds <= most)) {
    throw new ChangeRefused(`a ring time must be a number of seconds from ${least} to ${most}`)
  }
}

function checkPool(isCall: boolean, pools: readonly NumberPool[], poolId: string | null): void {
  if (isCall && poolId === null) throw new ChangeRefused('a route for calls needs a pool of numbers to call from')
  if (!isCall && poolId !== null) throw new ChangeRefused('only a route for calls has a pool of numbers')
  if (poolId !== null && !pools.some((pool) => pool.id === poolId)) {
    throw new ChangeRefused(`there is no pool ${poolId}`)
  }
}
