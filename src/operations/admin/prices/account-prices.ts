/** The prices that an account pays: its own, and the general ones that its own do not replace. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { Price } from '../../../domain/money/price.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { accountRow } from '../fields/account-row.ts'
import { viewOf, viewSchemas } from '../fields/fields.ts'
import { ACCOUNT, BOOK_READERS, CHANNEL, PAGING, pageOf } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { PRICE } from './price.ts'

export const ACCOUNT_PRICE_ENDPOINTS = [
  endpoint({
    name: 'listAccountPrices',
    method: 'GET',
    path: '/accounts/{account}/prices',
    command: 'account prices',
    summary: 'list the prices that an account pays: its own, which come first, and the general ones in its currency',
    may: BOOK_READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: { ...PAGING, channel: Type.Optional(CHANNEL) },
    result: pageOf(Type.Object(viewSchemas(PRICE.fields))),
    run: async ({ store }, { account, channel, ...paging }) => {
      const { prices, ...rows } = await store.loadDirectory()
      const { id, currency } = accountRow(rows, toAccountId(account))
      const paid = prices.filter((price) => {
        return price.currency === currency && (channel === undefined || price.channel === channel)
      })
      const [own, general] = [id, null].map((whose) => paid.filter(({ accountId }) => accountId === whose))
      const shown = [...(own ?? []), ...withoutReplaced(general ?? [], own ?? [])]
      return takePage(shown, paging, (price) => viewOf(PRICE.fields, price))
    },
  }),
]

/** Own prices win over general ones, whose prefix may be longer; those for one operator or for a time replace none. */
function withoutReplaced(general: readonly Price[], own: readonly Price[]): readonly Price[] {
  const always = own.filter(({ operator, from, until }) => operator === null && from === null && until === null)
  const replaced = new Set(always.map(({ channel, prefix }) => `${channel} ${prefix}`))
  return general.filter(({ channel, prefix }) => {
    const leading = Array.from({ length: prefix.length + 1 }, (_, length) => prefix.slice(0, length))
    return !leading.some((each) => replaced.has(`${channel} ${each}`))
  })
}
