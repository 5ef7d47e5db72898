/** Lists hooks that answered 410. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { HookStop } from '../../../domain/reports/stopped-hook.ts'
import type { HookStopQuery } from '../../../ports/stores/report-store.ts'
import type { CellsOf } from '../../rows/cells/cells-of.ts'
import { type Command, rows } from '../statement/command.ts'
import { select } from '../statement/sql.ts'

/** Per answer. */
const MAX_LISTED_STOPS = 10_000

const COLUMNS = 'account_id, address, stopped, test, changed_at'
const OF_ALL = stops('')
const OF_ONE = stops('account_id = ? AND ')

function stops(where: string) {
  return select<CellsOf<'stopped_hook', typeof COLUMNS, { account_id: AccountId }>>(
    'stopped_hook',
    COLUMNS,
    `WHERE ${where}changed_at >= ? ORDER BY changed_at DESC LIMIT ${MAX_LISTED_STOPS}`,
  )
}

/** Newest first. */
export function* stoppedHooks({ accountId, since }: HookStopQuery): Command<readonly HookStop[]> {
  const found = yield* accountId === null ? rows(OF_ALL, since) : rows(OF_ONE, accountId, since)
  return found.map(([account, address, stopped, test, changedAt]) => {
    return { accountId: account, address, stopped: stopped === 1, test: test === 1, changedAt }
  })
}
