/** Payments of an account and corrections of its balance. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import type { Micros } from '../../../domain/money/money.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { checkField, checkNote } from '../fields/field-refused.ts'
import { FINANCE } from '../fields/shapes.ts'

const MONEY: ChangeRule = { what: 'the money of accounts', may: FINANCE, proof: true }

export const MONEY_CHANGES = {
  'top up': {
    ...MONEY,
    audit: ({ accountId, amountMicros, note }) =>
      entry(`money of account ${accountId}`, null, { top_up: toDecimal(amountMicros), note }),
  },
  correct: {
    ...MONEY,
    audit: ({ accountId, amountMicros, note }) =>
      entry(`money of account ${accountId}`, null, { correction: toDecimal(amountMicros), note }),
  },
  'set credit limit': {
    ...MONEY,
    audit: ({ accountId, creditLimitMicros }, { accounts }) => {
      const before = accounts.find(({ id }) => id === accountId)?.creditLimitMicros
      const limit = (micros: Micros | undefined) => ({ credit_limit: micros === undefined ? null : toDecimal(micros) })
      return entry(`money of account ${accountId}`, limit(before), limit(creditLimitMicros))
    },
  },
} satisfies Changes

const MAX_NOTE_CHARACTERS = 500

export interface TopUp {
  readonly accountId: AccountId
  /** Greater than 0, in the account's currency. */
  readonly amountMicros: Micros
  /** User who posts it; absent for postings of the system. */
  readonly by?: string
  /** Number of an invoice or a payment. */
  readonly note?: string
}

/** Returns the balances afterwards. Throws ChangeRefused. */
export async function topUp(store: QueryStore & SetupStore, clock: Clock, input: TopUp): Promise<Balances> {
  checkField('amount', input.amountMicros > 0, 'must be greater than 0; posthorn account correct takes money away')
  if (input.note !== undefined) checkNote(input.note, MAX_NOTE_CHARACTERS)
  await store.change({ kind: 'top up', ...input, at: clock.now() })
  return currentBalances(store, input.accountId)
}

/** Returns the balances of an account known to exist. */
async function currentBalances(store: QueryStore & SetupStore, accountId: AccountId): Promise<Balances> {
  const balances = await store.balancesOf(accountId)
  if (balances === null) throw new TypeError('the store has no balances of an account')
  return balances
}

export interface Correction {
  readonly accountId: AccountId
  /** Negative to take money away: the reversal of a top-up. */
  readonly amountMicros: Micros
  /** Reason. */
  readonly note: string
  /** User who posts it. */
  readonly by: string
}

/** Returns the balances afterwards. Throws ChangeRefused. */
export async function correctBalance(
  store: QueryStore & SetupStore,
  clock: Clock,
  correction: Correction,
): Promise<Balances> {
  checkField('note', correction.note !== '', 'a correction needs a reason')
  checkNote(correction.note, MAX_NOTE_CHARACTERS)
  await store.change({ kind: 'correct', ...correction, at: clock.now() })
  return currentBalances(store, correction.accountId)
}
