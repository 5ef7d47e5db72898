/** Tariffs: all prices of an account, or all general ones, in one currency. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { toDecimal } from '../../../domain/money/money.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { ACCOUNT, BOOK_READERS, CHANNEL, CURRENCY, FINANCE, nullable, readAmount, whole } from '../fields/shapes.ts'
import { StreamedJson, TextPieces } from '../fields/streamed-json.ts'
import { type CopiedPrice, copyTariff } from './copy-tariff.ts'
import { importTariff } from './import-tariff.ts'
import { PRICES } from './price.ts'
import { writeTariff } from './tariff-file.ts'

const OWN = Type.Optional(whole({ minimum: 1, description: 'only for this account' }))

const SIZE = whole({ description: 'number of prices in the tariff' })
const DRY_RUN = Type.Optional(Type.Boolean({ description: 'change nothing, only show what would change' }))
/** Rows of a copied tariff that are shown. */
const MAX_SHOWN = 10
const CopiedRow = {
  channel: CHANNEL,
  prefix: Type.String(),
  operator: nullable(Type.String()),
  old_price: Type.Number({ description: 'the price copied' }),
  new_price: Type.Number({ description: 'the price of the account' }),
}

const MAX_BYTES = 64 * 1024 * 1024

export const TARIFF_CHANGES = {
  'set tariff': {
    ...PRICES,
    audit: ({ accountId, currency, prices }, rows) => {
      const before = rows.prices.filter((each) => each.accountId === accountId && each.currency === currency)
      const whose = accountId === null ? 'general tariff' : `tariff of account ${accountId}`
      return entry(`${whose} in ${currency}`, { prices: before.length }, { prices: prices.length })
    },
  },
} satisfies Changes

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
  endpoint({
    name: 'importTariff',
    method: 'PUT',
    path: '/tariff',
    ownCommand: 'tariff import',
    summary: 'replace the prices of an account, or the general ones, by a file, or merge it with them',
    may: FINANCE,
    body: {
      currency: CURRENCY,
      account: OWN,
      csv: Type.String({ description: 'channel,prefix,operator,from,until,price; the first line names the columns' }),
      merge: Type.Optional(Type.Boolean({ description: 'keep prices that the file does not name' })),
      dry_run: DRY_RUN,
      confirm: Type.Optional(
        Type.Boolean({ description: 'accept a file without prices, or one that removes more than half of the prices' }),
      ),
    },
    result: Type.Object({
      applied: Type.Boolean(),
      prices: SIZE,
      added: whole(),
      changed: whole(),
      removed: whole(),
      difference: Type.Array(Type.String(), { description: 'the first 20 removed, added and changed prices' }),
    }),
    maxBytes: MAX_BYTES,
    run: async ({ store, clock }, { account, merge = false, dry_run: dryRun = false, ...input }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      const { lines, ...counts } = await importTariff(store, { ...input, accountId, merge, dryRun, now: clock.now() })
      return { applied: !dryRun, ...counts, difference: [...lines] }
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
        Type.Number({
          exclusiveMinimum: 0,
          description: 'percentage of each price: 110 means 10 % more',
          default: 100,
        }),
      ),
      replace: Type.Optional(Type.Boolean({ description: 'replace the prices of the account' })),
      dry_run: DRY_RUN,
      confirm: Type.Optional(Type.Boolean({ description: 'accept a percentage below 10 or above 1000' })),
    },
    result: Type.Object({
      applied: Type.Boolean(),
      prices: SIZE,
      first: Type.Array(Type.Object(CopiedRow), { description: 'the first 10 prices' }),
    }),
    run: async (
      { store },
      { account, from, percent = 100, dry_run: dryRun = false, replace = false, confirm = false },
    ) => {
      const percentMicros = readAmount('percent', percent)
      const source = from === undefined ? null : toAccountId(from)
      const copied = await copyTariff(store, {
        ...{ from: source, to: toAccountId(account) },
        ...{ percentMicros, replace, dryRun, confirm },
      })
      return { applied: !dryRun, prices: copied.length, first: copied.slice(0, MAX_SHOWN).map(viewCopied) }
    },
  }),
]

function viewCopied({ price, copy }: CopiedPrice) {
  const { channel, prefix, operator, priceMicros } = price
  return {
    ...{ channel, prefix, operator },
    old_price: toDecimal(priceMicros),
    new_price: toDecimal(copy.priceMicros),
  }
}
