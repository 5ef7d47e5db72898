/** The statistics of calls and verifications of a turn (call-statistics.ts). */
import type { JourneyEvent } from '../message/journey-event.ts'
import type { EndState } from '../message/verification.ts'
import type { TurnDraft } from './turn-draft.ts'

/** The carrier had no line free, so this is no attempt. */
export function countTries(draft: TurnDraft, event: Extract<JourneyEvent, { kind: 'answered' }>): void {
  const { carrierId, verdicts } = event
  for (const verdict of verdicts) {
    if (verdict.kind === 'slow') continue
    const failure = verdict.kind === 'refused' ? (verdict.cause ?? 'failed') : 'failed'
    draft.countCall({ carrierId, outcome: verdict.kind === 'taken' ? 'rang' : failure, ringMs: 0 })
  }
}

/** The step records when the phone rang, as long as it is the current one. */
export function countEnd(
  draft: TurnDraft,
  { step, carrierId }: Extract<JourneyEvent, { kind: 'receipt' }>,
  outcome: 'answered' | 'unanswered',
): void {
  const { status, at, carrierId: rangBy } = draft.step(step)
  if ((status !== 'DELIVERED' && status !== 'ACCEPTED') || rangBy !== carrierId) return
  draft.countCall({ carrierId, outcome, ringMs: Math.max(0, draft.now - at) })
}

/** Counts a verification at its end, for the carrier of its last step, or of the step whose code was approved. */
export function countVerification(draft: TurnDraft, state: EndState): void {
  const { journey, message, now } = draft
  const { carrierId } = draft.step(journey.step)
  const approvedMs = state === 'approved' ? Math.max(0, now - message.createdAt) : 0
  draft.countCall({ carrierId: carrierId ?? '', outcome: `verify ${state}`, ringMs: approvedMs })
}
