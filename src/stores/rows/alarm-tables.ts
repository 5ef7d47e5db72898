/** Alarms and waiting notifications as rows. They are not part of the directory: an alarm causes no reload. */
import type { Alarm } from '../../domain/alarm.ts'
import type { Notification } from '../../domain/notification.ts'
import { JSON_TEXT, named, PLAIN, table } from './table.ts'

export const ALARMS = table<Alarm, Alarm, 'id'>(
  { name: 'alarm', key: ['id'] },
  {
    id: named('alarm_id'),
    kind: PLAIN,
    subject: PLAIN,
    severity: PLAIN,
    state: PLAIN,
    detail: PLAIN,
    openedAt: PLAIN,
    acknowledgedAt: PLAIN,
    acknowledgedBy: PLAIN,
    resolvedAt: PLAIN,
    notifiedAt: PLAIN,
    seenBy: JSON_TEXT,
  },
)

export const NOTIFICATIONS = table<Notification, Notification, 'target' | 'alarmId'>(
  { name: 'notification', key: ['target', 'alarmId'] },
  { target: PLAIN, alarmId: PLAIN, event: PLAIN, at: PLAIN, dueAt: PLAIN, tries: PLAIN },
)
