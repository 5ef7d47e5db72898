/** What an account may send, where to and when. The same may be set for the whole installation, in guard-settings.ts. */
import type { Country } from './country.ts'
import type { Micros } from './money.ts'
import type { QuietHours } from './quiet-hours.ts'

/** Part of the settings of an account. */
export interface AccountGuards {
  /** Countries whose numbers may be written to and called; null for all. */
  readonly allowedCountries: readonly Country[] | null
  /** What messages accepted in one day may hold of the account's money, whatever becomes of them; null is no limit. */
  readonly dailySpendMicros: Micros | null
  /** Messages and calls accepted in one day; null is no limit. */
  readonly dailyMessages: number | null
  readonly velocityLimits: readonly VelocityLimit[]
  /** `installation`: those that hold for all. `off`: none, because what is sent is urgent. */
  readonly quietHours: QuietHours | 'installation' | 'off'
  /** When its days begin, and where its quiet hours are for numbers of no country: `Europe/Berlin`, `UTC`. */
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

/** At most `most` messages and calls to one phone, one country or one prefix within any `windowSeconds`. */
export interface VelocityLimit {
  readonly per: 'phone' | 'country' | 'prefix'
  /** The first digits of a number that are its prefix; null unless it is per prefix. */
  readonly prefixDigits: number | null
  readonly most: number
  readonly windowSeconds: number
}
