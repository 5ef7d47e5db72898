/** Copies the general tariff, or another account's, to an account, at a percentage. */
import type { AccountId } from '../../../domain/account.ts'
import { type Micros, NO_MONEY } from '../../../domain/money.ts'
import { scalePrice } from '../../../domain/price.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'
import { FieldRefused } from '../field-refused.ts'

export interface TariffCopy {
  /** Null copies the general tariff in the account's currency. */
  readonly from: AccountId | null
  readonly to: AccountId
  /** Millionths of a percent: 100,000,000 copies prices unchanged. */
  readonly percentMicros: Micros
  /** Without it, an account with prices of its own is refused. */
  readonly replace: boolean
}

/**
 * Returns how many prices the account has afterwards. Copies only the other account's own prices, because general
 * prices apply to both accounts anyway. Throws ChangeRefused.
 */
export async function copyTariff(store: SetupStore, { from, to, percentMicros, replace }: TariffCopy): Promise<number> {
  const rows = await store.loadDirectory()
  const { currency } = accountRow(rows, to)
  if (percentMicros <= NO_MONEY)
    throw new FieldRefused('percent', 'must be greater than 0; 100 copies the prices unchanged')
  if (from === to) throw new FieldRefused('from', 'must be another account')
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
