/** Prices that accounts pay, tariffs as a whole, and costs: what carriers take. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/account.ts'
import type { Cost, CostKey } from '../../../domain/cost.ts'
import { readMoment, writeMoment } from '../../../domain/moment.ts'
import { toDecimal } from '../../../domain/money.ts'
import type { Price, PriceKey } from '../../../domain/price.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../account-row.ts'
import { copyTariff } from '../copy-tariff.ts'
import { checkCurrency } from '../currency.ts'
import { endpoint } from '../endpoint.ts'
import { importTariff } from '../import-tariff.ts'
import { setCost } from '../set-cost.ts'
import { setPrice } from '../set-price.ts'
import { StreamedJson, TextPieces } from '../streamed-json.ts'
import { takePage } from '../take-page.ts'
import { writeTariff } from '../tariff-file.ts'
import {
  ACCOUNT,
  BOOK_READERS,
  CARRIER,
  CHANNEL,
  FINANCE,
  MONEY,
  nullable,
  PAGING,
  pageOf,
  readAmount,
  whole,
} from './shapes.ts'

const CURRENCY = Type.String({ description: 'ISO 4217', examples: ['EUR'] })
const PREFIX = Type.Optional(
  Type.String({ description: 'digits that numbers begin with; every number when it is missing', examples: ['49'] }),
)
const OPERATOR = Type.Optional(
  Type.String({ description: 'MCC and MNC, such as 26202: for its numbers alone; goes before any prefix' }),
)
const CATEGORY = Type.Optional(
  Type.String({
    description:
      'what the carrier reports that it bills a message as, such as utility or marketing; goes before a cost of every ' +
      'category',
  }),
)
const MOMENT = Type.String({ description: 'a day such as 2027-01-01 (UTC), or RFC 3339' })
const OWN = Type.Optional(whole({ minimum: 1, description: 'for this account alone' }))

/** What tells a price from the others. */
const PRICE_KEY = {
  channel: CHANNEL,
  currency: CURRENCY,
  prefix: PREFIX,
  account: OWN,
  operator: OPERATOR,
  from: Type.Optional(Type.String({ description: 'the first day (or time) at which it is valid' })),
}

const PriceView = Type.Object({
  channel: CHANNEL,
  currency: CURRENCY,
  prefix: Type.String(),
  operator: nullable(Type.String()),
  from: nullable(MOMENT),
  until: nullable(MOMENT),
  account: nullable(ACCOUNT),
  price: MONEY,
})

const CostView = Type.Object({
  carrier: CARRIER,
  category: nullable(Type.String(), { description: 'null for every category' }),
  prefix: Type.String(),
  operator: nullable(Type.String()),
  price: MONEY,
  currency: nullable(CURRENCY, { description: 'null for that of the installation' }),
})

const TariffSize = Type.Object({ prices: whole({ description: 'how many the tariff has now' }) })

const MOST_BYTES = 64 * 1024 * 1024
const MOST_OWNERS = 100

export const PRICE_ENDPOINTS = [
  endpoint({
    name: 'listPrices',
    method: 'GET',
    path: '/prices',
    command: 'price list',
    summary: 'list the prices of one account or, without --account, the general ones',
    may: BOOK_READERS,
    query: { ...PAGING, account: OWN, channel: Type.Optional(CHANNEL), currency: Type.Optional(CURRENCY) },
    result: Type.Object({
      ...pageOf(PriceView).properties,
      accounts: Type.Array(ACCOUNT, {
        description: 'accounts with prices of their own, at most 100; only without account',
      }),
    }),
    hint: ({ accounts }) => {
      if (accounts.length === 0) return null
      return `Accounts with prices of their own: ${accounts.join(', ')}. Show them: posthorn price list --account ${accounts[0]}`
    },
    run: async ({ store }, { account = null, channel, currency, ...paging }) => {
      if (currency !== undefined) checkCurrency(currency)
      const { prices } = await store.loadDirectory()
      const found = prices.filter(
        (price) =>
          price.accountId === account &&
          (channel === undefined || price.channel === channel) &&
          (currency === undefined || price.currency === currency),
      )
      const owners = account === null ? [...new Set(prices.flatMap((price) => price.accountId ?? []))] : []
      const accounts = owners.sort((a, b) => a - b).slice(0, MOST_OWNERS)
      return { ...takePage(found, paging, viewPrice), accounts }
    },
  }),
  endpoint({
    name: 'setPrice',
    method: 'PUT',
    path: '/prices',
    command: 'price set',
    summary: 'set the price of one part, by channel and prefix; a channel without a price cannot be used',
    may: FINANCE,
    body: {
      ...PRICE_KEY,
      price: MONEY,
      until: Type.Optional(Type.String({ description: 'the first day (or time) at which it is valid no more' })),
      end_previous: Type.Optional(
        Type.Boolean({ description: 'the price that is valid when this one begins ends then' }),
      ),
    },
    result: PriceView,
    run: async ({ store }, { price: amount, until, end_previous: endPrevious = false, ...key }) => {
      const priceMicros = readAmount('price', amount)
      const price: Price = { ...readKey(key), until: momentIn('until', until), priceMicros }
      await setPrice(store, price, { endPrevious })
      return viewPrice(price)
    },
  }),
  endpoint({
    name: 'removePrice',
    method: 'DELETE',
    path: '/prices',
    command: 'price remove',
    summary: 'remove the price with exactly this channel, currency, prefix, account, operator and start',
    may: FINANCE,
    query: PRICE_KEY,
    run: async ({ store }, key) => {
      await store.change({ kind: 'remove price', price: readKey(key) })
      return undefined
    },
  }),
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
      merge: Type.Optional(Type.Boolean({ description: 'prices that the file does not name stay' })),
    },
    result: TariffSize,
    mostBytes: MOST_BYTES,
    run: async ({ store }, { currency, account, csv, merge = false }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      return { prices: await importTariff(store, { accountId, currency, csv, merge }) }
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
      from: Type.Optional(whole({ minimum: 1, description: 'the account whose prices; the general ones without' })),
      percent: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'of each price', default: 100 })),
      replace: Type.Optional(Type.Boolean({ description: 'the prices that the account has go' })),
    },
    result: TariffSize,
    run: async ({ store }, { account, from, percent = 100, replace = false }) => {
      const percentMicros = readAmount('percent', percent)
      const source = from === undefined ? null : toAccountId(from)
      return { prices: await copyTariff(store, { from: source, to: toAccountId(account), percentMicros, replace }) }
    },
  }),
  endpoint({
    name: 'listCosts',
    method: 'GET',
    path: '/costs',
    command: 'cost list',
    summary: 'list carrier costs',
    may: ['owner', 'operator', 'finance', 'auditor'],
    query: { ...PAGING, carrier: Type.Optional(CARRIER) },
    result: pageOf(CostView),
    run: async ({ store }, { carrier, ...paging }) => {
      const { costs } = await store.loadDirectory()
      const found = carrier === undefined ? costs : costs.filter(({ carrierId }) => carrierId === carrier)
      return takePage(found, paging, viewCost)
    },
  }),
  endpoint({
    name: 'setCost',
    method: 'PUT',
    path: '/costs',
    command: 'cost set',
    summary:
      'set the cost of one part at a carrier; among equal routes the cheapest carrier is tried first, and charges ' +
      'record their cost',
    may: ['owner', 'operator', 'finance'],
    body: {
      ...{ carrier: CARRIER, price: MONEY, category: CATEGORY, prefix: PREFIX, operator: OPERATOR },
      currency: Type.Optional(Type.String({ description: 'ISO 4217; that of the installation when it is missing' })),
    },
    result: CostView,
    run: async ({ store }, { price, currency = null, ...key }) => {
      const cost = { ...readCostKey(key), currency, priceMicros: readAmount('price', price) }
      await setCost(store, cost)
      return viewCost(cost)
    },
  }),
  endpoint({
    name: 'removeCost',
    method: 'DELETE',
    path: '/costs',
    command: 'cost remove',
    summary: 'remove the cost of a carrier with exactly this category, prefix and operator',
    may: ['owner', 'operator', 'finance'],
    query: { carrier: CARRIER, category: CATEGORY, prefix: PREFIX, operator: OPERATOR },
    run: async ({ store }, key) => {
      await store.change({ kind: 'remove cost', cost: readCostKey(key) })
      return undefined
    },
  }),
]

interface PriceKeyFields {
  readonly channel: Price['channel']
  readonly currency: string
  readonly prefix?: string
  readonly account?: number
  readonly operator?: string
  readonly from?: string
}

interface CostKeyFields {
  readonly carrier: string
  readonly category?: string
  readonly prefix?: string
  readonly operator?: string
}

function readKey({ channel, currency, prefix = '', account, operator, from }: PriceKeyFields): PriceKey {
  const accountId = account === undefined ? null : toAccountId(account)
  return { accountId, currency, channel, prefix, operator: operator ?? null, from: momentIn('from', from) }
}

function readCostKey({ carrier, category, prefix = '', operator }: CostKeyFields): CostKey {
  return { carrierId: carrier, category: category ?? null, prefix, operator: operator ?? null }
}

function momentIn(field: string, text: string | undefined): number | null {
  const at = text === undefined ? null : readMoment(text)
  if (text !== undefined && at === null) {
    throw new ChangeRefused(`${field} must be a day such as 2027-01-01, or a time as in RFC 3339`)
  }
  return at
}

function viewPrice({ accountId, currency, channel, prefix, operator, from, until, priceMicros }: Price) {
  return {
    ...{ channel, currency, prefix, operator },
    from: from === null ? null : writeMoment(from),
    until: until === null ? null : writeMoment(until),
    account: accountId,
    price: toDecimal(priceMicros),
  } satisfies Static<typeof PriceView>
}

function viewCost({ carrierId, category, prefix, operator, currency, priceMicros }: Cost): Static<typeof CostView> {
  return { carrier: carrierId, category, prefix, operator, price: toDecimal(priceMicros), currency }
}
