/** Prices: what accounts pay for one part of a message. */
import Type from 'typebox'
import {
  describeGap,
  describePrice,
  findPriceOverlap,
  overlaps,
  type Price,
  refuseOverlap,
} from '../../../domain/money/price.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import { itemRemoved, itemSet } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { resource, setUpOf } from '../endpoint/resource.ts'
import { removeEndpoint } from '../endpoint/resource-endpoints.ts'
import { accountRow } from '../fields/account-row.ts'
import { checkCurrency } from '../fields/currency.ts'
import { FieldRefused } from '../fields/field-refused.ts'
import {
  ACCOUNT_ID,
  AMOUNT,
  field,
  inputSchemas,
  MOMENT,
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
  pageOf,
  RATED_OPERATOR,
  whole,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const MAX_OWNERS = 100

export const PRICE = resource<Price>({
  section: 'prices',
  key: ['accountId', 'currency', 'channel', 'prefix', 'operator', 'from'],
  order: ['channel', 'currency', 'prefix', 'operator', 'accountId', 'from'],
  explicit: ['prefix'],
  fields: {
    channel: CHANNEL,
    currency: CURRENCY,
    prefix: PREFIX,
    operator: RATED_OPERATOR,
    from: field('from', momentField('first day or time (RFC 3339) of validity'), MOMENT),
    until: field('until', momentField('end of validity: the first day or time at which it is no longer valid'), MOMENT),
    accountId: field(
      'account',
      nullable(whole({ minimum: 1 }), { default: null, description: 'only for this account' }),
      ACCOUNT_ID,
    ),
    priceMicros: field('price', { ...MONEY, examples: [0.05] }, AMOUNT),
  },
  items: ({ prices }) => prices,
  check: (price, { rows }) => {
    checkRate(price)
    checkCurrency(price.currency)
    checkRateAmount('a price', price.priceMicros)
    if (price.accountId === null) return price
    const { currency } = accountRow(rows, price.accountId)
    if (currency === price.currency) return price
    throw new ChangeRefused(
      `account ${price.accountId} pays in ${currency}, so the price must be in it too, not in ${price.currency}`,
    )
  },
  checkTogether: (prices) => {
    const overlap = findPriceOverlap(prices)
    if (overlap !== null) throw new ChangeRefused(refuseOverlap(...overlap))
  },
  describe: (price) =>
    `price of ${describePrice(price)}${price.from === null ? '' : ` from ${MOMENT.view(price.from as never)}`}`,
  set: (price) => ({ kind: 'set price', price }),
  remove: (price) => ({ kind: 'remove price', price }),
})

export const PRICES: ChangeRule = { what: 'prices', may: FINANCE, proof: true }

export const PRICE_CHANGES = {
  'set price': { ...PRICES, audit: ({ price }, rows) => itemSet(PRICE, price, rows) },
  'remove price': { ...PRICES, audit: ({ price }, rows) => itemRemoved(PRICE, price, rows) },
} satisfies Changes

export const PRICE_ENDPOINTS = [
  endpoint({
    name: 'listPrices',
    method: 'GET',
    path: '/prices',
    command: 'price list',
    summary: 'list the prices of one account or, without --account, the general ones',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: {
      ...PAGING,
      account: Type.Optional(whole({ minimum: 1, description: 'only for this account' })),
      channel: Type.Optional(CHANNEL),
      currency: Type.Optional(CURRENCY),
    },
    result: Type.Object({
      ...pageOf(Type.Object(viewSchemas(PRICE.fields))).properties,
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
      const accounts = owners.sort((a, b) => a - b).slice(0, MAX_OWNERS)
      return { ...takePage(found, paging, (price) => viewOf(PRICE.fields, price)), accounts }
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
      end_previous: Type.Optional(Type.Boolean({ description: 'end the price that is valid when this one begins' })),
    },
    result: Type.Object({
      ...viewSchemas(PRICE.fields),
      warning: Type.Optional(
        Type.String({ description: 'from when there is no price, if another one does not follow' }),
      ),
    }),
    run: async ({ store, clock }, { end_previous: endPrevious = false, ...shown }) => {
      const price = readPublicFields(PRICE.fields, withDefaults(PRICE.fields, shown)) as Price
      if (isPast(price, clock.now())) {
        throw new FieldRefused('until', 'must be later than now; to remove a price: posthorn price remove')
      }
      const gap = await setPrice(store, price, { endPrevious })
      return { ...viewOf(PRICE.fields, price), ...(gap === null ? {} : { warning: gap }) }
    },
  }),
  removeEndpoint(PRICE, {
    name: 'removePrice',
    path: '/prices',
    command: 'price remove',
    summary: 'remove the price with exactly this channel, currency, prefix, account, operator and start',
    may: FINANCE,
  }),
]

interface SetPriceOptions {
  /** Ends the price valid at the start of this one. Otherwise an overlapping price is refused. */
  readonly endPrevious?: boolean
}

/** Replaces the price with the same key and start. Returns when there is no price afterwards. Throws ChangeRefused. */
export async function setPrice(
  store: SetupStore,
  price: Price,
  { endPrevious = false }: SetPriceOptions = {},
): Promise<string | null> {
  const rows = await store.loadDirectory()
  PRICE.check(
    price,
    setUpOf(rows, () => {}),
  )
  const previous = endPrevious ? findPrevious(rows.prices, price) : undefined
  if (previous === undefined) {
    await store.change(PRICE.set(price))
  } else {
    const changes = [{ ...previous, until: price.from }, price].map(PRICE.set)
    await store.change({ kind: 'all', revision: rows.revision, changes })
  }
  return describeGap(
    rows.prices.filter((each) => each !== previous),
    price,
  )
}

/** Whether the price is no longer valid: it would leave its numbers without a price. */
export function isPast({ until }: Price, now: number): boolean {
  return until !== null && until <= now
}

function findPrevious(prices: readonly Price[], price: Price): Price | undefined {
  if (price.from === null) throw new ChangeRefused('end_previous requires from')
  const { from } = price
  const name = describePrice(price)
  return prices.find((each) => {
    const begins = each.from ?? Number.NEGATIVE_INFINITY
    return begins < from && overlaps(each, price) && describePrice(each) === name
  })
}

function momentField(description: string) {
  return nullable(Type.String(), { default: null, description })
}
