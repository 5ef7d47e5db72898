/** What a person changes in the money of an account. Throws a ChangeRefused before anything is written. */
import type { PaymentKind } from '../../domain/ledger.ts'
import type { MoneyChange } from '../../ports/book.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'

type MoneyChangeOf<Kind extends MoneyChange['kind']> = Extract<MoneyChange, { kind: Kind }>

export class MoneyChanges {
  readonly #session: Session
  readonly #rows: SetUpRows

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
  }

  topUp(change: MoneyChangeOf<'top up'>): null {
    if (change.amountMicros <= 0) refuse('a top-up is more than nothing')
    return this.#pay('top-up', change)
  }

  correct(change: MoneyChangeOf<'correct'>): null {
    const { accountId, amountMicros } = change
    if (amountMicros === 0) refuse('a correction by nothing corrects nothing')
    if (amountMicros > 0) return this.#pay('correction up', change)
    this.#rows.needAccount(accountId)
    if (this.#session.purse.spendable(accountId) < -amountMicros) {
      refuse(`account ${accountId} has less than that to spend: what is held or spent cannot be taken away`)
    }
    return this.#pay('correction down', { ...change, amountMicros: -amountMicros })
  }

  setCreditLimit({ accountId, creditLimitMicros }: MoneyChangeOf<'set credit limit'>): null {
    const { purse } = this.#session
    this.#rows.needAccount(accountId)
    if (creditLimitMicros < 0) refuse('a credit limit must not be less than nothing')
    if (purse.available(accountId) < -creditLimitMicros) {
      refuse(`account ${accountId} owes more than that: it must pay first, or be suspended`)
    }
    purse.forgetAccount(accountId)
    this.#rows.run('UPDATE pots SET credit_limit = ? WHERE account_id = ?', creditLimitMicros, accountId)
    return null
  }

  #pay(
    kind: PaymentKind,
    change: Omit<MoneyChangeOf<'top up'>, 'kind' | 'amountMicros'> & { amountMicros: number },
  ): null {
    const { accountId, amountMicros, at, by = null, note = null } = change
    const pots = this.#session.purse.potsOf(accountId)
    if (pots === null) return refuse(`there is no account ${accountId}`)
    const paid = kind === 'correction down' ? pots.paid + amountMicros : pots.paid - amountMicros
    if (!Number.isSafeInteger(paid)) refuse('the account cannot hold that much')
    this.#session.purse.pay({ kind, accountId, amountMicros, at, by, note })
    return null
  }
}
