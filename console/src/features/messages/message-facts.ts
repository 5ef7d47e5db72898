/** What the timeline of a message says about each of its steps. */
import type { AnswerOf } from '../../api/api.ts'

export type Trace = AnswerOf<'GET', '/messages/{message}'>
export type TraceEvent = Trace['timeline'][number]

/** How a step ended, or why it has not. */
type StepOutcome =
  | 'waiting'
  | 'carried'
  | 'delivered'
  | 'answered'
  | 'refused'
  | 'unreachable'
  | 'expired'
  | 'failed'
  | 'no route'
  | 'filtered'
  | 'cancelled'
  | 'unknown'
  | 'other'

export interface StepFacts {
  readonly channel: string
  readonly status: string
  readonly outcome: StepOutcome
  /** Null if no carrier took it, or for users who may not see it. */
  readonly carrier: string | null
  /** Milliseconds: when the message came to this step. */
  readonly startAt: number
  readonly takenAt: number | null
  /** Null while it goes on. */
  readonly endAt: number | null
  /** In the words of the carrier or ours; empty for none. */
  readonly detail: string
}

const ENDINGS: readonly string[] = ['refused', 'failed', 'expired', 'no route', 'filtered', 'unreachable', 'unclear']
const SUCCESSES: readonly string[] = ['delivered', 'answered', 'read']

export function isOfStep({ component, channel: of }: TraceEvent, channel: string): boolean {
  return of === channel && (component === 'carrier' || component === 'journey')
}

/** Returns the steps that the message has come to, in their order. */
export function readSteps(trace: Trace, startedAt = Date.parse(trace.accepted_at)): readonly StepFacts[] {
  const facts: StepFacts[] = []
  for (const step of trace.steps) {
    if (step.status === null) break
    const startAt = facts.at(-1)?.endAt ?? startedAt
    const events = trace.timeline.filter((event) => isOfStep(event, step.channel) && event.event !== 'late')
    const taken = events.find(({ event }) => event === 'taken' || event === 'accepted')
    const success = events.find(({ event }) => SUCCESSES.includes(event))
    const end = success ?? events.findLast(({ event }) => ENDINGS.includes(event))
    const outcome = outcomeOf(step.status, end?.event)
    facts.push({
      channel: step.channel,
      status: step.status,
      outcome,
      // An ending may be that of a carrier before the one that took it.
      carrier: (success ?? taken ?? end)?.carrier ?? step.carrier ?? null,
      startAt,
      takenAt: taken === undefined ? null : Date.parse(taken.at),
      endAt: isOpen(outcome) || end === undefined ? null : Date.parse(end.at),
      detail: step.detail ?? end?.detail ?? '',
    })
  }
  return facts
}

function isOpen(outcome: StepOutcome): boolean {
  return outcome === 'waiting' || outcome === 'carried'
}

function outcomeOf(status: string, end: string | undefined): StepOutcome {
  if (status === 'QUEUED') return 'waiting'
  if (status === 'ACCEPTED') return end === 'answered' ? 'answered' : 'carried'
  if (status === 'DELIVERED' || status === 'READ') return end === 'answered' ? 'answered' : 'delivered'
  if (status === 'CANCELLED') return 'cancelled'
  if (status === 'UNKNOWN') return 'unknown'
  if (status === 'NO ROUTE') return 'no route'
  if (status === 'FILTERED') return 'filtered'
  const known = ['refused', 'unreachable', 'expired', 'failed'] as const
  return known.find((each) => each === end) ?? 'other'
}

/** Returns the seconds from the request to the delivery; null without one. */
export function secondsToDelivery(trace: Trace, startedAt = Date.parse(trace.accepted_at)): number | null {
  const delivered = readSteps(trace, startedAt).find(({ outcome }) => outcome === 'delivered' || outcome === 'answered')
  return delivered?.endAt == null ? null : Math.max(0, (delivered.endAt - startedAt) / 1_000)
}
