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

/** Seconds in each state. */
export type StateSeconds = Readonly<Record<CarrierCondition, number>>

/**
 * Adds up the times of so many days, of which so many seconds have passed. Times that several gateways of a cluster
 * counted are divided by their number: the sum is the mean of the gateways.
 */
export function addTimes(times: readonly Pick<CarrierTime, 'state' | 'seconds'>[], passed: number): StateSeconds {
  const counted = times.reduce((sum, { seconds }) => sum + seconds, 0)
  const gateways = Math.max(1, counted / passed)
  const of = (state: CarrierCondition) => {
    const all = times.reduce((sum, time) => sum + (time.state === state ? time.seconds : 0), 0)
    return Math.round(all / gateways)
  }
  return {
    connected: of('connected'),
    breaker_open: of('breaker_open'),
    draining: of('draining'),
    stopped: of('stopped'),
  }
}

/** Returns the seconds in which faults kept messages away. */
export function downSeconds({ breaker_open: avoided, stopped }: StateSeconds): number {
  return avoided + stopped
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
