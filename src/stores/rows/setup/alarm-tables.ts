/** Alarms and waiting notifications as rows. They are not part of the directory: an alarm causes no reload. */
import type { Alarm } from '../../../domain/alarms/alarm.ts'
import type { Notification } from '../../../domain/alarms/notification.ts'
import { JSON_TEXT, namedColumn, table } from '../cells/table.ts'

export const ALARMS = table('alarm')<Alarm, Alarm, 'id'>({ id: namedColumn('alarm_id'), seenBy: JSON_TEXT })
export const NOTIFICATIONS = table('notification')<Notification, Notification, 'target' | 'alarmId'>({})
