/** The store's part in the hooks that clients manage. Changes of them are changes like others (setup-store.ts). */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { AccountHooks, HookChange } from '../../domain/reports/client-hook.ts'
import type { Report } from '../../domain/reports/report.ts'

export interface HookStore {
  /** Returns the hooks of accounts that changed after this revision. Cheap if none did. */
  loadHooks(after: number): Promise<LoadedHooks>
  /** Writes a report of no message, to be sent at once. */
  writeReport(report: Report, at: number): Promise<void>
}

export interface LoadedHooks {
  /** Grows with every change; smaller than before only after the database went back in time. */
  readonly revision: number
  readonly accounts: readonly (readonly [AccountId, AccountHooks])[]
  /** Whether more of them follow after `revision`. */
  readonly more: boolean
}

/** Returns the id of the hook. */
export interface ClientHookChange {
  readonly kind: 'change hook'
  readonly accountId: AccountId
  readonly change: HookChange
  /** Milliseconds. */
  readonly at: number
  /** The API key with which the client makes the change, for the audit log; null if an operator makes it. */
  readonly key: string | null
}
