/** Hooks that answered 410, as rows. */
import type { AccountId } from '../../domain/account.ts'
import type { HookStop } from '../../domain/stopped-hook.ts'

export type StoppedHookRow = [accountId: AccountId, address: string, stopped: number, changedAt: number]

export const STOPPED_HOOK_COLUMNS = 'account_id, address, stopped, changed_at'

/** Per answer. */
export const MAX_LISTED_STOPS = 10_000

export function readHookStop([accountId, address, stopped, changedAt]: StoppedHookRow): HookStop {
  return { accountId, address, stopped: stopped === 1, changedAt }
}
