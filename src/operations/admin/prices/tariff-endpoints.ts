/** Tariffs: all prices of an account, of a price group, or all general ones, in one currency. */
import Type from 'typebox'
import { isOwnedBy } from '../../../domain/money/price.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { checkCurrency } from '../fields/currency.ts'
import { BOOK_READERS, CHANNEL, CURRENCY } from '../fields/shapes.ts'
import { StreamedJson, TextPieces } from '../fields/streamed-json.ts'
import { filterRates, RATE_FILTERS } from '../rates/filter-rates.ts'
import { COPY_TARIFF, COPY_TO_GROUP } from './copy-tariff.ts'
import { IMPORT_TARIFF, OWN } from './import-tariff.ts'
import { checkOwner, GROUP_ID, priceOwnerOf } from './price.ts'
import { writeTariff } from './tariff-file.ts'

export const TARIFF_ENDPOINTS = [
  endpoint({
    name: 'exportTariff',
    method: 'GET',
    path: '/tariff',
    command: 'tariff export',
    summary: 'export the prices of an account, of a price group, or the general ones, in one currency as CSV',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { group: null } },
    query: {
      currency: CURRENCY,
      account: OWN,
      group: Type.Optional(GROUP_ID),
      channel: Type.Optional(CHANNEL),
      ...RATE_FILTERS,
    },
    result: Type.Object({ csv: Type.String() }),
    run: async ({ store, clock }, { currency, account, group, channel, ...filters }) => {
      checkCurrency(currency)
      const rows = await store.loadDirectory()
      const owner = priceOwnerOf(account, group)
      checkOwner(rows, owner)
      const prices = rows.prices.filter(
        (each) =>
          isOwnedBy(each, owner) && each.currency === currency && (channel === undefined || each.channel === channel),
      )
      const found = await filterRates(prices, filters, { operators: rows.operators, now: clock.now() })
      return new StreamedJson({ csv: new TextPieces(writeTariff(found)) })
    },
  }),
  IMPORT_TARIFF,
  COPY_TARIFF,
  COPY_TO_GROUP,
]
