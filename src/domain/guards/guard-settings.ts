/** Guards of the whole installation. They apply in addition to those of an account: the stricter one counts. */
import type { VelocityLimit } from '../accounts/account.ts'
import type { OptOutLanguages } from '../consent/opt-out.ts'
import type { Country } from '../numbers/country.ts'
import type { QuietHours } from '../time/quiet-hours.ts'
import type { PumpingRule } from './traffic.ts'

export interface GuardSettings {
  readonly allowedCountries: readonly Country[] | null
  /** Days in UTC. */
  readonly dailyMessages: number | null
  /** Counted over all accounts. */
  readonly velocityLimits: readonly VelocityLimit[]
  /** For accounts that have none of their own and have not switched them off. */
  readonly quietHours: QuietHours | null
  /** Null: traffic is not monitored. */
  readonly pumping: PumpingRule | null
  /** What an opt-out keyword applies to: the sender that it was sent to, or all senders of the account. */
  readonly optOutScope: 'sender' | 'account'
  /** Replaces the built-in keywords of these languages. */
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
