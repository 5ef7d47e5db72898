/** What an opt-out by a link of the message, or its undoing, does to the message. Part of journey.ts. */
import type { JourneyEvent } from './journey-event.ts'
import { consentReportType, writeConsentReport } from './report.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'
import { MAX_CONSENT_CHANGES } from './unsubscribe-link.ts'

/** Notes and reports it, whatever state the message is in. Returns null for a repeat. */
export function consentChanged(draft: TurnDraft, event: Extract<JourneyEvent, { kind: 'consent' }>): Turn | null {
  const { step, optsOut, isNew } = event
  const { steps, changes } = draft.journey.linkConsent ?? { steps: [], changes: 0 }
  const isRepeat = steps.includes(step) === optsOut && !isNew
  if (isRepeat || changes >= MAX_CONSENT_CHANGES) return null
  const others = steps.filter((each) => each !== step)
  draft.journey.linkConsent = { steps: optsOut ? [...others, step] : others, changes: changes + 1 }
  draft.note(optsOut ? 'opted out' : 'opted in', step, null, 'by link')
  draft.report(consentReportType(optsOut), (message, number) => writeConsentReport(message, event, number))
  return draft.done()
}
