/** Counts of messages by carrier and destination, from which the quality of carriers is judged. */
import type { RoutedChannel } from '../channels/channel.ts'
import type { Turn } from '../journey/turn.ts'
import { isForgotten } from '../message/message.ts'
import { countryOf } from '../numbers/country.ts'
import type { QualityPlace } from './demotion.ts'
import type { QualityRules } from './quality-rule.ts'

/** Of the messages that a carrier took or refused in a slot of time. */
export interface QualityCounts {
  readonly sent: number
  /** In time (QualityRule). */
  readonly delivered: number
  /** Sum of their times, as far as they are known. */
  readonly deliveredMs: number
  /** Messages with a one-time code. */
  readonly codes: number
  /** Those whose code was entered in time. */
  readonly converted: number
  /** Of `delivered`, by time, if it is known: each without those before it. Counts of earlier versions have none. */
  readonly in10s: number
  readonly in30s: number
  readonly in90s: number
  readonly later: number
}

export const COUNT_NAMES = [
  'sent',
  'delivered',
  'deliveredMs',
  'codes',
  'converted',
  'in10s',
  'in30s',
  'in90s',
  'later',
] as const satisfies readonly (keyof QualityCounts)[]

export const NO_COUNTS: QualityCounts = {
  ...{ sent: 0, delivered: 0, deliveredMs: 0, codes: 0, converted: 0 },
  ...{ in10s: 0, in30s: 0, in90s: 0, later: 0 },
}

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
  return combine(a, b, (x, y) => x + y)
}

/** Returns what is in `whole` and not in `part`, a part of it. */
export function withoutCounts(whole: QualityCounts, part: QualityCounts): QualityCounts {
  return combine(whole, part, (x, y) => Math.max(0, x - y))
}

function combine(a: QualityCounts, b: QualityCounts, by: (x: number, y: number) => number): QualityCounts {
  return {
    sent: by(a.sent, b.sent),
    delivered: by(a.delivered, b.delivered),
    deliveredMs: by(a.deliveredMs, b.deliveredMs),
    codes: by(a.codes, b.codes),
    converted: by(a.converted, b.converted),
    in10s: by(a.in10s, b.in10s),
    in30s: by(a.in30s, b.in30s),
    in90s: by(a.in90s, b.in90s),
    later: by(a.later, b.later),
  }
}

/** Returns the counts of a message that was delivered in time. */
export function deliveryCounts(deliveredMs: number): Partial<QualityCounts> {
  const name =
    deliveredMs <= 10_000 ? 'in10s' : deliveredMs <= 30_000 ? 'in30s' : deliveredMs <= 90_000 ? 'in90s' : 'later'
  return { delivered: 1, deliveredMs, [name]: 1 }
}

export interface QualityCounting {
  readonly rules: QualityRules
  /** When the gateway started, milliseconds: receipts of messages that were taken before may have waited for it. */
  readonly since: number
}

/** Calls `count` with what a turn adds; nothing if the carrier is not judged. */
export function countTurnQuality(
  { message, counts, timeline }: Turn,
  { rules, since }: QualityCounting,
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
    if (carrierId !== null && channel !== undefined && rules.of({ carrierId, country }).mode !== 'off') {
      count({ channel, carrierId, country, operator: message.operator }, at, added)
    }
  }
  const withinMs = (step: number) => rules.of({ carrierId: journey.steps[step]?.carrierId ?? null, country }).withinMs
  for (const { event, step, takenAt } of counts) {
    if (event === 'taken' || event.startsWith('fell back untaken') || event.startsWith('failed untaken')) {
      add(step, timeline[0]?.at ?? message.createdAt, isCode ? { sent: 1, codes: 1 } : { sent: 1 })
    } else if (event.startsWith('delivered') && takenAt !== undefined) {
      const deliveredMs = (timeline[0]?.at ?? takenAt) - takenAt
      if (takenAt < since) add(step, takenAt, { delivered: 1 })
      else if (deliveredMs <= withinMs(step)) add(step, takenAt, deliveryCounts(deliveredMs))
    }
  }
  if (timeline[0]?.kind === 'approved') {
    const step = journey.deliveredBy ?? journey.step
    const { at = message.createdAt } = journey.steps[step] ?? {}
    if (timeline[0].at - message.createdAt <= withinMs(step)) add(step, Math.min(at, timeline[0].at), { converted: 1 })
  }
}
