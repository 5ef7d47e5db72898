/** What an opt-out after the message, or its undoing, does to the message. Part of journey.ts. */
import { MAX_CONSENT_CHANGES } from '../consent/unsubscribe-link.ts'
import type { JourneyEvent } from '../message/journey-event.ts'
import { consentReportType, writeConsentReport } from '../reports/report.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'

/** Notes and reports it, whatever state the message is in. Returns null for a repeat. */
export function consentChanged(draft: TurnDraft, event: Extract<JourneyEvent, { kind: 'consent' }>): Turn | null {
  const { step, optsOut, isNew, by } = event
  const { steps, changes } = draft.journey.consent ?? { steps: [], changes: 0 }
  const isRepeat = steps.includes(step) === optsOut && !isNew
  if (isRepeat || changes >= MAX_CONSENT_CHANGES) return null
  const others = steps.filter((each) => each !== step)
  draft.journey.consent = { steps: optsOut ? [...others, step] : others, changes: changes + 1 }
  draft.note(optsOut ? 'opted out' : 'opted in', step, null, `by ${by}`)
  draft.report(consentReportType(optsOut), (message, number) => writeConsentReport(message, event, number))
  return draft.done()
}
