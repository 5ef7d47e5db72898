/** The hooks of an account with the reports that wait for them or have failed. */
import Type, { type Static } from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { isFeed } from '../../../domain/reports/event-feed.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { type HookTally, MAX_TALLIED_REPORTS } from '../../../ports/records/pending-report.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint } from '../endpoint/endpoint.ts'
import { addressFor } from '../endpoint/hook-address.ts'
import { accountRow } from '../fields/account-row.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'
import { readClientHooks } from './client-hook-endpoints.ts'
import { listStoppedHooks } from './hooks.ts'

const HookState = Type.Object({
  address: Type.String({
    description:
      'without query, and without user for roles that cannot send reports again; reports to all its queries are counted together',
  }),
  default: Type.Boolean({ description: 'the default hook of the account' }),
  client_hook: nullable(whole(), { description: 'number of the hook that the client manages' }),
  stopped: Type.Boolean({ description: 'it answered 410' }),
  waiting: whole({ description: `reports that are being sent or wait for a retry, at most ${MAX_TALLIED_REPORTS}` }),
  failed: whole({ description: `reports that were given up, at most ${MAX_TALLIED_REPORTS}` }),
  tried_at: nullable(TIME, { description: 'of the last try of one of these reports' }),
  last_error: nullable(Type.String({ description: 'the result of that try' })),
})

export const HOOK_STATE_ENDPOINTS = [
  endpoint({
    name: 'listHookStates',
    method: 'GET',
    path: '/accounts/{account}/hooks',
    command: 'hook states',
    summary: 'list the hooks of an account with their waiting and failed reports, those with most first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(HookState),
    run: async (tools, { account, ...paging }, { role }) =>
      takePage(await readStates(tools, toAccountId(account)), paging, (state) => {
        return { ...state, address: addressFor(role, state.address) }
      }),
  }),
]

type State = Static<typeof HookState>

async function readStates({ store, clock, live }: AdminTools, accountId: AccountId): Promise<readonly State[]> {
  const { settings } = accountRow(await store.loadDirectory(), accountId)
  const ofClient = async () => new Map(await readClientHooks(store)).get(accountId)
  const [tallies, stops, managed] = await Promise.all([
    store.tallyHooks(accountId),
    listStoppedHooks(store, accountId, clock.now()),
    live?.operations.hooks.of(accountId) ?? ofClient(),
  ])
  const own = managed?.hooks ?? []
  const defaults = settings.defaultHook === null || isFeed(settings.defaultHook) ? [] : [hookOf(settings.defaultHook)]
  const names = [...defaults, ...own.map(({ address }) => hookOf(address)), ...stops.map(({ address }) => address)]
  const byHook = Map.groupBy(tallies, ({ hook }) => hook)
  const states = [...new Set([...names, ...byHook.keys()])].map((hook) => ({
    address: hook,
    default: defaults.includes(hook),
    client_hook: own.find(({ address }) => hookOf(address) === hook)?.id ?? null,
    stopped: stops.some(({ address }) => address === hook),
    ...countsOf(byHook.get(hook) ?? []),
  }))
  return states.sort((a, b) => b.failed + b.waiting - (a.failed + a.waiting))
}

function countsOf(tallies: readonly HookTally[]) {
  const countOf = (state: HookTally['state']) => tallies.find((each) => each.state === state)?.count ?? 0
  const last = tallies.toSorted((a, b) => (b.triedAt ?? 0) - (a.triedAt ?? 0))[0]
  const triedAt = last?.triedAt ?? null
  return {
    waiting: countOf('pending'),
    failed: countOf('failed'),
    tried_at: writeTime(triedAt),
    last_error: triedAt === null ? null : (last?.detail ?? null),
  }
}
