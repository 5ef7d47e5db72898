/** Reads alarms and the notifications that wait, and what the store knows of conditions. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { Micros } from '../../../domain/money/money.ts'
import type { AlarmRows, StoreConditions } from '../../../ports/stores/alarm-store.ts'
import { selectFrom } from '../../rows/cells/table.ts'
import { ALARMS, NOTIFICATIONS } from '../../rows/setup/alarm-tables.ts'
import { type Command, query, queryEach, readAll } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const SELECT_ALARMS = sql(`${selectFrom(ALARMS)} ORDER BY opened_at DESC, alarm_id DESC`)
const SELECT_NOTIFICATIONS = sql(`${selectFrom(NOTIFICATIONS)} ORDER BY due_at, target, alarm_id`)
const OLDEST_DUE = sql<[at: number]>(
  'SELECT due_at FROM due WHERE {bucket} node = 0 AND due_at > 0 ORDER BY due_at LIMIT 1',
)
const OLDEST_REPORT = sql<[at: number]>(
  `SELECT due_at FROM report WHERE {bucket} state = 'pending' AND node = 0 AND due_at IS NOT NULL AND due_at > 0
   ORDER BY due_at LIMIT 1`,
)
/** Of accounts whose balance is low: no more alarms than that would be opened. */
const MAX_LISTED = 500
const LOW_BALANCES = sql<[accountId: AccountId, available: Micros, threshold: Micros, creditLimit: Micros]>(
  `SELECT account_id, available, low_balance, credit_limit FROM account_balance WHERE low_reported = 1 AND low_balance IS NOT NULL
   ORDER BY account_id LIMIT ${MAX_LISTED}`,
)

export function* loadAlarms(): Command<AlarmRows> {
  const [alarms, notifications] = yield* readAll(query(SELECT_ALARMS), query(SELECT_NOTIFICATIONS))
  return { alarms: alarms.map(ALARMS.read), notifications: notifications.map(NOTIFICATIONS.read) }
}

/** One look at the index of each bucket; low balances are in a table with a row per account. */
export function* findConditions(): Command<StoreConditions> {
  const [due, reports, low] = yield* readAll(queryEach(OLDEST_DUE), queryEach(OLDEST_REPORT), query(LOW_BALANCES))
  const lowBalances = low.map(([accountId, availableMicros, thresholdMicros, creditLimitMicros]) => {
    return { accountId, availableMicros, thresholdMicros, creditLimitMicros }
  })
  return { messageDueAt: oldest(due), reportDueAt: oldest(reports), lowBalances }
}

function oldest(rows: readonly [at: number][]): number | null {
  return rows.length === 0 ? null : Math.min(...rows.map(([at]) => at))
}
