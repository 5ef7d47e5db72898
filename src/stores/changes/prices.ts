/**
 * Rules of prices. Every change raises the price revision, by which a gateway knows whether its prices are current. At
 * most one price is valid for a destination at a time.
 */
import { type Price, type PriceKey, refuseOverlap, searchPriceOverlap } from '../../domain/price.ts'
import { DIRECTORY_TABLES } from '../rows/directory-tables.ts'
import {
  find,
  findItems,
  inPauses,
  putItem,
  putItems,
  type Rule,
  refuse,
  remove,
  removeItem,
  requireAccount,
  update,
} from './row-step.ts'

const { prices: PRICES } = DIRECTORY_TABLES

export function* setPrice(price: Price): Rule<null> {
  if (price.accountId !== null) yield* requireAccount(price.accountId)
  // A price that starts with the new one is replaced by it; no other may overlap it.
  const { valid_from: _, ...rest } = PRICES.toKey(price)
  const stored = yield* findItems(PRICES, rest)
  yield* refuseOverlaps([...stored.filter(({ from }) => from !== price.from), price])
  yield* putItem(PRICES, price)
  return yield* raisePriceRevision()
}

export function* removePrice(price: PriceKey): Rule<null> {
  yield* removeItem(PRICES, price, 'there is no such price')
  return yield* raisePriceRevision()
}

/** Replaces every price of the account, or every general price, in the currency. */
export function* setTariff(accountId: number | null, currency: string, prices: readonly Price[]): Rule<null> {
  if (accountId !== null) yield* requireAccount(accountId)
  if (prices.some((price) => price.accountId !== accountId || price.currency !== currency)) {
    refuse('a tariff has the prices of one account in one currency')
  }
  yield* refuseOverlaps(prices)
  yield* remove('price', { account_id: accountId ?? 0, currency })
  yield* putItems(PRICES, prices)
  return yield* raisePriceRevision()
}

function* refuseOverlaps(prices: readonly Price[]): Rule<null> {
  const overlap = yield* inPauses(searchPriceOverlap(prices))
  return overlap === null ? null : refuse(refuseOverlap(...overlap))
}

function* raisePriceRevision(): Rule<null> {
  const [meta] = yield* find('meta', { one: 1 }, ['price_revision'])
  yield* update('meta', { price_revision: Number(meta?.price_revision) + 1 }, { one: 1 })
  return null
}
