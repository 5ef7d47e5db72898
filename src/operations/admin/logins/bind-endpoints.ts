/** The connections of logins by SMPP. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, listOf, nullable, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'

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
    result: listOf(BindView),
    run: async (tools, { account }) => {
      const accountId = toAccountId(account)
      accountRow(await tools.store.loadDirectory(), accountId)
      const binds = runningGateway(tools, 'has connections of logins').binds()
      return {
        data: binds
          .filter((bind) => bind.accountId === accountId)
          .map(({ login, mode, address, boundAt, submitted, unanswered, delivered }) => ({
            ...{ login, mode, address, bound_at: writeTime(boundAt), submitted, unanswered, delivered },
          })),
      }
    },
  }),
]
