/** Gives an account a tariff of its own: a copy of the general one or of another account's, at so many percent. */
import type { AccountId } from '../../../domain/account.ts'
import { type Micros, NO_MONEY } from '../../../domain/money.ts'
import { scalePrice } from '../../../domain/price.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'

export interface TariffCopy {
  /** Null copies the general tariff in the currency of the account. */
  readonly from: AccountId | null
  readonly to: AccountId
  /** Millionths of a percent: 100,000,000 copies the prices as they are. */
  readonly percentMicros: Micros
  /** Without it, an account that has prices of its own is refused. */
  readonly replace: boolean
}

/**
 * Returns how many prices the account has then. Another account's own prices are copied, not the general ones that
 * stand behind them, for those stand behind the copy as well. Throws a ChangeRefused.
 */
export async function copyTariff(store: SetupStore, { from, to, percentMicros, replace }: TariffCopy): Promise<number> {
  const rows = await store.loadDirectory()
  const { currency } = accountRow(rows, to)
  if (percentMicros <= NO_MONEY) throw new ChangeRefused('the percentage must be more than nothing')
  if (from === to) throw new ChangeRefused('an account cannot copy its own tariff')
  if (from !== null && accountRow(rows, from).currency !== currency) {
    throw new ChangeRefused(`account ${from} pays in another currency than account ${to}, which pays in ${currency}`)
  }
  if (!replace && rows.prices.some(({ accountId }) => accountId === to)) {
    throw new ChangeRefused(`account ${to} has prices of its own: replace them with --replace yes (replace: true)`)
  }
  const prices = rows.prices
    .filter((price) => price.accountId === from && price.currency === currency)
    .map((price) => ({ ...price, accountId: to, priceMicros: scalePrice(price.priceMicros, percentMicros) }))
  if (prices.length === 0) throw new ChangeRefused('there are no prices to copy')
  await store.change({
    kind: 'all',
    revision: rows.revision,
    changes: [{ kind: 'set tariff', accountId: to, currency, prices }],
  })
  return prices.length
}
