/** Rules of carriers, routes, costs, number pools and inbound numbers. */
import type { Cost } from '../../domain/cost.ts'
import type { InboundNumber } from '../../domain/inbound-number.ts'
import type { Route } from '../../domain/route.ts'
import { DIRECTORY_TABLES } from '../rows/directory-tables.ts'
import type { SealedCarrier } from '../rows/seal-secrets.ts'
import { exists, find, findOne, putItem, type Rule, refuse, remove, removeItem, requireAccount } from './row-step.ts'

export function* setCarrier(carrier: SealedCarrier): Rule<null> {
  const { id, channel } = carrier
  const routes = yield* find('route', { carrier_id: id }, ['channel'])
  const other = routes.find((route) => route.channel !== channel)
  if (other !== undefined) {
    refuse(`carrier ${id} has routes for ${other.channel}: it cannot become a carrier for ${channel}`)
  }
  return yield* putItem(DIRECTORY_TABLES.carriers, carrier)
}

/** Removes its costs and inbound numbers too. */
export function* removeCarrier(id: string): Rule<null> {
  const routes = yield* find('route', { carrier_id: id }, ['carrier_id'])
  if (routes.length > 0) refuse(`carrier ${id} has routes (${routes.length}): remove them first`)
  yield* remove('cost', { carrier_id: id })
  yield* remove('inbound_number', { carrier_id: id })
  return yield* removeItem(DIRECTORY_TABLES.carriers, { id }, `there is no carrier ${id}`)
}

export function* setRoute(route: Route): Rule<null> {
  const { channel, carrierId, poolId, accountId, ringSeconds } = route
  const carrier = yield* findOne('carrier', { carrier_id: carrierId }, ['channel'])
  if (carrier === null) return refuse(`there is no carrier ${carrierId}`)
  if (carrier.channel !== channel) refuse(`carrier ${carrierId} is for ${carrier.channel}, not for ${channel}`)
  if (accountId !== null) yield* requireAccount(accountId)
  if ((poolId !== null) !== (channel === 'call')) refuse('a route for calls needs a number pool, others have none')
  if (poolId !== null && !(yield* exists('pool', { pool_id: poolId }))) refuse(`there is no number pool ${poolId}`)
  if (ringSeconds !== undefined && channel !== 'call') refuse('only a route for calls has a ring time')
  return yield* putItem(DIRECTORY_TABLES.routes, route)
}

export function* setCost(cost: Cost): Rule<null> {
  const { carrierId } = cost
  if (!(yield* exists('carrier', { carrier_id: carrierId }))) refuse(`there is no carrier ${carrierId}`)
  return yield* putItem(DIRECTORY_TABLES.costs, cost)
}

export function* setInboundNumber(number: InboundNumber): Rule<null> {
  const { carrierId, accountId } = number
  if (!(yield* exists('carrier', { carrier_id: carrierId }))) refuse(`there is no carrier ${carrierId}`)
  yield* requireAccount(accountId)
  return yield* putItem(DIRECTORY_TABLES.inboundNumbers, number)
}

export function* removePool(id: string): Rule<null> {
  const routes = yield* find('route', { pool_id: id }, ['carrier_id'])
  if (routes.length > 0) refuse(`routes call from pool ${id} (${routes.length}): remove them first`)
  return yield* removeItem(DIRECTORY_TABLES.pools, { id }, `there is no number pool ${id}`)
}
