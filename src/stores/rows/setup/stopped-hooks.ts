/** Hooks that answered 410, as rows. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { HookStop } from '../../../domain/reports/stopped-hook.ts'

export type StoppedHookRow = [accountId: AccountId, address: string, stopped: number, test: number, changedAt: number]

export const STOPPED_HOOK_COLUMNS = 'account_id, address, stopped, test, changed_at'

/** Per answer. */
export const MAX_LISTED_STOPS = 10_000

/**
 * A stop by a report of a test message does not weaken that by another report. `existing` names the table where a row
 * is replaced.
 */
export const REPLACE_STOP = `DO UPDATE SET stopped = 1, changed_at = excluded.changed_at,
  test = CASE WHEN stopped_hook.stopped = 1 AND stopped_hook.test = 0 THEN 0 ELSE excluded.test END`

export function readHookStop([accountId, address, stopped, test, changedAt]: StoppedHookRow): HookStop {
  return { accountId, address, stopped: stopped === 1, test: test === 1, changedAt }
}
