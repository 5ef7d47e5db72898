/** Counts of messages by carrier and destination, from which the quality of carriers is judged. */
import type { RoutedChannel } from '../channels/channel.ts'
import type { Turn } from '../journey/turn.ts'
import { isForgotten } from '../message/message.ts'
import { countryOf } from '../numbers/country.ts'
import type { QualityPlace } from './demotion.ts'
import type { RuleOf } from './quality-rule.ts'

/** Of the messages that a carrier took or refused in a slot of time. */
export interface QualityCounts {
  readonly sent: number
  /** In time (QualityRule). */
  readonly delivered: number
  /** Sum of their times. */
  readonly deliveredMs: number
  /** Messages with a one-time code. */
  readonly codes: number
  /** Those whose code was entered in time. */
  readonly converted: number
}

export const COUNT_NAMES = [
  'sent',
  'delivered',
  'deliveredMs',
  'codes',
  'converted',
] as const satisfies readonly (keyof QualityCounts)[]

export const NO_COUNTS: QualityCounts = { sent: 0, delivered: 0, deliveredMs: 0, codes: 0, converted: 0 }

/** Counts of a slot; `operator` is null if it is unknown. */
export interface QualityRow extends QualityPlace, QualityCounts {
  /** Milliseconds: when the slot began. */
  readonly slot: number
}

/** Of a slot. */
export const SLOT_MS = 120_000
const DAY_MS = 86_400_000
export const USUAL_MS = 7 * DAY_MS

export function slotOf(at: number): number {
  return at - (at % SLOT_MS)
}

export function dayOf(at: number): number {
  return at - (at % DAY_MS)
}

export function addCounts(a: QualityCounts, b: QualityCounts): QualityCounts {
  return {
    sent: a.sent + b.sent,
    delivered: a.delivered + b.delivered,
    deliveredMs: a.deliveredMs + b.deliveredMs,
    codes: a.codes + b.codes,
    converted: a.converted + b.converted,
  }
}

/** Returns what is in `whole` and not in `part`, a part of it. */
export function withoutCounts(whole: QualityCounts, part: QualityCounts): QualityCounts {
  const rest = (name: keyof QualityCounts) => Math.max(0, whole[name] - part[name])
  return {
    sent: rest('sent'),
    delivered: rest('delivered'),
    deliveredMs: rest('deliveredMs'),
    codes: rest('codes'),
    converted: rest('converted'),
  }
}

/** Calls `count` with what a turn adds; nothing if the carrier is not judged. */
export function countTurnQuality(
  { message, counts, timeline }: Turn,
  ruleOf: RuleOf,
  count: (place: QualityPlace, at: number, counts: Partial<QualityCounts>) => void,
): void {
  if (counts.length === 0 && timeline[0]?.kind !== 'approved') return
  const { journey, plan } = message
  if (message.test || journey.testedCarrier !== undefined || isForgotten(message)) return
  const country = countryOf(message.phone)
  if (country === null) return
  const isCode = journey.verification !== undefined
  const add = (step: number, at: number, added: Partial<QualityCounts>) => {
    const carrierId = journey.steps[step]?.carrierId ?? null
    const channel = plan[step]?.channel as RoutedChannel | undefined
    if (carrierId !== null && channel !== undefined && ruleOf(carrierId).mode !== 'off') {
      count({ channel, carrierId, country, operator: message.operator }, at, added)
    }
  }
  for (const { event, step, takenAt } of counts) {
    if (event === 'taken' || event.startsWith('fell back untaken') || event.startsWith('failed untaken')) {
      add(step, timeline[0]?.at ?? message.createdAt, isCode ? { sent: 1, codes: 1 } : { sent: 1 })
    } else if (event.startsWith('delivered') && takenAt !== undefined) {
      const deliveredMs = (timeline[0]?.at ?? takenAt) - takenAt
      const carrierId = journey.steps[step]?.carrierId ?? ''
      if (deliveredMs <= ruleOf(carrierId).withinMs) add(step, takenAt, { delivered: 1, deliveredMs })
    }
  }
  if (timeline[0]?.kind === 'approved') {
    const step = journey.deliveredBy ?? journey.step
    const { at = message.createdAt } = journey.steps[step] ?? {}
    const carrierId = journey.steps[step]?.carrierId ?? ''
    if (timeline[0].at - message.createdAt <= ruleOf(carrierId).withinMs)
      add(step, Math.min(at, timeline[0].at), { converted: 1 })
  }
}
