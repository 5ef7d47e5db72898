/** Notifications: who is notified of alarms, when each notification is sent, and when several become one. */
import { type Alarm, type AlarmKind, isSevere, type Severity } from './alarm.ts'

/** `hook`: a signed POST. `email`: by the SMTP server of the gateway. `slack`: an incoming webhook of Slack. */
export const TARGET_KINDS = ['hook', 'email', 'slack'] as const

export interface NotificationTarget {
  readonly name: string
  readonly kind: (typeof TARGET_KINDS)[number]
  /** Of a hook or an incoming webhook; null for e-mail. Stored sealed, because it may contain a token. */
  readonly address: string | null
  /** E-mail addresses. */
  readonly recipients: readonly string[]
  /** Signs the POSTs to a hook; null for the other kinds. Stored sealed. */
  readonly secret: string | null
  readonly minSeverity: Severity
  /** Null for all. */
  readonly kinds: readonly AlarmKind[] | null
  /** Minutes between notifications of an alarm that is open and not acknowledged; null for no repetition. */
  readonly repeatMinutes: number | null
  /** False: it gets nothing but tests. */
  readonly enabled: boolean
  /** IANA name: of the times in texts. */
  readonly timeZone: string
}

export interface StoredTarget extends NotificationTarget {
  /** Milliseconds: the last notification that was sent; null for never. */
  readonly sentAt: number | null
  /** Milliseconds: the last try that failed; null for never. */
  readonly failedAt: number | null
  /** Why the last try failed; null if it did not. */
  readonly lastError: string | null
}

export type NotificationEvent = 'opened' | 'repeated' | 'resolved'

/** A notification that waits to be sent. There is at most one for each target and alarm: a later event replaces it. */
export interface Notification {
  readonly target: string
  readonly alarmId: number
  readonly event: NotificationEvent
  /** Milliseconds: the time of the event. */
  readonly at: number
  /** Milliseconds. */
  readonly dueAt: number
  readonly tries: number
}

export const MAX_TARGETS = 20
export const MAX_RECIPIENTS = 20

/** Notifications to one target within a minute, summaries included. */
const MAX_PER_MINUTE = 5
const MINUTE_MS = 60_000
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 900_000
/** A notification that could not be sent for so long is given up. */
const GIVEN_UP_AFTER_MS = 86_400_000

/** Whether the target is notified of alarms like this. */
export function wants(
  { enabled, kinds, minSeverity }: Pick<NotificationTarget, 'enabled' | 'kinds' | 'minSeverity'>,
  { kind, severity }: Pick<Alarm, 'kind' | 'severity'>,
): boolean {
  return enabled && isSevere(severity, minSeverity) && (kinds === null || kinds.includes(kind))
}

export interface SendPlan {
  readonly single: readonly Notification[]
  /** Sent as one; empty for none. */
  readonly summary: readonly Notification[]
}

/**
 * Plans what to send of the due notifications of one target: singly, or as one summary if more are due than may be sent
 * within this minute. `recent` are the times at which something was sent to it, by the same clock as `now`.
 */
export function planSends(due: readonly Notification[], recent: readonly number[], now: number): SendPlan {
  const used = recent.filter((at) => now - at < MINUTE_MS).length
  if (used + due.length <= MAX_PER_MINUTE) return { single: due, summary: [] }
  return { single: [], summary: used < MAX_PER_MINUTE ? due : [] }
}

/** Returns when a failed notification is tried again; null if it is given up. */
export function retryAt({ at, tries }: Notification, now: number): number | null {
  if (now - at >= GIVEN_UP_AFTER_MS) return null
  return now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 20))
}
