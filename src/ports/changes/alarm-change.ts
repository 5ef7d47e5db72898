/** Changes of alarms, of their notifications, and of the configuration of both. */
import type { AlarmKind, Observation } from '../../domain/alarms/alarm.ts'
import type { AlarmRuleSetting } from '../../domain/alarms/alarm-rule.ts'
import type { Notification, NotificationTarget } from '../../domain/alarms/notification.ts'

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
