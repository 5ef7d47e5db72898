/** Rules of prices. Every change raises the price revision, by which a gateway knows whether its prices are current. */
import { PRICE_KIND, type Price, type PriceKey } from '../../domain/money/price.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { putRates, refuseOverlaps } from './rates.ts'
import {
  find,
  putItems,
  type Rule,
  refuse,
  remove,
  removeItems,
  requireAccount,
  requireAccounts,
  updateRow,
} from './row-step.ts'

const { prices: PRICES } = DIRECTORY_ROWS

export function* setPrices(prices: readonly Price[]): Rule<null> {
  yield* requireAccounts(prices.map(({ accountId }) => accountId))
  yield* putRates(PRICES, PRICE_KIND, prices)
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
  yield* refuseOverlaps(PRICE_KIND, prices)
  yield* remove('price', { account_id: accountId ?? 0, currency })
  yield* putItems(PRICES, prices)
  return yield* raisePriceRevision()
}

function* raisePriceRevision(): Rule<null> {
  const [meta] = yield* find('meta', { one: 1 }, ['price_revision'])
  yield* updateRow('meta', { price_revision: Number(meta?.price_revision) + 1 }, { one: 1 })
  return null
}
