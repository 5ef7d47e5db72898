/** How long carriers were in each state: seconds by day, and by the gateway that saw it. */

export const CARRIER_STATES = ['connected', 'breaker_open', 'draining', 'stopped'] as const

export type CarrierCondition = (typeof CARRIER_STATES)[number]

export interface CarrierTime {
  readonly carrierId: string
  /** Days since 1970, UTC. */
  readonly day: number
  /** 0 without a cluster. */
  readonly node: number
  readonly state: CarrierCondition
  readonly seconds: number
}

/** What gateways add to the stored times; all times of the expired days are removed. */
export interface CarrierTimesChange {
  readonly times: readonly CarrierTime[]
  readonly expired: readonly number[]
}

/** As long as the hours of statistics. */
const CARRIER_TIME_DAYS = 35

const DAY_MS = 86_400_000

export function dayNumber(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** A breaker that is half-open still keeps messages away. */
export function carrierStateOf({
  up,
  draining,
  breaker,
}: {
  readonly up: boolean
  readonly draining: boolean
  readonly breaker: string
}): CarrierCondition {
  if (draining) return 'draining'
  if (!up) return 'stopped'
  return breaker === 'closed' ? 'connected' : 'breaker_open'
}

/** Removed days: those that a gateway which was off for two months could have left. */
export function expiredDays(today: number): readonly number[] {
  return Array.from({ length: 2 * CARRIER_TIME_DAYS }, (_, index) => today - CARRIER_TIME_DAYS - 1 - index)
}
