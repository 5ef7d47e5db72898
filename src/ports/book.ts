/** The book as people read and change it. */
import type { AccountId } from '../domain/account.ts'
import type { Micros } from '../domain/money.ts'
import type { Month } from '../domain/month.ts'

/** An AccountMonth has the first payments of the month, so many. */
export const MOST_PAYMENTS = 10_000

export interface Months {
  readonly from: Month
  /** The last of them. */
  readonly through: Month
}

/** How long a month stays open after its end, milliseconds, for what comes late. */
export const MONTH_STAYS_OPEN_MS = 86_400_000

/** What a person changes in the money of an account. */
export type MoneyChange =
  | (PersonalPosting & { readonly kind: 'top up' })
  /** Less than nothing takes money away. Refused when the account would be left below its credit limit. */
  | (PersonalPosting & { readonly kind: 'correct' })
  /** Refused when the account owes more than that already. */
  | { readonly kind: 'set credit limit'; readonly accountId: AccountId; readonly creditLimitMicros: Micros }

interface PersonalPosting {
  readonly accountId: AccountId
  readonly amountMicros: Micros
  readonly at: number
  /** Who; absent when no person did. */
  readonly by?: string
  readonly note?: string
}
