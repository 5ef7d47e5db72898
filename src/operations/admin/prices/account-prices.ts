/** The prices that an account pays: its own, those of its group, and the general ones, unless others replace them. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { GroupMemberships, isOwnedBy, ownersOf, type Price } from '../../../domain/money/price.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { viewOf, viewSchemas } from '../fields/fields.ts'
import { ACCOUNT, BOOK_READERS, CHANNEL, PAGING } from '../fields/shapes.ts'
import { RATE_FILTERS, ratePageOf, takeRates } from '../rates/filter-rates.ts'
import { PRICE, PricesForClients } from './price.ts'

export const ACCOUNT_PRICE_ENDPOINTS = [
  endpoint({
    name: 'listAccountPrices',
    method: 'GET',
    path: '/accounts/{account}/prices',
    command: 'account prices',
    summary:
      'list the prices that an account pays in its currency: its own come first, then those of its price group, then ' +
      'the general ones',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account', result: PricesForClients },
    params: { account: ACCOUNT },
    query: { ...PAGING, channel: Type.Optional(CHANNEL), ...RATE_FILTERS },
    result: ratePageOf(Type.Object(viewSchemas(PRICE.fields))),
    run: async ({ store, clock }, { account, channel, ...input }) => {
      const { prices, ...rows } = await store.loadDirectory()
      const { id, currency } = accountRow(rows, toAccountId(account))
      const paid = prices.filter((price) => {
        return price.currency === currency && (channel === undefined || price.channel === channel)
      })
      const group = new GroupMemberships(rows.groupMemberships).groupOf(id, clock.now())
      const shown: Price[] = []
      for (const owner of ownersOf(id, group)) {
        for (const price of withoutReplaced(
          paid.filter((each) => isOwnedBy(each, owner)),
          shown,
        ))
          shown.push(price)
      }
      const facts = { operators: rows.operators, now: clock.now() }
      return await takeRates(shown, input, facts, (price) => viewOf(PRICE.fields, price))
    },
  }),
]

/** Earlier prices win, though later ones may have longer prefixes. Those for an operator or for a time replace none. */
function withoutReplaced(later: readonly Price[], earlier: readonly Price[]): readonly Price[] {
  const always = earlier.filter(({ operator, from, until }) => operator === null && from === null && until === null)
  const replaced = new Set(always.map(({ channel, prefix }) => `${channel} ${prefix}`))
  return later.filter(({ channel, prefix }) => {
    const leading = Array.from({ length: prefix.length + 1 }, (_, length) => prefix.slice(0, length))
    return !leading.some((each) => replaced.has(`${channel} ${each}`))
  })
}
