/** Hooks: failed reports and resending, stopped hooks, secrets. */
import Type, { type Static, type TObject } from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { ReportFilter } from '../../../ports/records/pending-report.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import {
  ACCOUNT,
  nullable,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  readTime,
  SHOWN_ONCE,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { STANDARD_ROWS, takePage } from '../fields/take-page.ts'
import { ADDRESS, addressFor, RESENDERS, SHOWN_ADDRESS } from './hook-address.ts'
import { listStoppedHooks, resendReports, resumeHook, retireHookSecret, rotateHookSecret } from './hooks.ts'

const Hook = Type.Object({ account: ACCOUNT, address: Type.String() })

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

const REPORT_FILTER = {
  message: Type.Optional(Type.Integer({ minimum: 64, description: 'only reports of this message' })),
  account: Type.Optional(ACCOUNT),
  address: Type.Optional(ADDRESS),
  since: Type.Optional(
    Type.String({ maxLength: 40, description: 'only reports written at this time or later, RFC 3339' }),
  ),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'only reports written before this time, RFC 3339' })),
}

function readFilter({ message, account, address, since, until }: Static<TObject<typeof REPORT_FILTER>>): ReportFilter {
  return {
    messageId: (message ?? null) as MessageId | null,
    accountId: (account ?? null) as AccountId | null,
    address: address ?? null,
    since: readTime('since', since) ?? null,
    until: readTime('until', until) ?? null,
  }
}

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
  endpoint({
    name: 'resendReports',
    method: 'POST',
    path: '/failed-reports/resend',
    ownCommand: 'report resend',
    summary:
      'send the failed reports of a message, an account or a hook again, with all retries; 10,000 at a time. Those of stopped hooks stay',
    may: RESENDERS,
    clients: { may: CLIENT_ADMINS, scope: 'account', fixed: { all: null } },
    body: {
      ...REPORT_FILTER,
      all: Type.Optional(
        Type.Boolean({ description: 'reports of all accounts; required without message, account and address' }),
      ),
      pending: Type.Optional(
        Type.Boolean({ description: 'also send reports that wait for a retry or for their hook' }),
      ),
    },
    result: Type.Object({ resent: Type.Integer() }),
    run: ({ store, clock }, { all = false, pending = false, ...filter }) =>
      resendReports({ store, clock }, readFilter(filter), { all, pending }),
  }),
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
  endpoint({
    name: 'resumeHook',
    method: 'POST',
    path: '/stopped-hooks/resume',
    command: 'hook resume',
    summary: 'resume a hook that was stopped by an answer of 410, and send its failed reports again if that is asked',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    body: {
      account: ACCOUNT,
      address: ADDRESS,
      resend: Type.Optional(Type.Boolean({ description: 'also send its failed reports again, 10,000 at most' })),
    },
    result: Type.Object({ ...Hook.properties, stopped: Type.Boolean(), resent: nullable(whole()) }),
    run: async (tools, { account, address, resend = false }) => {
      const hook = await resumeHook(tools, { accountId: toAccountId(account), address })
      const filter = { messageId: null, accountId: hook.accountId, address: hook.address, since: null }
      const resent = resend ? (await resendReports(tools, filter, { all: false, pending: false })).resent : null
      return { account, address: hook.address, stopped: false, resent }
    },
  }),
  endpoint({
    name: 'rotateHookSecret',
    method: 'POST',
    path: '/accounts/{account}/hook-secret',
    command: 'hook rotate-secret',
    summary: 'issue a new secret for the reports of an account; the old one signs as well for a while',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    body: {
      overlap_seconds: Type.Optional(
        nullable(whole({ minimum: 0 }), {
          description: 'seconds for which the old secret signs as well, a week by default; null until it is retired',
        }),
      ),
    },
    result: Type.Object({ account: ACCOUNT, hook_secret: SHOWN_ONCE, old_until: nullable(TIME) }),
    hint: knownWithinASecond,
    run: async ({ store, clock, random }, { account, overlap_seconds: overlapSeconds }) => {
      const input = { accountId: toAccountId(account), overlapSeconds }
      const { secret, oldUntil } = await rotateHookSecret(store, clock, random, input)
      return { account, hook_secret: secret, old_until: writeTime(oldUntil) }
    },
  }),
  endpoint({
    name: 'retireHookSecret',
    method: 'DELETE',
    path: '/accounts/{account}/hook-secret/old',
    command: 'hook retire-secret',
    summary: 'retire the older secrets of an account: reports are signed by the newest only',
    may: OPERATORS,
    clients: { may: CLIENT_ADMINS, scope: 'account' },
    params: { account: ACCOUNT },
    run: ({ store }, { account }) => retireHookSecret(store, toAccountId(account)),
  }),
]
