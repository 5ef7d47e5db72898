/** Hooks that clients manage, for operators. */
import Type from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { AccountHooks } from '../../../domain/reports/client-hook.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { HookStore } from '../../../ports/stores/hook-store.ts'
import { AdminProblem } from '../endpoint/admin-problem.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { addressFor } from '../endpoint/hook-address.ts'
import { runningGateway } from '../endpoint/running-gateway.ts'
import { ACCOUNT, nullable, OPERATORS, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { accessAs } from '../trials/try-steps.ts'
import { listStoppedHooks } from './hooks.ts'

const HOOK = whole({ minimum: 1, maximum: 30_000, description: 'identifier of the hook in the account' })

const ClientHookView = Type.Object({
  account: ACCOUNT,
  hook: HOOK,
  address: Type.String({ description: 'without user, query and fragment for roles that cannot send reports again' }),
  events: nullable(Type.Array(Type.String()), { description: 'types of reports that it gets; null for all' }),
  description: nullable(Type.String()),
  stopped: Type.Boolean({ description: 'whether it answered 410' }),
  created_at: TIME,
})

/** Operators delete hooks and test them, and make no other change of them. */
export const CLIENT_HOOK_CHANGES = {
  'change hook': {
    what: 'hooks of clients',
    may: OPERATORS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ accountId, change }) => {
      const id = change.kind === 'create' ? '' : ` ${change.id}`
      return entry(`hook${id} of account ${accountId}`, null, { change: change.kind })
    },
  },
} satisfies Changes

export const CLIENT_HOOK_ENDPOINTS = [
  endpoint({
    name: 'listClientHooks',
    method: 'GET',
    path: '/client-hooks',
    command: 'client-hook list',
    summary: 'list the hooks that clients manage',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(ClientHookView),
    run: async ({ store, clock }, { account, ...paging }, { role }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      const all = await readClientHooks(store)
      const ofAccounts = all.filter(([id]) => accountId === null || id === accountId)
      const stops = await listStoppedHooks(store, accountId, clock.now())
      const stopped = new Set(stops.map((stop) => `${stop.accountId} ${stop.address}`))
      const rows = ofAccounts.flatMap(([id, { hooks }]) => hooks.map((hook) => [id, hook] as const))
      return takePage(rows, paging, ([id, { id: hook, address, events, description, createdAt }]) => ({
        ...{
          account: id,
          hook,
          address: addressFor(role, address),
          events: events === null ? null : [...events],
          description,
        },
        stopped: stopped.has(`${id} ${hookOf(address)}`),
        created_at: writeTime(createdAt),
      }))
    },
  }),
  endpoint({
    name: 'testClientHook',
    needsGateway: true,
    method: 'POST',
    path: '/accounts/{account}/client-hooks/{hook}/test',
    command: 'client-hook test',
    summary: 'send a test report to a hook that a client manages, whatever its events are',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT, hook: HOOK },
    result: Type.Object({ account: ACCOUNT, hook: HOOK, webhook_id: Type.String() }),
    run: async (tools, { account, hook }) => {
      const live = runningGateway(tools, 'can send a test report')
      const at = tools.clock.now()
      const order = { kind: 'change hook', accountId: toAccountId(account), at, key: null } as const
      // The operation does the same without an entry in the audit log.
      const note = async () => void (await tools.store.change({ ...order, change: { kind: 'test', id: hook } }))
      const access = accessAs(live.operations, { account, test: false, now: at })
      return {
        account,
        hook,
        webhook_id: readTest(await live.runAs(access, { type: 'hook/test', hook_id: hook }, note)),
      }
    },
  }),
  endpoint({
    name: 'deleteClientHook',
    method: 'DELETE',
    path: '/accounts/{account}/client-hooks/{hook}',
    command: 'client-hook delete',
    summary: 'delete a hook that a client manages; reports that wait for it are given up',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT, hook: HOOK },
    result: Type.Object({ account: ACCOUNT, hook: HOOK }),
    hint: knownWithinASecond,
    run: async ({ store, clock }, { account, hook }) => {
      const change = { kind: 'delete', id: hook } as const
      const about = { kind: 'change hook', accountId: toAccountId(account), at: clock.now(), key: null } as const
      return { account, hook: await store.change({ ...about, change }) }
    },
  }),
]

/** Returns the `webhook-id` of the report. Throws AdminProblem, or ChangeRefused if the operation was refused. */
function readTest(text: string): string {
  const { error, data } = JSON.parse(text) as TestAnswer
  const [result] = data ?? []
  if (result === undefined) throw new AdminProblem(503, error ?? 'the gateway did not answer')
  const id = result.data?.webhook_id
  if (id === undefined) throw new ChangeRefused(result.error ?? 'the hook has been deleted')
  return id
}

interface TestAnswer {
  readonly error?: string
  readonly data?: readonly [{ readonly error?: string; readonly data?: { readonly webhook_id?: string } }]
}

/** Returns the hooks of all accounts, ordered by account. */
export async function readClientHooks(store: HookStore): Promise<readonly (readonly [AccountId, AccountHooks])[]> {
  const all = new Map<AccountId, AccountHooks>()
  for (let after = 0, more = true; more; ) {
    const loaded = await store.loadHooks(after)
    for (const [accountId, hooks] of loaded.accounts) all.set(accountId, hooks)
    after = loaded.revision
    more = loaded.more
  }
  return [...all].sort(([a], [b]) => a - b)
}
