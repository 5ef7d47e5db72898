/** What guards the whole installation. It holds beside what is set for an account: the stricter of both counts. */
import type { VelocityLimit } from './account-guards.ts'
import type { Country } from './country.ts'
import type { OptOutLanguages } from './opt-out.ts'
import type { QuietHours } from './quiet-hours.ts'
import type { PumpingRule } from './traffic.ts'

export interface GuardSettings {
  readonly allowedCountries: readonly Country[] | null
  /** By UTC. */
  readonly dailyMessages: number | null
  /** Counted over all accounts. */
  readonly velocityLimits: readonly VelocityLimit[]
  /** For accounts that have none of their own and have not switched them off. */
  readonly quietHours: QuietHours | null
  /** Null: traffic is not watched. */
  readonly pumping: PumpingRule | null
  /** What a word of a person is about: the sender that it was sent to, or all senders of the account. */
  readonly optOutScope: 'sender' | 'account'
  /** In place of the built-in words of these languages. */
  readonly optOutLanguages: OptOutLanguages
}

export const DEFAULT_GUARD_SETTINGS: GuardSettings = {
  allowedCountries: null,
  dailyMessages: null,
  velocityLimits: [],
  quietHours: null,
  pumping: null,
  optOutScope: 'sender',
  optOutLanguages: {},
}
