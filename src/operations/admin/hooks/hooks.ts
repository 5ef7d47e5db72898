/** Hooks of accounts: secrets that sign reports, stopped hooks, failed reports. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { hookOf } from '../../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS, type HookStop, type StoppedHook } from '../../../domain/reports/stopped-hook.ts'
import type { ReportFilter } from '../../../ports/records/pending-report.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { ReportStore } from '../../../ports/stores/report-store.ts'
import type { SetupStore } from '../../../ports/stores/setup-store.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Random } from '../../../ports/system/random.ts'
import { makeHookSecret } from '../../request/hook-secret.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { Changes } from '../endpoint/change.ts'
import { accountRow } from '../fields/account-row.ts'
import { overlapEnd } from '../fields/overlap.ts'
import { OPERATORS, writeTime } from '../fields/shapes.ts'
import { RESENDERS } from './hook-address.ts'

export const HOOK_CHANGES = {
  'set hook secrets': {
    ...{ what: 'hook secrets', may: OPERATORS, proof: true },
    accounts: ({ accountId }) => [accountId],
    audit: ({ accountId, hookSecrets }, { accounts }) => {
      const before = accounts.find(({ id }) => id === accountId)?.hookSecrets.length
      const after = { hook_secrets: hookSecrets.length, changed: true }
      return entry(`account ${accountId}`, { hook_secrets: before }, after)
    },
  },
  'resume hook': {
    ...{ what: 'stopped hooks', may: OPERATORS },
    accounts: ({ hook }) => [hook.accountId],
    audit: ({ hook }) => entry(`hook of account ${hook.accountId}`, { stopped: true }, { stopped: false }),
  },
  'resend reports': {
    ...{ what: 'failed reports', may: RESENDERS },
    accounts: ({ accountId }) => [accountId],
    audit: ({ messageId, accountId, address, since, until = null, pending, number }) => {
      if (number !== undefined) return entry(`report ${number} of message ${messageId}`, null, { resent: true })
      const times = { since: writeTime(since), ...(until === null ? {} : { until: writeTime(until) }) }
      const filter = { message: messageId, account: accountId, address, ...times, pending }
      return entry('failed reports', null, { resent: filter })
    },
  },
} satisfies Changes

export interface HookSecretRotation {
  readonly accountId: AccountId
  /** Seconds for which the old secret signs too; null until it is retired, 0 to stop at once. */
  readonly overlapSeconds?: number | null | undefined
}

/** Returns the secret, which is shown only once. Throws ChangeRefused. */
export async function rotateHookSecret(
  store: SetupStore,
  clock: Clock,
  random: Random,
  { accountId, overlapSeconds }: HookSecretRotation,
): Promise<{ readonly secret: string; readonly oldUntil: number | null }> {
  const now = clock.now()
  const account = accountRow(await store.loadDirectory(), accountId)
  const oldUntil = overlapSeconds === null ? null : overlapEnd(now, overlapSeconds)
  const secret = makeHookSecret(random)
  const hookSecrets = oldUntil === now ? [secret] : [secret, ...account.hookSecrets.slice(0, 1)]
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets, ...(oldUntil === null ? {} : { oldUntil }) })
  return { secret, oldUntil }
}

/** Signs reports with the newest secret alone from now on. Throws ChangeRefused. */
export async function retireHookSecret(store: SetupStore, accountId: AccountId): Promise<void> {
  const { hookSecrets } = accountRow(await store.loadDirectory(), accountId)
  if (hookSecrets.length < 2) throw new ChangeRefused(`account ${accountId} has no old secret`)
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets: hookSecrets.slice(0, 1) })
}

/** Lists hooks of one account, or of all with null, newest first. */
export async function listStoppedHooks(
  store: ReportStore,
  accountId: AccountId | null,
  now: number,
): Promise<HookStop[]> {
  const changes = await store.stoppedHooks({ accountId, since: now - HOOK_STOP_LASTS_MS })
  return changes.filter(({ stopped }) => stopped)
}

/** Returns the hook of the address. Throws ChangeRefused if it is not stopped. */
export async function resumeHook(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  { accountId, address }: StoppedHook,
): Promise<StoppedHook> {
  const hook = { accountId, address: hookOf(address) }
  await store.change({ kind: 'resume hook', hook, at: clock.now() })
  return hook
}

export interface Resending {
  /** Without a filter: reports of all accounts. */
  readonly all: boolean
  /** Includes reports that wait for a retry or for their hook. */
  readonly pending: boolean
}

/** Throws ChangeRefused without a filter or `all`. */
export async function resendReports(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  filter: ReportFilter,
  { all, pending }: Resending,
): Promise<{ resent: number }> {
  const isNarrow = filter.messageId !== null || filter.accountId !== null || filter.address !== null
  if (isNarrow === all) throw new ChangeRefused('give a message, an account or an address, or all')
  return { resent: await store.change({ kind: 'resend reports', ...filter, pending, at: clock.now() }) }
}
