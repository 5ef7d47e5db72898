/** The connections of logins by SMPP. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const BindView = Type.Object({
  login: Type.String(),
  mode: Type.Enum(['transmitter', 'receiver', 'transceiver']),
  address: nullable(Type.String({ description: 'from which it is connected' })),
  bound_at: TIME,
  submitted: whole({ description: 'requests of the client since then' }),
  unanswered: whole({ description: 'requests of the client that are being stored' }),
  delivered: whole({ description: 'receipts and inbound messages that it has answered' }),
})

export const BIND_ENDPOINTS = [
  endpoint({
    name: 'listBinds',
    method: 'GET',
    path: '/accounts/{account}/binds',
    command: 'login binds',
    summary: 'list the connections of the logins of an account to the SMPP server of the gateway that answers',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(BindView),
    run: async (tools, { account, ...paging }) => {
      const accountId = toAccountId(account)
      accountRow(await tools.store.loadDirectory(), accountId)
      const binds = runningGateway(tools, 'has connections of logins').binds()
      const own = binds.filter((bind) => bind.accountId === accountId)
      return takePage(own, paging, ({ boundAt, accountId: _, ...bind }) => ({ ...bind, bound_at: writeTime(boundAt) }))
    },
  }),
]
