/**
 * What operators change of prices. Every change of them moves their revision on, by which a gateway sees that it has them
 * already. Never keeps two prices that are valid for the same at one time.
 */
import { findPriceOverlap, type Price, type PriceKey, refuseOverlap } from '../../domain/price.ts'
import { priceKey, toPriceRow } from '../rows/directory-rows.ts'
import { DIRECTORY_TABLES, readPrice } from '../rows/directory-tables.ts'
import { columnsOf, type Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { rare, unnest } from './statement.ts'

const { columns: COLUMNS } = DIRECTORY_TABLES.prices

/** In the order of COLUMNS. */
const TYPES = {
  account_id: 'bigint',
  currency: 'text',
  channel: 'text',
  prefix: 'text',
  operator: 'text',
  valid_from: 'bigint',
  valid_until: 'bigint',
  price_micros: 'bigint',
} as const
const PUT = rare(
  `INSERT INTO price (${COLUMNS}) SELECT new.* FROM ${unnest(TYPES, 1)}
   ON CONFLICT (account_id, currency, channel, prefix, operator, valid_from)
   DO UPDATE SET valid_until = excluded.valid_until, price_micros = excluded.price_micros`,
)

export class PriceRows {
  readonly #rows: SetUpRows
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
  }

  /** Throws a ChangeRefused. */
  async set(price: Price): Promise<null> {
    if (price.accountId !== null) await this.#rows.needAccount(price.accountId)
    await this.#checkOverlap(price)
    await this.#touch()
    await this.#put([price])
    return null
  }

  /** Throws a ChangeRefused. */
  async remove(price: PriceKey): Promise<null> {
    if ((await this.#rows.remove('price', priceKey(price))) === 0) refuse('there is no such price')
    await this.#touch()
    return null
  }

  /** In the place of every price of the account, or of every general one, in the currency. Throws a ChangeRefused. */
  async replaceAll(accountId: number | null, currency: string, prices: readonly Price[]): Promise<null> {
    if (accountId !== null) await this.#rows.needAccount(accountId)
    if (prices.some((price) => price.accountId !== accountId || price.currency !== currency)) {
      refuse('a tariff has the prices of one account in one currency')
    }
    const overlap = findPriceOverlap(prices)
    if (overlap !== null) refuse(refuseOverlap(...overlap))
    await this.#touch()
    await this.#rows.remove('price', { account_id: accountId ?? 0, currency })
    await this.#put(prices)
    return null
  }

  /** A price that begins with the new one is replaced by it; any other must leave it room. */
  async #checkOverlap(price: Price): Promise<void> {
    const others = await this.#rows.all(
      `SELECT ${COLUMNS} FROM price
       WHERE account_id = ? AND currency = ? AND channel = ? AND prefix = ? AND operator = ? AND valid_from <> ?`,
      ...Object.values(priceKey(price)),
    )
    const overlap = findPriceOverlap([...others.map(readPrice), price])
    if (overlap !== null) refuse(refuseOverlap(...overlap))
  }

  async #put(prices: readonly Price[]): Promise<void> {
    if (prices.length > 0)
      await this.#session.ask(PUT, ...columnsOf(prices.map((price) => Object.values(toPriceRow(price)))))
  }

  async #touch(): Promise<void> {
    await this.#rows.run('UPDATE meta SET price_revision = price_revision + 1')
  }
}
