/** Tariffs: all prices of an account, or all general ones, in one currency. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import { accountRow } from '../accounts/account-row.ts'
import { checkCurrency } from '../currency.ts'
import { endpoint } from '../endpoint.ts'
import { ACCOUNT, BOOK_READERS, CURRENCY, FINANCE, readAmount, whole } from '../shapes.ts'
import { StreamedJson, TextPieces } from '../streamed-json.ts'
import { copyTariff } from './copy-tariff.ts'
import { importTariff } from './import-tariff.ts'
import { writeTariff } from './tariff-file.ts'

const OWN = Type.Optional(whole({ minimum: 1, description: 'only for this account' }))

const TariffSize = Type.Object({ prices: whole({ description: 'number of prices in the tariff' }) })

const MAX_BYTES = 64 * 1024 * 1024

export const TARIFF_ENDPOINTS = [
  endpoint({
    name: 'exportTariff',
    method: 'GET',
    path: '/tariff',
    command: 'tariff export',
    summary: 'export the prices of an account, or the general ones, in one currency as CSV',
    may: BOOK_READERS,
    query: { currency: CURRENCY, account: OWN },
    result: Type.Object({ csv: Type.String() }),
    run: async ({ store }, { currency, account = null }) => {
      checkCurrency(currency)
      const rows = await store.loadDirectory()
      if (account !== null) accountRow(rows, toAccountId(account))
      const prices = rows.prices.filter((each) => each.accountId === account && each.currency === currency)
      return new StreamedJson({ csv: new TextPieces(writeTariff(prices)) })
    },
  }),
  endpoint({
    name: 'importTariff',
    method: 'PUT',
    path: '/tariff',
    summary: 'replace the prices of an account, or the general ones, by a file, or merge it with them',
    may: FINANCE,
    body: {
      currency: CURRENCY,
      account: OWN,
      csv: Type.String({ description: 'channel,prefix,operator,from,until,price; the first line names the columns' }),
      merge: Type.Optional(Type.Boolean({ description: 'keep prices that the file does not name' })),
    },
    result: TariffSize,
    maxBytes: MAX_BYTES,
    run: async ({ store, clock }, { currency, account, csv, merge = false }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      return { prices: await importTariff(store, { accountId, currency, csv, merge, now: clock.now() }) }
    },
  }),
  endpoint({
    name: 'copyTariff',
    method: 'POST',
    path: '/accounts/{account}/tariff-copies',
    command: 'tariff copy',
    summary: 'copy the general price list, or that of another account, to an account, scaled by percent',
    may: FINANCE,
    params: { account: ACCOUNT },
    body: {
      from: Type.Optional(whole({ minimum: 1, description: 'source account; the general prices by default' })),
      percent: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, description: 'percentage of each price', default: 100 }),
      ),
      replace: Type.Optional(Type.Boolean({ description: 'replace the prices of the account' })),
    },
    result: TariffSize,
    run: async ({ store }, { account, from, percent = 100, replace = false }) => {
      const percentMicros = readAmount('percent', percent)
      const source = from === undefined ? null : toAccountId(from)
      return { prices: await copyTariff(store, { from: source, to: toAccountId(account), percentMicros, replace }) }
    },
  }),
]
