/**
 * Rules of prices. Every change raises the price revision, by which a gateway knows whether its prices are current. At
 * most one price is valid for a destination at a time.
 */
import { type Price, type PriceKey, refuseOverlap, searchPriceOverlap } from '../../domain/money/price.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import {
  find,
  findItems,
  inPauses,
  nameOfRow,
  putItems,
  type Rule,
  refuse,
  remove,
  removeItems,
  requireAccount,
  requireAccounts,
  slicesOf,
  updateRow,
} from './row-step.ts'

const { prices: PRICES } = DIRECTORY_ROWS

/** A price that starts with one of them is replaced by it; afterwards, none may overlap another. */
export function* setPrices(prices: readonly Price[]): Rule<null> {
  yield* requireAccounts(prices.map(({ accountId }) => accountId))
  const [stored, wanted] = [new Map<string, Price>(), new Map<string, Price>()]
  for (const slice of slicesOf(prices)) {
    // Those of all times, which are many for each number.
    const destinations = slice.map((price) => {
      const { valid_from: _, ...rest } = PRICES.toKey(price)
      return [JSON.stringify(rest), rest] as const
    })
    for (const price of yield* findItems(PRICES, [...new Map(destinations).values()]))
      stored.set(nameOfPrice(price), price)
    for (const price of slice) wanted.set(nameOfPrice(price), price)
  }
  yield* refuseOverlaps([...new Map([...stored, ...wanted]).values()])
  yield* putItems(PRICES, [...wanted.values()])
  return yield* raisePriceRevision()
}

export function* removePrices(prices: readonly PriceKey[]): Rule<null> {
  yield* removeItems(PRICES, prices, 'there is no such price')
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

function nameOfPrice(price: Price): string {
  return nameOfRow(PRICES.toKey(price), PRICES.key)
}

function* raisePriceRevision(): Rule<null> {
  const [meta] = yield* find('meta', { one: 1 }, ['price_revision'])
  yield* updateRow('meta', { price_revision: Number(meta?.price_revision) + 1 }, { one: 1 })
  return null
}
