/** What a check of its code, and the end of its time, do to a verification. Part of journey.ts. */
import { stepOfCode } from '../message/code-steps.ts'
import type { JourneyEvent } from '../message/journey-event.ts'
import { isPending, MAX_WRONG_CODES, type Verification, type VerificationState } from '../message/verification.ts'
import { deliveredStep, end } from './end-journey.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'

/** A check after the end changes nothing. */
export function checked(draft: TurnDraft, event: Extract<JourneyEvent, { kind: 'checked' }>): Turn | null {
  const { verification } = draft.journey
  if (!isPending(verification)) return null
  if (isOver(draft)) return expired(draft)
  const step = stepOfCode(draft.message, event.code)
  if (step === null) wrong(draft, verification)
  else approved(draft, step, { ...verification, state: 'approved', approvedBy: event.checkId })
  return draft.done()
}

/** Whether the time of a pending verification is over. */
export function isOver({ journey, now }: TurnDraft): boolean {
  return isPending(journey.verification) && now >= journey.verification.expiresAt
}

export function expired(draft: TurnDraft): Turn {
  draft.note('expired', draft.journey.step, null, 'no right code within its lifetime')
  endUnproved(draft, 'expired', 'no right code within its lifetime')
  return draft.done()
}

/** The right code proves that the step has arrived, whether or not a carrier reported it. */
function approved(draft: TurnDraft, step: number, verification: Verification): void {
  const { journey } = draft
  journey.verification = verification
  draft.note('approved', step, null, '')
  if (journey.deliveredBy === null) {
    deliveredStep(draft, step)
    return
  }
  if (journey.deliveredBy !== step) {
    draft.changeStatus(step, 'DELIVERED', null)
    journey.deliveredBy = step
    journey.step = step
    journey.status = 'DELIVERED'
  }
  end(draft, journey.status)
}

function wrong(draft: TurnDraft, verification: Verification): void {
  const wrongCodes = verification.wrongCodes + 1
  draft.journey.verification = { ...verification, wrongCodes }
  draft.note('wrong code', draft.journey.step, null, `${wrongCodes} of ${MAX_WRONG_CODES}`)
  if (wrongCodes >= MAX_WRONG_CODES) endUnproved(draft, 'too_many', 'too many wrong codes')
}

/** The step in progress ends with the verification; what was delivered stays delivered. */
function endUnproved(draft: TurnDraft, state: VerificationState, detail: string): void {
  const { journey } = draft
  if (journey.verification !== undefined) journey.verification = { ...journey.verification, state }
  if (journey.deliveredBy !== null) {
    end(draft, journey.status)
    return
  }
  const { status } = draft.step(journey.step)
  if (status === 'QUEUED' || status === 'ACCEPTED') {
    draft.orderRevoke(journey.step)
    draft.changeStatus(journey.step, 'EXPIRED', detail)
  }
  end(draft, 'EXPIRED')
}
