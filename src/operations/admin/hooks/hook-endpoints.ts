/** Hooks: failed reports and resending, stopped hooks, secrets. */
import Type from 'typebox'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { CLIENTS } from '../endpoint/client-access.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { addressFor, SHOWN_ADDRESS } from '../endpoint/hook-address.ts'
import { ACCOUNT, nullable, PAGING, pageOf, READERS, TIME, whole, writeTime } from '../fields/shapes.ts'
import { STANDARD_ROWS, takePage } from '../fields/take-page.ts'
import {
  listStoppedHooks,
  REPORT_FILTER,
  RESEND_REPORTS,
  RESUME_HOOK,
  RETIRE_HOOK_SECRET,
  ROTATE_HOOK_SECRET,
  readFilter,
} from './hooks.ts'

const StoppedHookView = Type.Object({
  account: ACCOUNT,
  address: SHOWN_ADDRESS,
  stopped_at: TIME,
  test: Type.Boolean({ description: 'only reports of test messages are stopped; other reports are still posted' }),
})

const FailedReport = Type.Object({
  message: whole(),
  number: whole(),
  account: ACCOUNT,
  address: SHOWN_ADDRESS,
  tries: whole(),
  created_at: TIME,
  tried_at: nullable(TIME),
  detail: Type.String(),
})

export const HOOK_ENDPOINTS = [
  endpoint({
    name: 'listFailedReports',
    method: 'GET',
    path: '/failed-reports',
    command: 'report list',
    summary: 'list failed reports, ordered by msg_id, the highest first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(FailedReport),
    run: async ({ store }, { after = null, most = STANDARD_ROWS, account }, { role }) => {
      const accountId = account === undefined ? null : toAccountId(account)
      const { rows, next } = await store.page({ of: 'failed reports', accountId, after, limit: most })
      const data = rows.map((report) => ({
        message: report.messageId,
        number: report.number,
        account: report.accountId,
        address: addressFor(role, report.address),
        tries: report.tries,
        created_at: writeTime(report.createdAt),
        tried_at: writeTime(report.triedAt),
        detail: report.detail,
      }))
      return { data, next }
    },
  }),
  endpoint({
    name: 'countReports',
    method: 'GET',
    path: '/failed-reports/count',
    ownCommand: 'report resend',
    summary: 'count failed reports, and those that wait for a retry or for their hook',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: REPORT_FILTER,
    result: Type.Object({
      failed: Type.Integer(),
      waiting: Type.Integer(),
      stopped: Type.Integer({
        description: 'failed reports whose hook is stopped; not sent again until it is resumed',
      }),
    }),
    run: ({ store, clock }, filter) => store.countReports({ ...readFilter(filter), at: clock.now() }),
  }),
  RESEND_REPORTS,
  endpoint({
    name: 'listStoppedHooks',
    method: 'GET',
    path: '/stopped-hooks',
    command: 'hook list',
    summary: 'list hooks stopped by an answer of 410, newest first',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    query: { ...PAGING, account: Type.Optional(ACCOUNT) },
    result: pageOf(StoppedHookView),
    run: async ({ store, clock }, { account, ...paging }, { role }) => {
      const hooks = await listStoppedHooks(store, account === undefined ? null : toAccountId(account), clock.now())
      return takePage(hooks, paging, ({ accountId, address, changedAt, test }) => {
        return { account: accountId, address: addressFor(role, address), stopped_at: writeTime(changedAt), test }
      })
    },
  }),
  RESUME_HOOK,
  ROTATE_HOOK_SECRET,
  RETIRE_HOOK_SECRET,
]
