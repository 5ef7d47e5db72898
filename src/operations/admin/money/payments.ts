/** Payments of an account and corrections of its balance. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import { type Micros, toDecimal } from '../../../domain/money/money.ts'
import type { QueryStore } from '../../../ports/stores/query-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkField, checkNote } from '../fields/field-refused.ts'
import { ACCOUNT, FINANCE, MONEY, readAmount, whole } from '../fields/shapes.ts'
import { Balance, viewBalance } from './balance-view.ts'

const NOTE = Type.String({ maxLength: 500, description: 'number of an invoice or payment' })
const WHY = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', rule: 'must say why', description: 'why' })
const PAYMENTS: ChangeRule = { what: 'the money of accounts', may: FINANCE, proof: true }

export const MONEY_CHANGES = {
  'top up': {
    ...PAYMENTS,
    audit: ({ accountId, amountMicros, note }) =>
      entry(`money of account ${accountId}`, null, { top_up: toDecimal(amountMicros), note }),
  },
  correct: {
    ...PAYMENTS,
    audit: ({ accountId, amountMicros, note }) =>
      entry(`money of account ${accountId}`, null, { correction: toDecimal(amountMicros), note }),
  },
  refund: {
    ...PAYMENTS,
    audit: ({ accountId, messageId, amountMicros, note }) => {
      const refund = amountMicros === null ? 'all' : toDecimal(amountMicros)
      return entry(`money of account ${accountId}`, null, { message: messageId, refund, note })
    },
  },
  'set credit limit': {
    ...PAYMENTS,
    audit: ({ accountId, creditLimitMicros }, { accounts }) => {
      const before = accounts.find(({ id }) => id === accountId)?.creditLimitMicros
      const limit = (micros: Micros | undefined) => ({ credit_limit: micros === undefined ? null : toDecimal(micros) })
      return entry(`money of account ${accountId}`, limit(before), limit(creditLimitMicros))
    },
  },
} satisfies Changes

export const TOP_UP = endpoint({
  name: 'topUp',
  method: 'POST',
  path: '/accounts/{account}/top-ups',
  command: 'account top-up',
  summary: 'add money to an account',
  may: FINANCE,
  params: { account: ACCOUNT },
  body: { amount: MONEY, note: Type.Optional(NOTE) },
  result: Balance,
  run: async ({ store, clock }, { account, amount, note }, { name }) => {
    const row = accountRow(await store.loadDirectory(), toAccountId(account))
    const said = note === undefined ? {} : { note }
    const input = { accountId: row.id, amountMicros: readAmount('amount', amount), by: name, ...said }
    return viewBalance(row, await topUpAccount(store, clock, input))
  },
})

export const CORRECT = endpoint({
  name: 'correct',
  method: 'POST',
  path: '/accounts/{account}/corrections',
  command: 'account correct',
  summary: 'correct the balance of an account by a positive or negative amount; postings are never changed',
  may: FINANCE,
  params: { account: ACCOUNT },
  body: { amount: MONEY, note: WHY },
  result: Balance,
  run: async ({ store, clock }, { account, amount, note }, { name }) => {
    const row = accountRow(await store.loadDirectory(), toAccountId(account))
    const correction = { accountId: row.id, amountMicros: readAmount('amount', amount), note, by: name }
    return viewBalance(row, await correctBalance(store, clock, correction))
  },
})

export const REFUND = endpoint({
  name: 'refundMessage',
  method: 'POST',
  path: '/messages/{message}/refunds',
  command: 'message refund',
  summary: 'give back what a message was charged, at most once: a correction that names the message',
  may: FINANCE,
  params: { message: whole({ minimum: 64, description: 'its msg_id' }) },
  body: {
    amount: Type.Optional({ ...MONEY, description: 'by default all that is left of the charge' }),
    note: WHY,
  },
  result: Balance,
  run: async ({ store, clock }, { message, amount, note }, { name }) => {
    checkNote(note, MAX_NOTE_CHARACTERS)
    const messageId = message as MessageId
    const [found] = await store.loadMessages([messageId])
    if (found === undefined) throw new UnknownThing(`there is no message ${message}`)
    const amountMicros = amount === undefined ? null : readAmount('amount', amount)
    const { accountId } = found
    await store.change({ kind: 'refund', accountId, messageId, amountMicros, note, by: name, at: clock.now() })
    return viewBalance(accountRow(await store.loadDirectory(), accountId), await store.balancesOf(accountId))
  },
})

export const SET_CREDIT_LIMIT = endpoint({
  name: 'setCreditLimit',
  method: 'PUT',
  path: '/accounts/{account}/credit-limit',
  command: 'account credit',
  summary: 'set the credit limit of an account: how far its balance may go below 0',
  may: FINANCE,
  params: { account: ACCOUNT },
  body: { credit_limit: Type.Number({ minimum: 0, description: 'a decimal number; 0 is no credit' }) },
  result: Balance,
  run: async ({ store }, { account, credit_limit: limit }) => {
    const accountId = toAccountId(account)
    const creditLimitMicros = readAmount('credit_limit', limit)
    await store.change({ kind: 'set credit limit', accountId, creditLimitMicros })
    return viewBalance(accountRow(await store.loadDirectory(), accountId), await store.balancesOf(accountId))
  },
})

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
export async function topUpAccount(store: QueryStore & SetupStore, clock: Clock, input: TopUp): Promise<Balances> {
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
