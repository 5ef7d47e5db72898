/** The words of notifications: as a line and a text for operators, and as JSON for programs. */
import { writeSpan } from '../time/span.ts'
import { type Alarm, compareSeverity } from './alarm.ts'
import { guideOf } from './alarm-guide.ts'
import type { Notification, NotificationEvent } from './notification.ts'
import { isNumerous } from './open-alarm-limit.ts'

export interface Notice {
  /** The same on every try, so that receivers can drop duplicates. */
  readonly id: string
  readonly title: string
  readonly text: string
  /** JSON. */
  readonly body: string
}

/** A due notification with its alarm. */
export interface AlarmNotice {
  readonly notification: Notification
  readonly alarm: Alarm
}

/** Of a summary, in its text; its JSON has all of them. */
const MAX_LINES = 50

const PREFIX: Readonly<Record<NotificationEvent, string>> = {
  opened: '',
  repeated: 'Still open: ',
  resolved: 'Resolved: ',
}

/** What notifications say of the installation, and to whom. */
export interface NoticeContext {
  /** Names the installation. */
  readonly source: string
  /** Address of the console in browsers; null if it is not set. */
  readonly consoleOrigin: string | null
  /** Of the times in texts. */
  readonly timeZone: string
}

const NO_CONSOLE = 'For a link to its page in the console, set POSTHORN_CONSOLE_ORIGIN.'

export function writeNotice({ notification, alarm }: AlarmNotice, context: NoticeContext): Notice {
  const { event, at } = notification
  const { source, consoleOrigin, timeZone } = context
  const title = titleOf({ notification, alarm })
  const { effect, action, page } = guideOf(alarm)
  const link = consoleOrigin === null ? null : `${consoleOrigin}${page}`
  const { openedAt, resolvedAt } = alarm
  const since = writeLocalTime(openedAt, timeZone)
  const lines =
    resolvedAt === null
      ? [`Effect: ${effect}`, `Since: ${since} (${writeSpan(at - openedAt)})`, `What to do: ${action}`]
      : [`Lasted: ${writeSpan(resolvedAt - openedAt)}, from ${since} to ${writeLocalTime(resolvedAt, timeZone)}`]
  const acknowledging = event === 'resolved' ? [] : [`Acknowledge: posthorn alarm acknowledge --alarm ${alarm.id}`]
  const text = [title, alarm.detail, ...lines, link ?? NO_CONSOLE, ...acknowledging, `Alarm ${alarm.id}, ${source}`]
  return {
    id: `alarm_${alarm.id}_${event}_${at}`,
    title,
    text: text.join('\n'),
    body: JSON.stringify({ ...headOf(`alarm.${event}`, at, source), action, link, alarm: viewAlarm(alarm) }),
  }
}

/** Writes several notifications as one, the most important first; there must be at least one. */
export function writeSummary(
  unsorted: readonly AlarmNotice[],
  { source, consoleOrigin }: Pick<NoticeContext, 'source' | 'consoleOrigin'>,
): Notice {
  const notices = unsorted.toSorted(compareNotices)
  const last = notices.reduce((a, b) => (b.notification.at >= a.notification.at ? b : a))
  const { at } = last.notification
  const title = `${notices.length} alarm notifications`
  const lines = notices.slice(0, MAX_LINES).map((each) => `- ${titleOf(each)}`)
  const rest = notices.length > MAX_LINES ? [`and ${notices.length - MAX_LINES} more: posthorn alarm list`] : []
  const link = consoleOrigin === null ? null : `${consoleOrigin}/console/alarms`
  return {
    id: `alarms_${last.alarm.id}_${at}_${notices.length}`,
    title,
    text: [title, ...lines, ...rest, link ?? NO_CONSOLE, source].join('\n'),
    body: JSON.stringify({
      ...headOf('alarm.summary', at, source),
      link,
      alarms: notices.map(({ notification, alarm }) => ({ event: notification.event, ...viewAlarm(alarm) })),
    }),
  }
}

/** `id` differs from those of other tests. */
export function writeTestNotice(id: string, at: number, source: string): Notice {
  const title = 'Test notification of Posthorn'
  const text = [title, 'This target receives notifications of alarms.', source].join('\n')
  return { id, title, text, body: JSON.stringify(headOf('alarm.test', at, source)) }
}

/** The public form of an alarm. */
export function viewAlarm(alarm: Alarm) {
  const { effect, page } = guideOf(alarm)
  const { openedAt, resolvedAt } = alarm
  return {
    alarm: alarm.id,
    kind: alarm.kind,
    subject: alarm.subject,
    severity: alarm.severity,
    state: alarm.state,
    detail: alarm.detail,
    opened_at: timeOf(alarm.openedAt),
    acknowledged_at: timeOrNull(alarm.acknowledgedAt),
    acknowledged_by: alarm.acknowledgedBy,
    resolved_at: timeOrNull(alarm.resolvedAt),
    notified_at: timeOrNull(alarm.notifiedAt),
    effect,
    page,
    lasted_seconds: resolvedAt === null ? null : Math.round((resolvedAt - openedAt) / 1_000),
  }
}

/** Alarms that clients can cause in numbers must not hide others of the same severity. */
function compareNotices({ alarm: a }: AlarmNotice, { alarm: b }: AlarmNotice): number {
  return compareSeverity(a, b) || Number(isNumerous(a.kind)) - Number(isNumerous(b.kind))
}

function titleOf({ notification, alarm }: AlarmNotice): string {
  return `${PREFIX[notification.event]}[${alarm.severity}] ${alarm.kind} ${alarm.subject}`
}

function writeLocalTime(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return `${format.format(at)} ${timeZone}`
}

function headOf(type: string, at: number, source: string): object {
  return { type, timestamp: timeOf(at), source }
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function timeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeOf(milliseconds)
}
