/** Reads alarms and the notifications that wait, and what the store knows of conditions. */
import type { AlarmRows, StoreConditions } from '../../../ports/stores/alarm-store.ts'
import { selectFrom } from '../../rows/cells/table.ts'
import {
  ALARMS,
  type LowBalanceRow,
  MAX_LISTED,
  NOTIFICATIONS,
  readLowBalance,
  SELECT_LOW_BALANCES,
} from '../../rows/setup/alarm-tables.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function loadAlarms({ database }: Session): () => AlarmRows {
  const alarms = new Statement(database, `${selectFrom(ALARMS)} ORDER BY opened_at DESC, alarm_id DESC`)
  const notifications = new Statement(database, `${selectFrom(NOTIFICATIONS)} ORDER BY due_at, target, alarm_id`)
  return () => ({ alarms: alarms.all().map(ALARMS.read), notifications: notifications.all().map(NOTIFICATIONS.read) })
}

/** Each is found by an index, or in a table with a row per account. */
export function findConditions({ database }: Session): () => StoreConditions {
  const due = new Statement<[at: number]>(
    database,
    'SELECT due_at FROM due WHERE node = 0 AND due_at > 0 ORDER BY due_at LIMIT 1',
  )
  const report = new Statement<[at: number]>(
    database,
    `SELECT due_at FROM report WHERE state = 'pending' AND node = 0 AND due_at IS NOT NULL AND due_at > 0
     ORDER BY due_at LIMIT 1`,
  )
  const low = new Statement<LowBalanceRow>(database, `${SELECT_LOW_BALANCES} ORDER BY account_id LIMIT ${MAX_LISTED}`)
  return () => ({
    messageDueAt: due.first()?.[0] ?? null,
    reportDueAt: report.first()?.[0] ?? null,
    lowBalances: low.all().map(readLowBalance),
  })
}
