/**
 * What operators change of prices. Every change of them moves their revision on, by which a gateway sees that it has them
 * already. Never keeps two prices that are valid for the same at one time.
 */
import { findPriceOverlap, type Price, type PriceKey, refuseOverlap } from '../../domain/price.ts'
import { priceKey, toPriceRow } from '../rows/directory-rows.ts'
import { DIRECTORY_TABLES, readPrice } from '../rows/directory-tables.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { Statement } from './statement.ts'

const { columns: COLUMNS } = DIRECTORY_TABLES.prices

export class PriceRows {
  readonly #rows: SetUpRows
  readonly #put: Statement

  constructor(session: Session) {
    this.#rows = new SetUpRows(session)
    this.#put = new Statement(
      session.database,
      `INSERT OR REPLACE INTO price (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
  }

  /** Throws a ChangeRefused. */
  set(price: Price): null {
    if (price.accountId !== null) this.#rows.needAccount(price.accountId)
    this.#checkOverlap(price)
    this.#touch()
    this.#put.run(...Object.values(toPriceRow(price)))
    return null
  }

  /** Throws a ChangeRefused. */
  remove(price: PriceKey): null {
    if (this.#rows.remove('price', priceKey(price)) === 0) refuse('there is no such price')
    this.#touch()
    return null
  }

  /** In the place of every price of the account, or of every general one, in the currency. Throws a ChangeRefused. */
  replaceAll(accountId: number | null, currency: string, prices: readonly Price[]): null {
    if (accountId !== null) this.#rows.needAccount(accountId)
    if (prices.some((price) => price.accountId !== accountId || price.currency !== currency)) {
      refuse('a tariff has the prices of one account in one currency')
    }
    const overlap = findPriceOverlap(prices)
    if (overlap !== null) refuse(refuseOverlap(...overlap))
    this.#touch()
    this.#rows.remove('price', { account_id: accountId ?? 0, currency })
    for (const price of prices) this.#put.run(...Object.values(toPriceRow(price)))
    return null
  }

  /** A price that begins with the new one is replaced by it; any other must leave it room. */
  #checkOverlap(price: Price): void {
    const others = this.#rows
      .all(
        `SELECT ${COLUMNS} FROM price
         WHERE account_id = ? AND currency = ? AND channel = ? AND prefix = ? AND operator = ? AND valid_from <> ?`,
        ...Object.values(priceKey(price)),
      )
      .map(readPrice)
    const overlap = findPriceOverlap([...others, price])
    if (overlap !== null) refuse(refuseOverlap(...overlap))
  }

  #touch(): void {
    this.#rows.run('UPDATE meta SET price_revision = price_revision + 1')
  }
}
