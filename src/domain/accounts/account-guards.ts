/**
 * What an account may send, to which destinations and when. guard-settings.ts has the same for the whole installation.
 */
import type { Micros } from '../money/money.ts'
import type { Country } from '../numbers/country.ts'
import type { QuietHours } from '../time/quiet-hours.ts'

/** Part of the settings of an account. */
export interface AccountGuards {
  /** Countries to which messages and calls are allowed; null for all. */
  readonly allowedCountries: readonly Country[] | null
  /** Money that messages accepted in one day may hold, whatever their outcome; null for no limit. */
  readonly dailySpendMicros: Micros | null
  /** Messages and calls accepted in one day; null for no limit. */
  readonly dailyMessages: number | null
  readonly velocityLimits: readonly VelocityLimit[]
  /** `installation`: the hours of the installation. `off`: none, for urgent traffic. */
  readonly quietHours: QuietHours | 'installation' | 'off'
  /** Time zone of its days, of its quiet hours for numbers of no country, and of times without an offset. */
  readonly timeZone: string
}

export const DEFAULT_ACCOUNT_GUARDS: AccountGuards = {
  allowedCountries: null,
  dailySpendMicros: null,
  dailyMessages: null,
  velocityLimits: [],
  quietHours: 'installation',
  timeZone: 'UTC',
}

/** Returns the zone of times without an offset; null if none was chosen, and such times are refused. */
export function timeZoneOfRequests({ timeZone }: AccountGuards): string | null {
  return timeZone === DEFAULT_ACCOUNT_GUARDS.timeZone ? null : timeZone
}

/** At most `most` messages and calls to one phone, one country or one prefix within any `windowSeconds`. */
export interface VelocityLimit {
  readonly per: 'phone' | 'country' | 'prefix'
  /** Digits that make the prefix; null unless the limit is per prefix. */
  readonly prefixDigits: number | null
  readonly most: number
  readonly windowSeconds: number
}
