/** How a step waits for a later time, and is tried before it. Part of journey.ts. */
import type { JourneyEvent } from '../message/journey-event.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'

type Event<Kind extends JourneyEvent['kind']> = Extract<JourneyEvent, { kind: Kind }>

/** The remaining lifetime is kept for when the step resumes, with the best carrier again. */
export function postponed(draft: TurnDraft, { step, until, reason, rules }: Event<'postponed'>): Turn | null {
  const { journey, now } = draft
  if (journey.phase !== 'open' || journey.step !== step || until <= now) return null
  if (until !== journey.postponed?.until) draft.note('postponed', step, null, reason)
  draft.changeTried(step, [])
  journey.deadlineAt = until + Math.max(0, journey.deadlineAt - Math.max(now, stoppedUntil(journey)))
  journey.dueAt = until
  journey.postponed = { until, reason, rules }
  return draft.done()
}

/** Tries the step now: its lifetime goes on from now, if it was stopped. */
export function resumed(draft: TurnDraft, { by }: Event<'resumed'>): Turn | null {
  const { journey, now } = draft
  const { step, phase, dueAt } = journey
  if (phase !== 'open' || dueAt === null || dueAt <= now) return null
  draft.note('resumed', step, null, by === 'operator' ? 'sent now by an operator' : 'the quiet hours have changed')
  journey.deadlineAt -= Math.max(0, stoppedUntil(journey) - now)
  journey.dueAt = now
  if (by === 'rules') return draft.done()
  journey.urgent = true
  if (now < beginOf(journey)) journey.sentNowAt = now
  return draft.done()
}

/** Returns the time until which the lifetime of the step does not count, milliseconds; 0 if it counts. */
function stoppedUntil(journey: TurnDraft['journey']): number {
  const { postponed, step, attempts } = journey
  return postponed?.until ?? (step === 0 && attempts === 0 ? beginOf(journey) : 0)
}

/** Returns the time before which the message is not to be sent, milliseconds; 0 if there is none. */
function beginOf({ sentNowAt, sendAt = 0 }: TurnDraft['journey']): number {
  return sentNowAt ?? sendAt
}
