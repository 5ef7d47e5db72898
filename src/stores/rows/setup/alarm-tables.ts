/** Alarms and waiting notifications as rows. They are not part of the directory: an alarm causes no reload. */
import type { Alarm } from '../../../domain/alarms/alarm.ts'
import type { Notification } from '../../../domain/alarms/notification.ts'
import { toAccountId } from '../../../domain/ids/account-id.ts'
import { toMicros } from '../../../domain/money/money.ts'
import type { LowAccount } from '../../../ports/stores/alarm-store.ts'
import { JSON_TEXT, named, table } from '../cells/table.ts'

export const ALARMS = table('alarm')<Alarm, Alarm, 'id'>({ id: named('alarm_id'), seenBy: JSON_TEXT })
export const NOTIFICATIONS = table('notification')<Notification, Notification, 'target' | 'alarmId'>({})

/** Of accounts whose balance is low: no more alarms than that would be opened. */
export const MAX_LISTED = 500

export type LowBalanceRow = [accountId: number, available: number, threshold: number]

export const SELECT_LOW_BALANCES =
  'SELECT account_id, available, low_balance FROM account_balance WHERE low_reported = 1 AND low_balance IS NOT NULL'

export function readLowBalance([accountId, available, threshold]: LowBalanceRow): LowAccount {
  const amounts = { availableMicros: toMicros(available), thresholdMicros: toMicros(threshold) }
  return { accountId: toAccountId(accountId), ...amounts }
}
