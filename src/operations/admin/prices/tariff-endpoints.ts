/** Tariffs: all prices of an account, or all general ones, in one currency. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { BOOK_READERS, CURRENCY } from '../fields/shapes.ts'
import { StreamedJson, TextPieces } from '../fields/streamed-json.ts'
import { COPY_TARIFF } from './copy-tariff.ts'
import { IMPORT_TARIFF, OWN } from './import-tariff.ts'
import { writeTariff } from './tariff-file.ts'

export const TARIFF_ENDPOINTS = [
  endpoint({
    name: 'exportTariff',
    method: 'GET',
    path: '/tariff',
    command: 'tariff export',
    summary: 'export the prices of an account, or the general ones, in one currency as CSV',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account' },
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
  IMPORT_TARIFF,
  COPY_TARIFF,
]
