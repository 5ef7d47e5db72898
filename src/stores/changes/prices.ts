/**
 * Rules of prices. Every change of them raises their revision, by which a gateway knows whether it has them already. Never
 * keeps two prices that are valid for the same at one time.
 */
import { findPriceOverlap, type Price, type PriceKey, refuseOverlap } from '../../domain/price.ts'
import { priceKey, toPriceRow } from '../rows/directory-rows.ts'
import { DIRECTORY_TABLES, readPrice } from '../rows/directory-tables.ts'
import { find, put, putAll, type Rule, refuse, remove, requireAccount, update } from './row-step.ts'

const COLUMNS = DIRECTORY_TABLES.prices.columns.split(', ')

export function* setPrice(price: Price): Rule<null> {
  if (price.accountId !== null) yield* requireAccount(price.accountId)
  // A price that begins with the new one is replaced by it; any other must leave it room.
  const { valid_from: from, ...rest } = priceKey(price)
  const stored = yield* find('price', rest, COLUMNS)
  const others = stored.filter((row) => row['valid_from'] !== from).map((row) => readPrice(Object.values(row)))
  refuseOverlaps([...others, price])
  yield* put('price', toPriceRow(price))
  return yield* raisePriceRevision()
}

export function* removePrice(price: PriceKey): Rule<null> {
  if ((yield* remove('price', priceKey(price))) === 0) refuse('there is no such price')
  return yield* raisePriceRevision()
}

/** Replaces every price of the account, or every general one, in the currency. */
export function* setTariff(accountId: number | null, currency: string, prices: readonly Price[]): Rule<null> {
  if (accountId !== null) yield* requireAccount(accountId)
  if (prices.some((price) => price.accountId !== accountId || price.currency !== currency)) {
    refuse('a tariff has the prices of one account in one currency')
  }
  refuseOverlaps(prices)
  yield* remove('price', { account_id: accountId ?? 0, currency })
  yield* putAll('price', prices.map(toPriceRow))
  return yield* raisePriceRevision()
}

function refuseOverlaps(prices: readonly Price[]): void {
  const overlap = findPriceOverlap(prices)
  if (overlap !== null) refuse(refuseOverlap(...overlap))
}

function* raisePriceRevision(): Rule<null> {
  const [meta] = yield* find('meta', { one: 1 }, ['price_revision'])
  yield* update('meta', { price_revision: Number(meta?.price_revision) + 1 }, { one: 1 })
  return null
}
