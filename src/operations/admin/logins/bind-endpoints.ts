/** The connections of logins by SMPP. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { BindFacts } from '../../../ports/records/cluster.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const BindView = Type.Object({
  login: Type.String(),
  node: nullable(whole({ description: 'to which it is connected; null with SQLite' })),
  mode: Type.Enum(['transmitter', 'receiver', 'transceiver']),
  system_type: Type.String({ description: 'as the client named it' }),
  address: nullable(Type.String({ description: 'from which it is connected' })),
  bound_at: TIME,
  submitted: whole({ description: 'requests of the client since then; of another node, a few seconds ago' }),
  unanswered: whole({ description: 'requests of the client that are being stored' }),
  delivered: whole({ description: 'receipts and inbound messages that it has answered' }),
})

export const BIND_ENDPOINTS = [
  endpoint({
    name: 'listBinds',
    needsGateway: true,
    method: 'GET',
    path: '/accounts/{account}/binds',
    command: 'login binds',
    summary: 'list the SMPP connections of the logins of an account, to all gateways',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(BindView),
    run: async (tools, { account, ...paging }) => {
      const accountId = toAccountId(account)
      const rows = await tools.store.loadDirectory()
      accountRow(rows, accountId)
      const logins = rows.logins.flatMap((login) => (login.accountId === accountId ? [login.name] : []))
      return takePage(await bindsOf(tools, accountId, logins), paging, ({ login, node, facts }) => {
        const { boundAt, systemType, ...shown } = facts
        return { login, node, ...shown, system_type: systemType, bound_at: writeTime(boundAt) }
      })
    },
  }),
]

interface ListedBind {
  readonly login: string
  readonly node: number | null
  readonly facts: BindFacts
}

/** Those of this node as they are now, and those of the others as they were written. */
async function bindsOf(
  tools: AdminTools,
  accountId: AccountId,
  logins: readonly string[],
): Promise<readonly ListedBind[]> {
  const { cluster } = tools.store
  const own = cluster === null ? runningGateway(tools, 'has connections of logins') : tools.live
  const node = cluster?.node ?? null
  const here = (own?.binds() ?? []).flatMap(({ login, accountId: of, ...facts }) =>
    of === accountId ? [{ login, node, facts }] : [],
  )
  const elsewhere = (await cluster?.places(logins)) ?? []
  return [...here, ...elsewhere.filter((place) => place.node !== node)]
}
