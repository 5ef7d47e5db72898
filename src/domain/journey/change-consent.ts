/** What an opt-out after the message, or its undoing, does to the message. Part of journey.ts. */
import { MAX_CONSENT_CHANGES } from '../consent/unsubscribe-link.ts'
import type { JourneyEvent } from '../message/journey-event.ts'
import { isOfVerification } from '../message/message.ts'
import { consentReportType, writeConsentReport } from '../reports/report.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'

type ConsentEvent = Extract<JourneyEvent, { kind: 'consent' }>

/** Notes and reports it, whatever state the message is in. Returns null for a repeat. */
export function consentChanged(draft: TurnDraft, event: ConsentEvent): Turn | null {
  return noteConsent(draft, event) ? draft.done() : null
}

/** Notes and reports an opt-out at the carrier, once for each step. */
export function optedOutAtCarrier(
  draft: TurnDraft,
  { step, optedOutOf: sender }: Pick<Extract<JourneyEvent, { kind: 'answered' }>, 'step' | 'optedOutOf'>,
): void {
  if (sender === undefined) return
  noteConsent(draft, { kind: 'consent', at: draft.now, step, sender, optsOut: true, by: 'carrier', isNew: false })
}

/** Returns whether it was not noted before. */
function noteConsent(draft: TurnDraft, event: ConsentEvent): boolean {
  const { step, optsOut, isNew, by } = event
  const { steps, changes } = draft.journey.consent ?? { steps: [], changes: 0 }
  const isRepeat = steps.includes(step) === optsOut && !isNew
  if (isRepeat || changes >= MAX_CONSENT_CHANGES) return false
  const others = steps.filter((each) => each !== step)
  draft.journey.consent = { steps: optsOut ? [...others, step] : others, changes: changes + 1 }
  draft.note(optsOut ? 'opted out' : 'opted in', step, null, `by ${by}`)
  // A verification has one report, of its end.
  if (isOfVerification(draft.journey)) return true
  draft.report(consentReportType(optsOut), (message, number) => writeConsentReport(message, event, number))
  return true
}
