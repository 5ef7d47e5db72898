/** Rules for operator changes to an account's money. */
import type { PaymentKind, PostingKind } from '../../domain/money/ledger.ts'
import { type Micros, writeDecimal } from '../../domain/money/money.ts'
import type { MoneyChange } from '../../ports/changes/money-change.ts'
import type { ChargeCells } from '../rows/money/posting-row.ts'
import { find, findOne, pay, type Rule, readBalance, refuse, setLimits } from './row-step.ts'

type ChangeOf<Kind extends MoneyChange['kind']> = Extract<MoneyChange, { kind: Kind }>

/** A closed account has no key to spend money with; what is given back is a correction. */
export function* topUp(change: ChangeOf<'top up'>): Rule<null> {
  const { accountId } = change
  if (change.amountMicros <= 0) refuse('amount: must be greater than 0')
  const account = yield* findOne('account', { account_id: accountId }, ['state'])
  if (account?.state === 'closed') {
    refuse(`account ${accountId} is closed: it cannot be topped up; for a refund use a correction (account correct)`)
  }
  return yield* post('top-up', change, change.amountMicros)
}

export function* correct(change: ChangeOf<'correct'>): Rule<null> {
  const { accountId, amountMicros } = change
  if (amountMicros === 0) refuse('amount: must not be 0')
  if (amountMicros > 0) return yield* post('correction up', change, amountMicros)
  const { available, creditLimit } = yield* requireBalance(accountId)
  if (available + creditLimit < -amountMicros) {
    refuse(`account ${accountId} has less than that to spend: what is held or spent cannot be taken away`)
  }
  return yield* post('correction down', change, -amountMicros)
}

/** Refunds never exceed the charge: the balance is locked before the postings of the message are read. */
export function* refund({ accountId, messageId, amountMicros, at, by, note }: ChangeOf<'refund'>): Rule<null> {
  yield* requireBalance(accountId)
  const postings = yield* find('posting', { account_id: accountId, msg_id: messageId }, [
    'kind',
    'amount_micros',
    ...PURPOSE,
  ])
  const sum = (kind: PostingKind) =>
    postings.reduce((total, each) => (each.kind === kind ? total + Number(each.amount_micros) : total), 0)
  const [charge] = postings.filter(({ kind }) => kind === 'charge')
  const left = sum('charge') - sum('refund')
  if (charge === undefined) refuse(`message ${messageId} was not charged`)
  if (left === 0) refuse(`the charge of message ${messageId} is refunded already`)
  const asked = amountMicros ?? left
  if (asked <= 0) refuse('amount: must be greater than 0')
  if (asked > left) refuse(`amount: only ${writeDecimal(left as Micros)} of the charge is left to refund`)
  const { channel, operator, carrier_id: carrier, cost_currency: currency } = charge
  const purpose = [channel, operator, 0, carrier, currency === null ? null : 0, currency] as ChargeCells
  const refunded = { messageId, charge: purpose }
  return yield* pay({ kind: 'refund', accountId, amountMicros: asked, at, by: by ?? null, note, refunded })
}

const PURPOSE = ['channel', 'operator', 'carrier_id', 'cost_currency'] as const

export function* setCreditLimit({ accountId, creditLimitMicros }: ChangeOf<'set credit limit'>): Rule<null> {
  const balance = yield* requireBalance(accountId)
  if (creditLimitMicros < 0) refuse('a credit limit must be at least 0')
  if (balance.available < -creditLimitMicros) {
    refuse(`account ${accountId} owes more than that: it must pay first, or be suspended`)
  }
  return yield* setLimits(accountId, { ...balance, creditLimit: creditLimitMicros })
}

function* post(
  kind: PaymentKind,
  { accountId, at, by, note }: ChangeOf<'top up' | 'correct'>,
  amountMicros: number,
): Rule<null> {
  const { paid } = yield* requireBalance(accountId)
  const after = paid + (kind === 'correction down' ? amountMicros : -amountMicros)
  if (!Number.isSafeInteger(after)) refuse('the account cannot hold that much')
  return yield* pay({ kind, accountId, amountMicros, at, by: by ?? null, note: note ?? null })
}

function* requireBalance(accountId: number) {
  return (yield* readBalance(accountId)) ?? refuse(`there is no account ${accountId}`)
}
