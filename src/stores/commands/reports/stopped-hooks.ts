/** Lists hooks that answered 410. */
import type { HookStop } from '../../../domain/reports/stopped-hook.ts'
import type { HookStopQuery } from '../../../ports/stores/report-store.ts'
import {
  MAX_LISTED_STOPS,
  readHookStop,
  STOPPED_HOOK_COLUMNS,
  type StoppedHookRow,
} from '../../rows/setup/stopped-hooks.ts'
import { type Command, rows } from '../statement/command.ts'
import { select } from '../statement/sql.ts'

const SINCE = `changed_at >= ? ORDER BY changed_at DESC LIMIT ${MAX_LISTED_STOPS}`
const OF_ALL = select<StoppedHookRow>('stopped_hook', STOPPED_HOOK_COLUMNS, `WHERE ${SINCE}`)
const OF_ONE = select<StoppedHookRow>('stopped_hook', STOPPED_HOOK_COLUMNS, `WHERE account_id = ? AND ${SINCE}`)

/** Newest first. */
export function* stoppedHooks({ accountId, since }: HookStopQuery): Command<readonly HookStop[]> {
  const found = yield* accountId === null ? rows(OF_ALL, since) : rows(OF_ONE, accountId, since)
  return found.map(readHookStop)
}
