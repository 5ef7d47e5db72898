/** The store's part in alarms and the notifications of them. Their changes are changes like others (setup-store.ts). */
import type { AccountId } from '../domain/account.ts'
import type { Alarm, AlarmKind, Observation } from '../domain/alarm.ts'
import type { AlarmRuleSetting } from '../domain/alarm-rule.ts'
import type { Micros } from '../domain/money.ts'
import type { Notification, NotificationTarget } from '../domain/notification.ts'

export interface AlarmStore {
  /** Returns all alarms, the newest first, and all notifications that wait. Both are few. */
  alarms(): Promise<AlarmRows>
  /** Returns what the store knows of conditions of alarms. Cheap, however much waits. */
  findConditions(): Promise<StoreConditions>
}

export interface StoreConditions {
  /** The oldest due time, milliseconds, of messages that no node holds; null if none waits. It may be in the future. */
  readonly messageDueAt: number | null
  /** The same of reports. */
  readonly reportDueAt: number | null
  /** Accounts below their threshold of a low balance, in order; a bounded number. */
  readonly lowBalances: readonly LowAccount[]
}

export interface LowAccount {
  readonly accountId: AccountId
  readonly availableMicros: Micros
  readonly thresholdMicros: Micros
}

export interface AlarmRows {
  readonly alarms: readonly Alarm[]
  readonly notifications: readonly Notification[]
}

/** Configuration. */
export type AlarmSetUpChange =
  | { readonly kind: 'set notification target'; readonly target: NotificationTarget }
  /** Refused if it does not exist. What waits for it is dropped. */
  | { readonly kind: 'remove notification target'; readonly name: string }
  | { readonly kind: 'set alarm rule'; readonly rule: AlarmRuleSetting }
  /** Refused if it does not exist. */
  | { readonly kind: 'remove alarm rule'; readonly alarmKind: AlarmKind }

/** Changes of alarms do not change the directory. `notify` are the names of the targets to notify. */
export type AlarmChange =
  /** Opens the alarm, or notes that the node finds its condition too. */
  | {
      readonly kind: 'raise alarm'
      readonly observation: Observation
      readonly node: number
      readonly at: number
      readonly notify: readonly string[]
    }
  /** The condition has ended for these nodes; resolves the alarm if no other node finds it. */
  | {
      readonly kind: 'clear alarm'
      readonly alarmId: number
      readonly nodes: readonly number[]
      readonly at: number
      readonly notify: readonly string[]
    }
  /** By an operator. Refused if it is not open; resolved alarms cannot be acknowledged. */
  | { readonly kind: 'acknowledge alarm'; readonly alarmId: number; readonly by: string; readonly at: number }
  | {
      readonly kind: 'resolve alarm'
      readonly alarmId: number
      readonly at: number
      readonly notify: readonly string[]
    }
  /** Deletes those of them that are resolved. */
  | { readonly kind: 'delete alarms'; readonly alarmIds: readonly number[] }
  | SettledNotifications

/** Stores the result of a try; notifications that were replaced in between stay. */
export interface SettledNotifications {
  readonly kind: 'settle notifications'
  readonly target: string
  readonly at: number
  readonly notifications: readonly Pick<Notification, 'alarmId' | 'at'>[]
  readonly result:
    | {
        readonly kind: 'sent'
        /** When an open alarm is notified of again; null for never. */
        readonly repeatAt: number | null
      }
    | {
        readonly kind: 'failed'
        readonly reason: string
        /** Null if they are given up. */
        readonly retryAt: number | null
      }
    /** Nothing was sent: the target or the alarm does not exist any more. */
    | { readonly kind: 'dropped' }
}
