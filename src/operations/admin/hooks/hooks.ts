/** Hooks of accounts: the secrets that sign reports, hooks that were stopped, and failed reports. */
import type { AccountId } from '../../../domain/account.ts'
import { hookOf } from '../../../domain/report-schedule.ts'
import { HOOK_STOP_LASTS_MS, type HookStop, type StoppedHook } from '../../../domain/stopped-hook.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ReportFilter } from '../../../ports/pending-report.ts'
import type { Random } from '../../../ports/random.ts'
import type { ReportStore } from '../../../ports/report-store.ts'
import type { SetupStore } from '../../../ports/setup-store.ts'
import { ChangeRefused } from '../../../ports/store-errors.ts'
import { accountRow } from '../accounts/account-row.ts'
import { overlapEnd } from '../overlap.ts'

const SECRET_BYTES = 24

/** `whsec_` and the base64 of 24 random bytes. */
export function makeHookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`
}

export interface HookSecretRotation {
  readonly accountId: AccountId
  /** Seconds for which the old secret signs as well; null until it is retired, 0 not at all. */
  readonly overlapSeconds?: number | null | undefined
}

/** The secret is to be shown now and never again. Throws a ChangeRefused. */
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

/** From now on reports are signed by the newest secret alone. Throws a ChangeRefused. */
export async function retireHookSecret(store: SetupStore, accountId: AccountId): Promise<void> {
  const { hookSecrets } = accountRow(await store.loadDirectory(), accountId)
  if (hookSecrets.length < 2) throw new ChangeRefused(`account ${accountId} has no old secret`)
  await store.change({ kind: 'set hook secrets', accountId, hookSecrets: hookSecrets.slice(0, 1) })
}

/** Of one account or, with null, of all; the newest first. */
export async function listStoppedHooks(
  store: ReportStore,
  accountId: AccountId | null,
  now: number,
): Promise<HookStop[]> {
  const changes = await store.stoppedHooks({ accountId, since: now - HOOK_STOP_LASTS_MS })
  return changes.filter(({ stopped }) => stopped)
}

/** Returns the hook of the address. Throws a ChangeRefused when it is not stopped. */
export async function resumeHook(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  { accountId, address }: StoppedHook,
): Promise<StoppedHook> {
  const hook = { accountId, address: hookOf(address) }
  await store.change({ kind: 'resume hook', hook, at: clock.now() })
  return hook
}

export interface Resending {
  /** Without a filter: those of everybody. */
  readonly all: boolean
  /** What waits for a retry or for its hook as well. */
  readonly pending: boolean
}

/** Throws a ChangeRefused when neither a filter nor `all` is given. */
export async function resendReports(
  { store, clock }: { readonly store: SetupStore; readonly clock: Clock },
  filter: ReportFilter,
  { all, pending }: Resending,
): Promise<{ resent: number }> {
  const isNarrow = filter.messageId !== null || filter.accountId !== null || filter.address !== null
  if (isNarrow === all) throw new ChangeRefused('give a message, an account or an address, or else all')
  return { resent: await store.change({ kind: 'resend reports', ...filter, pending, at: clock.now() }) }
}
