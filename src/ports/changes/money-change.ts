/** Changes of the ledger by operators, and its months. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { Month } from '../../domain/time/month.ts'

/** The maximum of payments in an AccountMonth: the first ones of the month. */
export const MAX_PAYMENTS = 10_000

export interface Months {
  readonly from: Month
  /** The last of them, included. */
  readonly through: Month
}

/** How long a month stays open after its end, milliseconds, for late postings. */
export const MONTH_STAYS_OPEN_MS = 86_400_000

/** An operator's change of an account's money. */
export type MoneyChange =
  | (ManualPosting & { readonly kind: 'top up' })
  /** A negative amount takes money away. Refused if the account would be below its credit limit. */
  | (ManualPosting & { readonly kind: 'correct' })
  /** Gives back what a message was charged, at most what is left of it; null for all of that. */
  | {
      readonly kind: 'refund'
      readonly accountId: AccountId
      readonly messageId: MessageId
      readonly amountMicros: Micros | null
      readonly at: number
      readonly by?: string
      readonly note: string
    }
  /** Refused if the account already uses more credit than that. */
  | { readonly kind: 'set credit limit'; readonly accountId: AccountId; readonly creditLimitMicros: Micros }

interface ManualPosting {
  readonly accountId: AccountId
  readonly amountMicros: Micros
  readonly at: number
  /** The operator; absent if there is none. */
  readonly by?: string
  readonly note?: string
}
