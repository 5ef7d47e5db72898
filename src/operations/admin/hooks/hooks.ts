/** Hooks of accounts: secrets that sign reports, stopped hooks, failed reports. */
import Type, { type Static, type TObject } from 'typebox'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS, type HookStop } from '../../../domain/reports/stopped-hook.ts'
import type { ReportFilter } from '../../../ports/records/pending-report.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { ReportStore } from '../../../ports/stores/report-store.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS } from '../endpoint/client-access.ts'
import { type AdminTools, endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { HOOK_ADDRESS, RESENDERS } from '../endpoint/hook-address.ts'
import { accountRow } from '../fields/account-row.ts'
import { overlapEnd } from '../fields/overlap.ts'
import { ACCOUNT, nullable, OPERATORS, readTimeField, SHOWN_ONCE, TIME, whole, writeTime } from '../fields/shapes.ts'

const Hook = Type.Object({ account: ACCOUNT, address: Type.String() })

export const REPORT_FILTER = {
  message: Type.Optional(Type.Integer({ minimum: 64, description: 'only reports of this message' })),
  account: Type.Optional(ACCOUNT),
  address: Type.Optional(HOOK_ADDRESS),
  since: Type.Optional(
    Type.String({ maxLength: 40, description: 'only reports written at this time or later, RFC 3339' }),
  ),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'only reports written before this time, RFC 3339' })),
}

export const HOOK_CHANGES = {
  'set hook secrets': {
    what: 'hook secrets',
    may: OPERATORS,
    proof: true,
    accounts: ({ accountId }) => [accountId],
    audit: ({ accountId, hookSecrets }, { accounts }) => {
      const before = accounts.find(({ id }) => id === accountId)?.hookSecrets.length
      const after = { hook_secrets: hookSecrets.length, changed: true }
      return entry(`account ${accountId}`, { hook_secrets: before }, after)
    },
  },
  'resume hook': {
    what: 'stopped hooks',
    may: OPERATORS,
    accounts: ({ hook }) => [hook.accountId],
    audit: ({ hook }) => entry(`hook of account ${hook.accountId}`, { stopped: true }, { stopped: false }),
  },
  'resend reports': {
    what: 'failed reports',
    may: RESENDERS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ messageId, accountId, address, since, until = null, pending, number }) => {
      if (number !== undefined) return entry(`report ${number} of message ${messageId}`, null, { resent: true })
      const times = { since: writeTime(since), ...(until === null ? {} : { until: writeTime(until) }) }
      const filter = { message: messageId, account: accountId, address, ...times, pending }
      return entry('failed reports', null, { resent: filter })
    },
  },
} satisfies Changes

export const RESEND_REPORTS = endpoint({
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
    pending: Type.Optional(Type.Boolean({ description: 'also send reports that wait for a retry or for their hook' })),
  },
  result: Type.Object({ resent: Type.Integer() }),
  run: (tools, { all = false, pending = false, ...filter }) =>
    resendReports(tools, readFilter(filter), { all, pending }),
})

export const RESUME_HOOK = endpoint({
  name: 'resumeHook',
  method: 'POST',
  path: '/stopped-hooks/resume',
  command: 'hook resume',
  summary: 'resume a hook that was stopped by an answer of 410, and send its failed reports again if that is asked',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  body: {
    account: ACCOUNT,
    address: HOOK_ADDRESS,
    resend: Type.Optional(Type.Boolean({ description: 'also send its failed reports again, 10,000 at most' })),
  },
  result: Type.Object({ ...Hook.properties, stopped: Type.Boolean(), resent: nullable(whole()) }),
  run: async (tools, { account, address, resend = false }) => {
    const hook = { accountId: toAccountId(account), address: hookOf(address) }
    await tools.store.change({ kind: 'resume hook', hook, at: tools.clock.now() })
    const filter = { messageId: null, accountId: hook.accountId, address: hook.address, since: null }
    const resent = resend ? (await resendReports(tools, filter, { all: false, pending: false })).resent : null
    return { account, address: hook.address, stopped: false, resent }
  },
})

export const ROTATE_HOOK_SECRET = endpoint({
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
    const now = clock.now()
    const { id: accountId, hookSecrets: old } = accountRow(await store.loadDirectory(), toAccountId(account))
    const oldUntil = overlapSeconds === null ? null : overlapEnd(now, overlapSeconds)
    const secret = makeHookSecret(random)
    const hookSecrets = oldUntil === now ? [secret] : [secret, ...old.slice(0, 1)]
    await store.change({ kind: 'set hook secrets', accountId, hookSecrets, ...(oldUntil === null ? {} : { oldUntil }) })
    return { account, hook_secret: secret, old_until: writeTime(oldUntil) }
  },
})

export const RETIRE_HOOK_SECRET = endpoint({
  name: 'retireHookSecret',
  method: 'DELETE',
  path: '/accounts/{account}/hook-secret/old',
  command: 'hook retire-secret',
  summary: 'retire the older secrets of an account: reports are signed by the newest only',
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  params: { account: ACCOUNT },
  run: async ({ store }, { account }) => {
    const { id: accountId, hookSecrets } = accountRow(await store.loadDirectory(), toAccountId(account))
    if (hookSecrets.length < 2) throw new ChangeRefused(`account ${account} has no old secret`)
    await store.change({ kind: 'set hook secrets', accountId, hookSecrets: hookSecrets.slice(0, 1) })
  },
})

/** Lists hooks of one account, or of all with null, newest first. */
export async function listStoppedHooks(
  store: ReportStore,
  accountId: AccountId | null,
  now: number,
): Promise<HookStop[]> {
  const changes = await store.stoppedHooks({ accountId, since: now - HOOK_STOP_LASTS_MS })
  return changes.filter(({ stopped }) => stopped)
}

/** Throws ChangeRefused without a filter or `all`. */
async function resendReports(
  { store, clock }: AdminTools,
  filter: ReportFilter,
  { all, pending }: { readonly all: boolean; readonly pending: boolean },
): Promise<{ resent: number }> {
  const isNarrow = filter.messageId !== null || filter.accountId !== null || filter.address !== null
  if (isNarrow === all) throw new ChangeRefused('give a message, an account or an address, or all')
  return { resent: await store.change({ kind: 'resend reports', ...filter, pending, at: clock.now() }) }
}

export function readFilter(input: Static<TObject<typeof REPORT_FILTER>>): ReportFilter {
  const { message = null, account = null, address = null, since, until } = input
  return {
    messageId: message as MessageId | null,
    accountId: account as AccountId | null,
    address,
    since: readTimeField('since', since) ?? null,
    until: readTimeField('until', until) ?? null,
  }
}
