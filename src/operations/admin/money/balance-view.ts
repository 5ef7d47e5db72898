/** Public form of an account's balances. */
import Type, { type Static } from 'typebox'
import type { Account } from '../../../domain/accounts/account.ts'
import type { Balances } from '../../../domain/money/ledger.ts'
import { NO_MONEY, toDecimal } from '../../../domain/money/money.ts'
import { ACCOUNT, MONEY } from '../fields/shapes.ts'

export const Balance = Type.Object({
  account: ACCOUNT,
  currency: Type.String(),
  available: MONEY,
  held: MONEY,
  spent: MONEY,
  credit_limit: MONEY,
})

export function viewBalance(account: Account, balances: Balances | null): Static<typeof Balance> {
  return {
    account: account.id,
    currency: account.currency,
    available: toDecimal(balances?.available ?? NO_MONEY),
    held: toDecimal(balances?.held ?? NO_MONEY),
    spent: toDecimal(balances?.earned ?? NO_MONEY),
    credit_limit: toDecimal(account.creditLimitMicros),
  }
}
