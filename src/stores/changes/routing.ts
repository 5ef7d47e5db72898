/** Rules of carriers, routes, costs, number pools and inbound numbers. */
import type { InboundNumber } from '../../domain/inbound/inbound-number.ts'
import { COST_KIND, type Cost, type CostKey } from '../../domain/money/cost.ts'
import type { CheckChange } from '../../domain/routing/carrier-check.ts'
import type { CarrierTime, CarrierTimesChange } from '../../domain/routing/carrier-time.ts'
import type { DemotionChange } from '../../domain/routing/demotion.ts'
import type { QualityRuleSetting } from '../../domain/routing/quality-rule.ts'
import type { Route } from '../../domain/routing/route.ts'
import type { Cell } from '../rows/cells/cell.ts'
import type { SealedCarrier } from '../rows/sealing/seal-secrets.ts'
import { CARRIER_TIMES } from '../rows/setup/carrier-times.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { putRates, raiseRevision, refuseOverlaps } from './rates.ts'
import {
  exists,
  find,
  findItems,
  findValues,
  nameOfRow,
  putItem,
  putItems,
  type Rule,
  refuse,
  remove,
  removeItems,
  requireAccounts,
  slicesOf,
  updateRow,
} from './row-step.ts'

export function* setCarrier(carrier: SealedCarrier): Rule<null> {
  const { id, channel } = carrier
  const routes = yield* find('route', { carrier_id: id }, ['channel'])
  const other = routes.find((route) => route.channel !== channel)
  if (other !== undefined) {
    refuse(`carrier ${id} has routes for ${other.channel}: it cannot become a carrier for ${channel}`)
  }
  return yield* putItem(DIRECTORY_ROWS.carriers, carrier)
}

/** Removes its costs, inbound numbers, checks, rule of quality and times too. */
export function* removeCarrier(id: string): Rule<null> {
  const routes = yield* find('route', { carrier_id: id }, ['carrier_id'])
  if (routes.length > 0) refuse(`carrier ${id} has routes (${routes.length}): remove them first`)
  const costs = yield* remove('cost', { carrier_id: id })
  if (costs > 0) yield* raiseRevision('costs')
  yield* remove('inbound_number', { carrier_id: id })
  yield* remove('carrier_check', { carrier_id: id })
  yield* remove('quality_rule', { carrier_id: id })
  yield* remove('carrier_time', { carrier_id: id })
  return yield* removeItems(DIRECTORY_ROWS.carriers, [{ id }], `there is no carrier ${id}`)
}

export function* setCarrierCheck({ check, before }: CheckChange): Rule<null> {
  const { carrierId, country } = check
  const [known] = yield* findItems(DIRECTORY_ROWS.carrierChecks, [{ carrier_id: carrierId, country }])
  if (known?.token !== before?.token || known?.outcome !== before?.outcome) refuse('another check was made since')
  if (!(yield* exists('carrier', { carrier_id: carrierId }))) refuse(`there is no carrier ${carrierId}`)
  return yield* putItem(DIRECTORY_ROWS.carrierChecks, check)
}

/** Puts a demotion; refuses if that of its place has begun or ended since its writer saw it. */
export function* setDemotion({ demotion, before }: DemotionChange): Rule<null> {
  const { carrierId: carrier_id, channel, country, operator, endedAt } = demotion
  const where = { channel, carrier_id, country, operator: operator ?? '' }
  const all = yield* find('demotion', where, ['began_at', 'ended_at'])
  const known = all.find(({ ended_at }) => ended_at === null)
  if ((known?.began_at ?? null) !== before) refuse('the carrier was demoted or returned there since')
  if (before !== null && before !== demotion.beganAt) {
    yield* updateRow(
      'demotion',
      { ended_at: demotion.beganAt, end_reason: 'decided otherwise' },
      { ...where, began_at: before },
    )
  }
  const [ofCarrier] = yield* find('carrier', { carrier_id }, ['channel'])
  if (endedAt === null && ofCarrier?.channel !== channel) refuse(`there is no carrier ${carrier_id} for ${channel}`)
  return yield* putItem(DIRECTORY_ROWS.demotions, demotion)
}

/** Refuses a rule of a carrier that does not exist. */
export function* setQualityRules(rules: readonly QualityRuleSetting[]): Rule<null> {
  yield* requireCarriers(rules.flatMap(({ carrierId }) => (carrierId === null ? [] : { carrierId })))
  return yield* putItems(DIRECTORY_ROWS.qualityRules, rules)
}

/** A carrier may have been removed since. */
export function* addCarrierTimes({ times, expired }: CarrierTimesChange): Rule<null> {
  const ids = times.map(({ carrierId }) => carrierId)
  const carriers = yield* findValues('carrier', ['carrier_id', 'carrier_id'], ids)
  for (const slice of slicesOf(times.filter(({ carrierId }) => carriers.has(carrierId)))) {
    const known = yield* findItems(CARRIER_TIMES, slice.map(CARRIER_TIMES.toKey))
    const before = new Map(known.map((time) => [nameOf(time), time.seconds]))
    yield* putItems(
      CARRIER_TIMES,
      slice.map((time) => ({ ...time, seconds: time.seconds + (before.get(nameOf(time)) ?? 0) })),
    )
  }
  for (const slice of slicesOf(expired)) yield* remove('carrier_time', ...slice.map((day) => ({ day })))
  return null
}

const nameOf = (time: CarrierTime) => nameOfRow(CARRIER_TIMES.toKey(time), CARRIER_TIMES.key)

export function* setRoutes(routes: readonly Route[]): Rule<null> {
  const channels = yield* requireCarriers(routes)
  yield* requireAccounts(routes.map(({ accountId }) => accountId))
  const named = routes.flatMap(({ poolId }) => poolId ?? [])
  const pools = yield* findValues('pool', ['pool_id', 'pool_id'], named)
  for (const { channel, carrierId, poolId, ringSeconds } of routes) {
    const ofCarrier = channels.get(carrierId)
    if (ofCarrier !== channel) refuse(`carrier ${carrierId} is for ${ofCarrier}, not for ${channel}`)
    if ((poolId !== null) !== (channel === 'call')) refuse('a route for calls needs a number pool, others have none')
    if (poolId !== null && !pools.has(poolId)) refuse(`there is no number pool ${poolId}`)
    if (ringSeconds !== undefined && channel !== 'call') refuse('only a route for calls has a ring time')
  }
  return yield* putItems(DIRECTORY_ROWS.routes, routes)
}

export function* setCosts(costs: readonly Cost[]): Rule<null> {
  yield* requireCarriers(costs)
  yield* putRates(DIRECTORY_ROWS.costs, COST_KIND, costs)
  return yield* raiseRevision('costs')
}

export function* removeCosts(costs: readonly CostKey[]): Rule<null> {
  yield* removeItems(DIRECTORY_ROWS.costs, costs, 'there is no such cost')
  return yield* raiseRevision('costs')
}

/** Replaces every cost of the carrier. */
export function* replaceCosts(carrierId: string, costs: readonly Cost[]): Rule<null> {
  if (costs.some((cost) => cost.carrierId !== carrierId)) refuse('the costs are of another carrier')
  yield* requireCarriers([{ carrierId }])
  yield* refuseOverlaps(COST_KIND, costs)
  yield* remove('cost', { carrier_id: carrierId })
  yield* putItems(DIRECTORY_ROWS.costs, costs)
  return yield* raiseRevision('costs')
}

export function* setInboundNumbers(numbers: readonly InboundNumber[]): Rule<null> {
  yield* requireCarriers(numbers)
  yield* requireAccounts(numbers.map(({ accountId }) => accountId))
  return yield* putItems(DIRECTORY_ROWS.inboundNumbers, numbers)
}

/** Returns the channel of each carrier; refuses the first that does not exist. */
function* requireCarriers(items: readonly { readonly carrierId: string }[]): Rule<ReadonlyMap<Cell, Cell>> {
  const ids = items.map(({ carrierId }) => carrierId)
  const channels = yield* findValues('carrier', ['carrier_id', 'channel'], ids)
  const missing = ids.find((id) => !channels.has(id))
  return missing === undefined ? channels : refuse(`there is no carrier ${missing}`)
}

export function* removePool(id: string): Rule<null> {
  const routes = yield* find('route', { pool_id: id }, ['carrier_id'])
  if (routes.length > 0) refuse(`routes call from pool ${id} (${routes.length}): remove them first`)
  return yield* removeItems(DIRECTORY_ROWS.pools, [{ id }], `there is no number pool ${id}`)
}
