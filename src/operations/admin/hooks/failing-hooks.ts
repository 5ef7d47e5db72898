/** Hooks that fail: what waits for them, and trying one now. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { MAX_TRIED_REPORTS, MAX_WAITING_COUNTED, MAX_WAITS } from '../../../ports/records/pending-report.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { addressFor, HOOK_ADDRESS, RESENDERS, SHOWN_ADDRESS } from '../endpoint/hook-address.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { STANDARD_ROWS, takePage } from '../fields/take-page.ts'
import { listStoppedHooks } from './hooks.ts'
import { ShownReport, viewReport } from './report-view.ts'

const FailingHook = Type.Object({
  account: ACCOUNT,
  address: SHOWN_ADDRESS,
  waiting: whole({ description: `reports that wait in the store, at most ${MAX_WAITING_COUNTED}` }),
  oldest_at: Type.String({ description: 'when the oldest of them was written' }),
  failing_since: Type.String({ description: 'the first failed try of one of them' }),
  tried_at: nullable(TIME, { description: 'of the last try' }),
  last_error: Type.String({ description: 'the result of that try' }),
  next_at: nullable(TIME, { description: 'of the next try of one of them; null if all wait for the hook to answer' }),
})

export const FAILING_HOOK_CHANGES = {
  'try hook': {
    what: 'failed reports',
    may: RESENDERS,
    accounts: ({ hook }) => [hook.accountId],
    audit: ({ hook: { accountId, hook } }) => entry(`hook of account ${accountId}`, null, { tried: hook }),
  },
} satisfies Changes

export const FAILING_HOOK_ENDPOINTS = [
  endpoint({
    name: 'listFailingHooks',
    method: 'GET',
    path: '/failing-hooks',
    command: 'hook failing',
    summary: `list hooks whose reports wait because tries failed, those that have failed longest first; at most ${MAX_WAITS}`,
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(FailingHook),
    run: async ({ store }, { account, ...paging }, { role }) => {
      const waits = await store.hookWaits(account === undefined ? null : toAccountId(account))
      const failing = waits.flatMap((wait) =>
        wait.failingSince === null ? [] : [{ ...wait, since: wait.failingSince }],
      )
      failing.sort((a, b) => a.since - b.since)
      return takePage(failing, paging, ({ accountId, hook, waiting, oldestAt, since, triedAt, detail, nextAt }) => ({
        account: accountId,
        address: addressFor(role, hook),
        waiting,
        oldest_at: writeTime(oldestAt),
        failing_since: writeTime(since),
        tried_at: writeTime(triedAt),
        last_error: detail,
        next_at: writeTime(nextAt),
      }))
    },
  }),
  endpoint({
    name: 'tryHook',
    method: 'POST',
    path: '/failing-hooks/try',
    command: 'hook try',
    summary: 'try the waiting reports of a hook now: one at once, and the others as soon as the hook answers',
    may: RESENDERS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    body: { account: ACCOUNT, address: HOOK_ADDRESS },
    result: Type.Object({
      account: ACCOUNT,
      address: Type.String(),
      waiting: whole({ description: `reports that follow, at most ${MAX_TRIED_REPORTS}` }),
    }),
    run: async ({ store, clock }, { account, address }) => {
      const hook = { accountId: toAccountId(account), hook: hookOf(address) }
      const stops = await listStoppedHooks(store, hook.accountId, clock.now())
      if (stops.some((stop) => stop.address === hook.hook))
        throw new ChangeRefused('the hook is stopped: resume it first')
      const waiting = await store.change({ kind: 'try hook', hook })
      if (waiting === 0) throw new ChangeRefused('no reports wait for this hook')
      return { account, address: hook.hook, waiting }
    },
  }),
  endpoint({
    name: 'listWaitingReports',
    method: 'GET',
    path: '/waiting-reports',
    command: 'report waiting',
    columns: ['message', 'number', 'type', 'failed_tries', 'created_at', 'tried_at', 'waits_for', 'next_at', 'detail'],
    summary: 'list the reports that wait in the store for a hook, ordered by msg_id, the highest first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: ACCOUNT, address: HOOK_ADDRESS },
    result: pageOf(Type.Omit(ShownReport, ['payload'])),
    run: async ({ store }, { account, address, after = null, most = STANDARD_ROWS }, { role }) => {
      const query = {
        of: 'waiting reports',
        accountId: toAccountId(account),
        hook: hookOf(address),
        after,
        limit: most,
      } as const
      const { rows, next } = await store.page(query)
      return { data: rows.map((report) => viewReport(report, role)).map(({ payload: _, ...rest }) => rest), next }
    },
  }),
]
