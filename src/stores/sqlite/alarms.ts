/** Reads alarms and the notifications that wait. */
import type { AlarmRows } from '../../ports/alarm-store.ts'
import { ALARMS, NOTIFICATIONS } from '../rows/alarm-tables.ts'
import { selectFrom } from '../rows/table.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export function loadAlarms({ database }: Session): () => AlarmRows {
  const alarms = new Statement(database, `${selectFrom(ALARMS)} ORDER BY opened_at DESC, alarm_id DESC`)
  const notifications = new Statement(database, `${selectFrom(NOTIFICATIONS)} ORDER BY due_at, target, alarm_id`)
  return () => ({ alarms: alarms.all().map(ALARMS.read), notifications: notifications.all().map(NOTIFICATIONS.read) })
}
