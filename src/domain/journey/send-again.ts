/**
 * A step that a carrier took and reported as `closed`: the carrier sends it once more, in a form that needs no message
 * of the recipient. Part of journey.ts.
 */
import type { JourneyEvent } from '../message/journey-event.ts'
import { reportBetween } from './end-journey.ts'
import type { TurnDraft } from './turn-draft.ts'

type Receipt = Extract<JourneyEvent, { kind: 'receipt' }>

/** Whether the receipt is about what was sent before the step was sent again. */
export function isOfEarlierTry(draft: TurnDraft, { step, part, ref }: Receipt): boolean {
  const { closed, again } = draft.step(step)
  return ref !== undefined && (closed ?? again) === true && draft.part(step, part).ref !== ref
}

/** Once, because a carrier without another form would be asked forever. */
export function maySendAgain(draft: TurnDraft, { step, outcome }: Receipt): boolean {
  const { journey, now } = draft
  const isFirst = outcome === 'closed' && draft.step(step).closed !== true
  return isFirst && journey.phase === 'carried' && now < journey.deadlineAt
}

/** Opens the part again, within the lifetime of its step. */
export function sendAgain(draft: TurnDraft, { step, part, carrierId, detail }: Receipt): void {
  const { journey, now } = draft
  draft.note('failed', step, carrierId, detail)
  draft.changeStatus(step, 'QUEUED', detail)
  draft.changeTried(step, [])
  const state = draft.editStep(step)
  state.closed = true
  state.parts = state.parts.with(part, { state: 'open', ref: null })
  journey.status = 'QUEUED'
  journey.phase = 'open'
  journey.attempts = 0
  journey.dueAt = now
  reportBetween(draft)
}
