/** The store's part in alarms and the notifications of them. Their changes are changes like others (setup-store.ts). */
import type { Alarm } from '../../domain/alarms/alarm.ts'
import type { Notification } from '../../domain/alarms/notification.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Micros } from '../../domain/money/money.ts'
import type { CarrierTime } from '../../domain/routing/carrier-time.ts'

export interface AlarmStore {
  /** Returns all alarms, the newest first, and all notifications that wait. Both are few. */
  alarms(): Promise<AlarmRows>
  /** Returns what the store knows of conditions of alarms. Cheap, however much waits. */
  findConditions(): Promise<StoreConditions>
  /** Returns how long the carrier was in each state, from this day since 1970 on. */
  carrierTimes(carrierId: string, fromDay: number): Promise<readonly CarrierTime[]>
}

export interface StoreConditions {
  /** The oldest due time, milliseconds, of messages that no node holds; null if none waits. It may be in the future. */
  readonly messageDueAt: number | null
  /** The same of reports. */
  readonly reportDueAt: number | null
  /** Accounts below their threshold of a low balance, in order; a bounded number. */
  readonly lowBalances: readonly LowAccount[]
}

interface LowAccount {
  readonly accountId: AccountId
  readonly availableMicros: Micros
  readonly thresholdMicros: Micros
  readonly creditLimitMicros: Micros
}

export interface AlarmRows {
  readonly alarms: readonly Alarm[]
  readonly notifications: readonly Notification[]
}
