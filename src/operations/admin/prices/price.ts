/** Prices: what accounts pay for one part of a message. */
import Type from 'typebox'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import {
  describeGap,
  GroupMemberships,
  PRICE_KIND,
  type Price,
  type PriceGroup,
  type PriceOwner,
} from '../../../domain/money/price.ts'
import { findOverlap, refuseOverlap } from '../../../domain/money/rate.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { inputFields, resource } from '../endpoint/resource.ts'
import { removeEndpoint } from '../endpoint/resource-endpoints.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { checkField } from '../fields/field-refused.ts'
import {
  ACCOUNT_ID,
  AMOUNT,
  field,
  inputSchemas,
  readPublicFields,
  viewOf,
  viewSchemas,
  withDefaults,
} from '../fields/fields.ts'
import { checkRate, checkRateAmount } from '../fields/label.ts'
import {
  ACCOUNT,
  BOOK_READERS,
  CHANNEL,
  CURRENCY,
  FINANCE,
  MONEY,
  nullable,
  PAGING,
  PREFIX,
  RATED_OPERATOR,
  whole,
} from '../fields/shapes.ts'
import { RATE_FILTERS, ratePageOf, takeRates } from '../rates/filter-rates.ts'
import { priceSubject } from '../rates/rate-subjects.ts'
import {
  checkNotEnded,
  describeStart,
  endPreviousField,
  type SetRateOptions,
  setRate,
  VALIDITY,
} from '../rates/set-rate.ts'

const MAX_OWNERS = 100

export const GROUP_ID = Type.String({ maxLength: 40, description: 'id of the price group', examples: ['retail'] })

export const PRICE = resource<Price>({
  section: 'prices',
  key: ['accountId', 'group', 'currency', 'channel', 'prefix', 'operator', 'from'],
  order: ['channel', 'currency', 'prefix', 'operator', 'accountId', 'group', 'from'],
  explicit: ['prefix'],
  fields: {
    channel: CHANNEL,
    currency: CURRENCY,
    prefix: PREFIX,
    operator: RATED_OPERATOR,
    ...VALIDITY,
    accountId: field(
      'account',
      nullable(whole({ minimum: 1 }), { default: null, description: 'only for this account' }),
      ACCOUNT_ID,
    ),
    group: nullable(GROUP_ID, { default: null, description: 'only for accounts of this price group' }),
    priceMicros: field('price', { ...MONEY, examples: [0.05] }, AMOUNT),
  },
  items: ({ prices }) => prices,
  check: (price, { rows, priceGroups }) => {
    checkRate(price)
    checkCurrency(price.currency)
    checkRateAmount('a price', price.priceMicros)
    const { accountId, group } = price
    checkField('group', accountId === null || group === null, 'must not be given together with an account')
    if (group !== null) checkGroup(priceGroups, group)
    if (accountId === null) return price
    const { currency } = accountRow(rows, accountId)
    if (currency === price.currency) return price
    throw new ChangeRefused(
      `account ${accountId} pays in ${currency}, so the price must be in it too, not in ${price.currency}`,
    )
  },
  checkTogether: (prices) => {
    const overlap = findOverlap(PRICE_KIND, prices)
    if (overlap !== null) throw new ChangeRefused(refuseOverlap(PRICE_KIND, overlap))
  },
  describe: (price) => `${priceSubject(price)}${describeStart(price)}`,
  subject: priceSubject,
  set: (price) => ({ kind: 'set price', price }),
  remove: (price) => ({ kind: 'remove price', price }),
})

/** Throws UnknownThing if the group does not exist. */
export function checkGroup(groups: readonly PriceGroup[], wanted: string): void {
  if (!groups.some(({ id }) => id === wanted)) throw new UnknownThing(`there is no price group ${wanted}`)
}

/** Returns whose prices a request means: without both, the general ones. */
export function priceOwnerOf(account: number | undefined, group: string | null = null): PriceOwner {
  return { accountId: account === undefined ? null : toAccountId(account), group }
}

/** Throws ChangeRefused if there is no such owner. */
export function checkOwner(rows: Pick<DirectoryRows, 'accounts' | 'priceGroups'>, owner: PriceOwner): void {
  const { accountId, group } = owner
  checkField('group', accountId === null || group === null, 'must not be given together with an account')
  if (group !== null) checkGroup(rows.priceGroups, group)
  if (accountId !== null) accountRow(rows, accountId)
}

export const PRICES: ChangeRule = { what: 'prices', may: FINANCE, proof: true }

export const PRICE_CHANGES = {
  'set price': { ...PRICES, audit: ({ price }, rows) => itemSet(PRICE, price, rows) },
  'remove price': { ...PRICES, audit: ({ price }, rows) => itemRemoved(PRICE, price, rows) },
} satisfies Changes

const Prices = ratePageOf(Type.Object(viewSchemas(PRICE.fields)))

/** Users of an account do not learn of groups. */
export const PricesForClients = ratePageOf(Type.Object(viewSchemas(inputFields(PRICE, 'group'))))

export const PRICE_ENDPOINTS = [
  endpoint({
    name: 'listPrices',
    method: 'GET',
    path: '/prices',
    command: 'price list',
    summary: 'list the prices of one account, of a price group or, without either, the general ones',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account', fixed: { group: null }, result: PricesForClients },
    query: {
      ...PAGING,
      account: Type.Optional(whole({ minimum: 1, description: 'only for this account' })),
      group: Type.Optional(GROUP_ID),
      channel: Type.Optional(CHANNEL),
      currency: Type.Optional(CURRENCY),
      ...RATE_FILTERS,
    },
    result: Type.Object({
      ...Prices.properties,
      currencies: Type.Array(CURRENCY, { description: 'currencies of all prices of the owner' }),
      accounts: Type.Array(ACCOUNT, {
        description: 'accounts with prices of their own, at most 100; only without account and group',
      }),
    }),
    hint: ({ accounts }) => {
      if (accounts.length === 0) return null
      return `Accounts with prices of their own: ${accounts.join(', ')}. Show them: posthorn price list --account ${accounts[0]}`
    },
    run: async ({ store, clock }, { account = null, group = null, channel, currency, ...input }) => {
      if (currency !== undefined) checkCurrency(currency)
      const { prices, priceGroups, operators } = await store.loadDirectory()
      if (group !== null) checkGroup(priceGroups, group)
      const owned = prices.filter((price) => price.accountId === account && price.group === group)
      const currencies = [...new Set(owned.map((price) => price.currency))].sort()
      const named = owned.filter(
        (price) =>
          (channel === undefined || price.channel === channel) &&
          (currency === undefined || price.currency === currency),
      )
      const owners =
        account === null && group === null ? [...new Set(prices.flatMap((price) => price.accountId ?? []))] : []
      const accounts = owners.sort((a, b) => a - b).slice(0, MAX_OWNERS)
      const facts = { operators, now: clock.now() }
      const page = await takeRates(named, input, facts, (price) => viewOf(PRICE.fields, price))
      return { ...page, currencies, accounts }
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
      ...inputSchemas(PRICE.fields),
      end_previous: endPreviousField('price'),
    },
    result: Type.Object({
      ...viewSchemas(PRICE.fields),
      warning: Type.Optional(
        Type.String({ description: 'from when there is no price, if another one does not follow' }),
      ),
    }),
    run: async ({ store, clock }, { end_previous: endPrevious = false, ...shown }) => {
      const price = readPublicFields(PRICE.fields, withDefaults(PRICE.fields, shown)) as Price
      checkNotEnded('price', price, clock.now())
      const gap = await setPrice(store, price, { endPrevious })
      return { ...viewOf(PRICE.fields, price), ...(gap === null ? {} : { warning: gap }) }
    },
  }),
  removeEndpoint(PRICE, {
    name: 'removePrice',
    path: '/prices',
    command: 'price remove',
    summary: 'remove the price with exactly this channel, currency, prefix, account or group, operator and start',
    may: FINANCE,
  }),
]

/** Replaces the price with the same key and start. Returns when there is no price afterwards. Throws ChangeRefused. */
export async function setPrice(store: SetupStore, price: Price, options: SetRateOptions = {}): Promise<string | null> {
  const others = await setRate({ resource: PRICE, kind: PRICE_KIND }, store, price, options)
  const { accountId, until } = price
  if (accountId === null || until === null) return describeGap(others, price, null)
  const { groupMemberships } = await store.loadDirectory()
  return describeGap(others, price, new GroupMemberships(groupMemberships).groupOf(accountId, until))
}
