/** Clicks on short links, summed up by the address behind them. */
import Type, { type Static } from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { daysIn, daysQuery } from '../messages/read-totals.ts'
import { type ClickedAddress, readClicks } from './read-clicks.ts'

const Line = Type.Object({
  account: ACCOUNT,
  address: nullable(Type.String(), {
    description: 'without query, fragment and ids in the path; null for all further addresses of the account',
  }),
  clicks: whole({ description: 'by humans' }),
  robot_clicks: whole({ description: 'by robots and link previews' }),
  links: whole({ description: 'short links that a human clicked; a message has one for each address' }),
  first_click: TIME,
  last_click: TIME,
})

export const LINK_ENDPOINTS = [
  endpoint({
    name: 'listClicks',
    method: 'GET',
    path: '/clicks',
    command: 'clicks',
    summary:
      'list the addresses behind short links by their clicks, most clicked first; of the last 30 days by default',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: {
      ...daysQuery(),
      account: Type.Optional(ACCOUNT),
      bulk: Type.Optional(whole({ minimum: 1, description: 'only messages of this bulk' })),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'a part of the address, in any case' })),
      ...PAGING,
    },
    result: pageOf(Line),
    run: async ({ store, clock }, { account, bulk, search = '', from, through, ...paging }) => {
      const found = await readClicks(store, {
        ...daysIn({ from, through }, clock.now()),
        accountId: account === undefined ? null : toAccountId(account),
        bulkId: bulk === undefined ? null : (bulk as BulkId),
      })
      const part = search.toLowerCase()
      const matching = part === '' ? found : found.filter(({ address }) => address.toLowerCase().includes(part))
      return takePage(matching, paging, viewAddress)
    },
  }),
]

function viewAddress({
  accountId,
  address,
  humans,
  robots,
  links,
  firstAt,
  lastAt,
}: ClickedAddress): Static<typeof Line> {
  return {
    account: accountId,
    address: address === '' ? null : address,
    clicks: humans,
    robot_clicks: robots,
    links,
    first_click: writeTime(firstAt),
    last_click: writeTime(lastAt),
  }
}
