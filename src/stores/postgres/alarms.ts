/** Reads alarms and the notifications that wait. */
import type { AlarmRows } from '../../ports/alarm-store.ts'
import { ALARMS, NOTIFICATIONS } from '../rows/alarm-tables.ts'
import { selectFrom } from '../rows/table.ts'
import type { Link } from './link.ts'
import { rare } from './statement.ts'

const SELECT_ALARMS = rare(`${selectFrom(ALARMS)} ORDER BY opened_at DESC, alarm_id DESC`)
const SELECT_NOTIFICATIONS = rare(`${selectFrom(NOTIFICATIONS)} ORDER BY due_at, target, alarm_id`)

export async function loadAlarms(link: Link): Promise<AlarmRows> {
  const [alarms, notifications] = await Promise.all([link.query(SELECT_ALARMS), link.query(SELECT_NOTIFICATIONS)])
  return { alarms: alarms.map(ALARMS.read), notifications: notifications.map(NOTIFICATIONS.read) }
}
