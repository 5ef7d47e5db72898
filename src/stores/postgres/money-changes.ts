/** What a person changes in the money of an account. Throws a ChangeRefused before anything is written. */
import type { PaymentKind } from '../../domain/ledger.ts'
import { bucketOf } from '../../domain/message-id.ts'
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

  async topUp(change: MoneyChangeOf<'top up'>): Promise<null> {
    if (change.amountMicros <= 0) refuse('a top-up is more than nothing')
    return this.#pay('top-up', change)
  }

  async correct(change: MoneyChangeOf<'correct'>): Promise<null> {
    const { accountId, amountMicros } = change
    if (amountMicros === 0) refuse('a correction by nothing corrects nothing')
    if (amountMicros > 0) return this.#pay('correction up', change)
    await this.#rows.needAccount(accountId)
    await this.#session.purse.lock([accountId])
    if (this.#session.purse.spendable(accountId) < -amountMicros) {
      refuse(`account ${accountId} has less than that to spend: what is held or spent cannot be taken away`)
    }
    return this.#pay('correction down', { ...change, amountMicros: -amountMicros })
  }

  async setCreditLimit({ accountId, creditLimitMicros }: MoneyChangeOf<'set credit limit'>): Promise<null> {
    const { purse } = this.#session
    await this.#rows.needAccount(accountId)
    await purse.lock([accountId])
    if (creditLimitMicros < 0) refuse('a credit limit must not be less than nothing')
    if (purse.available(accountId) < -creditLimitMicros) {
      refuse(`account ${accountId} owes more than that: it must pay first, or be suspended`)
    }
    const set = 'UPDATE pots SET credit_limit = ? WHERE bucket = ? AND account_id = ?'
    await this.#rows.run(set, creditLimitMicros, bucketOf(accountId), accountId)
    purse.changeCreditLimit(accountId, creditLimitMicros)
    return null
  }

  async #pay(
    kind: PaymentKind,
    change: Omit<MoneyChangeOf<'top up'>, 'kind' | 'amountMicros'> & { amountMicros: number },
  ): Promise<null> {
    const { accountId, amountMicros, at, by = null, note = null } = change
    const { purse } = this.#session
    await purse.lock([accountId])
    if (!purse.has(accountId)) refuse(`there is no account ${accountId}`)
    const paid = purse.paid(accountId) + (kind === 'correction down' ? amountMicros : -amountMicros)
    if (!Number.isSafeInteger(paid)) refuse('the account cannot hold that much')
    purse.pay({ kind, accountId, amountMicros, at, by, note })
    return null
  }
}
