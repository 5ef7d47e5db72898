/** How a message is delivered and ends: what is charged, released and reported then. Part of journey.ts. */
import { mayBeThere, rungStep } from '../message/code-steps.ts'
import { isOfVerification } from '../message/message.ts'
import type { Failure, Status } from '../message/status.ts'
import { isPending, stateAtEnd } from '../message/verification.ts'
import { NO_MONEY, toMicros } from '../money/money.ts'
import { writeStatusReport, writeVerifyReport } from '../reports/report.ts'
import { countVerification } from './count-calls.ts'
import type { TurnDraft } from './turn-draft.ts'

/** Ends the message, or leaves it to wait for its code to be checked. */
export function deliveredStep(draft: TurnDraft, step: number): void {
  const { journey } = draft
  const underWay = journey.step
  if (underWay !== step) {
    draft.orderRevoke(underWay)
    draft.editStep(underWay).detail = 'no longer needed: an earlier step was delivered'
  }
  draft.changeStatus(step, 'DELIVERED', null)
  journey.step = step
  journey.deliveredBy = step
  charge(draft, step)
  if (isPending(journey.verification)) awaitCode(draft, 'DELIVERED')
  else end(draft, 'DELIVERED')
}

/** Ends a message whose last step has failed, unless the recipient may still use the code of an earlier step. */
export function endFailed(draft: TurnDraft, status: Failure): void {
  const { verification, steps } = draft.journey
  if (isPending(verification) && draft.now < verification.expiresAt && mayBeThere(steps)) awaitCode(draft, 'ACCEPTED')
  else end(draft, status)
}

export function end(draft: TurnDraft, status: Status): void {
  const { journey } = draft
  journey.status = status
  journey.phase = 'ended'
  journey.dueAt = null
  if (journey.verification === undefined) {
    releaseRest(draft)
    reportStatus(draft)
    return
  }
  const { state: decided } = journey.verification
  const state = decided === 'pending' ? stateAtEnd(status) : decided
  journey.verification = { ...journey.verification, state }
  countVerification(draft, state)
  const rung = rungStep(draft.message)
  if (rung !== null) charge(draft, rung)
  releaseRest(draft)
  draft.report('verify.status', (seen, number) => writeVerifyReport(seen, draft.now, number))
}

/** A message is charged once, for the first step that earns its price; the rest is released. */
export function charge(draft: TurnDraft, step: number): void {
  const { journey } = draft
  if (journey.heldMicros === NO_MONEY) return
  const { priceMicros, channel, parts } = draft.planned(step)
  const { carrierId } = draft.step(step)
  const { operator } = draft.message
  // The cost is added by callers that know the carrier's prices (domain/money/cost.ts).
  draft.post('charge', priceMicros, { channel, operator, parts, carrierId, cost: null })
  journey.chargedMicros = priceMicros
  journey.heldMicros = toMicros(journey.heldMicros - priceMicros)
  releaseRest(draft)
}

/** A verification is reported once, at its end (`end`), not step by step; a message that repeats its code never is. */
export function reportStatus(draft: TurnDraft): void {
  if (isOfVerification(draft.journey)) return
  draft.report('message.status', (seen, number) => writeStatusReport(seen, draft.now, number))
}

export function reportBetween(draft: TurnDraft): void {
  if (draft.message.reportSteps) reportStatus(draft)
}

function awaitCode(draft: TurnDraft, status: 'ACCEPTED' | 'DELIVERED'): void {
  const { journey } = draft
  const { expiresAt = draft.now } = journey.verification ?? {}
  journey.status = status
  journey.phase = 'carried'
  journey.deadlineAt = expiresAt
  journey.dueAt = expiresAt
}

function releaseRest(draft: TurnDraft): void {
  draft.post('release', draft.journey.heldMicros)
  draft.journey.heldMicros = NO_MONEY
}
