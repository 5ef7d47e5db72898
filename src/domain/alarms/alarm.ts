/**
 * Alarms: conditions that an operator should know of, such as a carrier that is down. A kind and a subject identify an
 * alarm. It is opened once, stays open while the condition lasts, and is resolved when the condition has ended.
 */

export const ALARM_KINDS = [
  'carrier_down',
  'carrier_failing',
  'delivery_share',
  'hook_stopped',
  'queue_old',
  'balance_low',
  'pumping',
  'ledger_discrepancy',
  'disk_full',
  'keyword_lost',
  'check_failed',
  'carrier_demoted',
] as const

export type AlarmKind = (typeof ALARM_KINDS)[number]

/** In rising order. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const

export type Severity = (typeof SEVERITIES)[number]

export const ALARM_STATES = ['open', 'acknowledged', 'resolved'] as const

export interface AlarmKey {
  readonly kind: AlarmKind
  /** What the condition is about: the id of a carrier, an account, a hook … */
  readonly subject: string
}

/** A condition that a check has just found. */
export interface Observation extends AlarmKey {
  readonly severity: Severity
  /** For operators: without phones, texts and secrets. */
  readonly detail: string
  /** What it means for messages, if the check knows more than is known of the kind; in one sentence. */
  readonly effect?: string | null
}

export interface Alarm extends Required<Observation> {
  readonly id: number
  readonly state: (typeof ALARM_STATES)[number]
  /** Times are milliseconds since 1970. */
  readonly openedAt: number
  readonly acknowledgedAt: number | null
  readonly acknowledgedBy: string | null
  readonly resolvedAt: number | null
  /** When a target last got a notification of it; null for never. */
  readonly notifiedAt: number | null
  /** Nodes that find the condition now; INSTALLATION for those that one node checks for all. */
  readonly seenBy: readonly number[]
}

/** Stands for the node that checks conditions of the whole installation, and for a gateway without a cluster. */
export const INSTALLATION = 0

/** `node`: each node checks its own carriers or disk. `installation`: one node checks for all. */
export const ALARM_SCOPES: Readonly<Record<AlarmKind, 'node' | 'installation'>> = {
  carrier_down: 'node',
  carrier_failing: 'node',
  delivery_share: 'installation',
  hook_stopped: 'installation',
  queue_old: 'installation',
  balance_low: 'installation',
  pumping: 'installation',
  ledger_discrepancy: 'installation',
  disk_full: 'node',
  keyword_lost: 'node',
  check_failed: 'installation',
  carrier_demoted: 'installation',
}

const MAX_RESOLVED_ALARMS = 500
const RESOLVED_KEPT_MS = 30 * 86_400_000
const MAX_SUBJECT = 200
const MAX_DETAIL = 300
/** Control characters, and invisible ones, some of which change the direction of text. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** Returns the observation with one-line texts of limited length, whatever carriers and clients wrote into them. */
export function asPrintable(observation: Observation): Observation {
  const { subject, detail, effect = null } = observation
  return {
    ...observation,
    subject: printable(subject, MAX_SUBJECT),
    detail: printable(detail, MAX_DETAIL),
    effect: effect === null ? null : printable(effect, MAX_DETAIL),
  }
}

function printable(text: string, most: number): string {
  return text.slice(0, most).replace(UNPRINTABLE, ' ')
}

/** Returns the alarm after the node found its condition, and whether its targets should be notified. */
export function raise(
  before: Alarm | null,
  { node, at, ...found }: Observation & { readonly node: number; readonly at: number },
): { readonly alarm: Omit<Alarm, 'id'>; readonly isNews: boolean } {
  const observation = { effect: null, ...found }
  if (before === null || before.state === 'resolved') {
    const unset = { acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, notifiedAt: null }
    return { alarm: { ...observation, ...unset, state: 'open', openedAt: at, seenBy: [node] }, isNews: true }
  }
  const seenBy = before.seenBy.includes(node) ? before.seenBy : [...before.seenBy, node]
  const isWorse = rankOf(observation) > rankOf(before)
  // Of several nodes, the first one describes the condition, unless another one finds it worse.
  if (seenBy[0] !== node && !isWorse) return { alarm: { ...before, seenBy }, isNews: false }
  const state = isWorse ? ({ state: 'open', acknowledgedAt: null, acknowledgedBy: null } as const) : {}
  return { alarm: { ...before, ...observation, ...state, seenBy }, isNews: isWorse }
}

/** Returns the alarm after the condition ended for these nodes. */
export function clear(alarm: Alarm, nodes: readonly number[], at: number): Alarm {
  if (alarm.state === 'resolved') return alarm
  const seenBy = alarm.seenBy.filter((node) => !nodes.includes(node))
  return seenBy.length > 0 ? { ...alarm, seenBy } : resolve(alarm, at)
}

export function resolve(alarm: Alarm, at: number): Alarm {
  return { ...alarm, state: 'resolved', resolvedAt: at, seenBy: [] }
}

export function acknowledge(alarm: Alarm, by: string, at: number): Alarm {
  return { ...alarm, state: 'acknowledged', acknowledgedAt: at, acknowledgedBy: by }
}

/** Whether the node's observation would change the alarm in more than words. */
export function isKnown(alarm: Alarm, { severity }: Observation, node: number): boolean {
  const { state, seenBy } = alarm
  if (state === 'resolved' || !seenBy.includes(node)) return false
  return seenBy[0] === node ? severity === alarm.severity : rankOf({ severity }) <= rankOf(alarm)
}

/** Returns the ids of resolved alarms that are no longer kept. */
export function expiredAlarms(alarms: readonly Alarm[], now: number): readonly number[] {
  const resolved = alarms.filter(({ state }) => state === 'resolved')
  const newestFirst = resolved.sort((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0))
  return newestFirst.flatMap(({ id, resolvedAt }, index) =>
    index >= MAX_RESOLVED_ALARMS || now - (resolvedAt ?? 0) >= RESOLVED_KEPT_MS ? id : [],
  )
}

/** Returns a text that is equal for equal keys only. */
export function alarmKeyText({ kind, subject }: AlarmKey): string {
  return `${kind} ${subject}`
}

/** Whether the severity is the minimum or worse. */
export function isSevere(severity: Severity, minimum: Severity): boolean {
  return rankOf({ severity }) >= rankOf({ severity: minimum })
}

/** For sorting: the most severe first. */
export function compareSeverity(a: Pick<Alarm, 'severity'>, b: Pick<Alarm, 'severity'>): number {
  return rankOf(b) - rankOf(a)
}

/** What waits for an operator. */
export interface OpenAlarms {
  /** Alarms that are not resolved. */
  readonly open: number
  /** Of those, the ones that no operator has acknowledged. */
  readonly unacknowledged: number
  /** Of the unacknowledged ones; null without any. */
  readonly worst: Severity | null
}

export function countOpen(alarms: readonly Alarm[]): OpenAlarms {
  const open = alarms.filter(({ state }) => state !== 'resolved')
  const unacknowledged = open.filter(({ state }) => state === 'open').sort(compareSeverity)
  return { open: open.length, unacknowledged: unacknowledged.length, worst: unacknowledged[0]?.severity ?? null }
}

function rankOf({ severity }: { readonly severity: Severity }): number {
  return SEVERITIES.indexOf(severity)
}
