/** The call statistics of a turn (call-statistics.ts). */
import type { JourneyEvent } from './journey-event.ts'
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
