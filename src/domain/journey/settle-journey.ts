/**
 * A message that a carrier has taken and that got no final receipt, as after a restore: an operator has it sent again,
 * or ends it. Part of journey.ts.
 */
import type { JourneyEvent } from '../message/journey-event.ts'
import type { Journey } from '../message/message.ts'
import { end, reportBetween } from './end-journey.ts'
import type { Turn } from './turn.ts'
import type { TurnDraft } from './turn-draft.ts'

type Settled = Extract<JourneyEvent, { kind: 'settled' }>

/** Returns whether a receipt is awaited, also while it waits to be sent again. A verification ends within minutes. */
export function isUnsettled(journey: Journey): boolean {
  const { phase, step, steps, verification } = journey
  if (verification !== undefined) return false
  return phase === 'carried' ? steps[step]?.status === 'ACCEPTED' : waitsAgain(journey)
}

/** Whether it waits to be sent again, and no carrier has been asked yet. */
function waitsAgain({ phase, step, steps }: Journey): boolean {
  const { again, uncertain, parts = [] } = steps[step] ?? {}
  return phase === 'open' && again === true && uncertain === undefined && parts.every(({ state }) => state !== 'taken')
}

export function settled(draft: TurnDraft, { by }: Settled): Turn | null {
  const { journey, now } = draft
  if (!isUnsettled(draft.message.journey)) return null
  if (by === 'end') return endedWithoutReceipt(draft)
  return journey.phase === 'carried' && now < journey.deadlineAt ? sentAgain(draft) : null
}

/** Opens again what was not delivered, within the lifetime of the step. Nothing is charged twice. */
function sentAgain(draft: TurnDraft): Turn {
  const { journey, now } = draft
  const { step } = journey
  const detail = 'sent again by an operator: there was no receipt'
  draft.note('resumed', step, draft.step(step).carrierId, detail)
  draft.changeStatus(step, 'QUEUED', detail)
  draft.changeTried(step, [])
  const state = draft.editStep(step)
  state.again = true
  state.parts = state.parts.map((part) => (part.state === 'taken' ? { state: 'open', ref: null } : part))
  journey.status = 'QUEUED'
  journey.phase = 'open'
  journey.attempts = 0
  journey.dueAt = now
  reportBetween(draft)
  return draft.done()
}

/** No other channel is tried: the recipient may have the message. */
function endedWithoutReceipt(draft: TurnDraft): Turn {
  const { step } = draft.journey
  const detail = 'ended by an operator: there was no receipt'
  draft.note('failed', step, draft.step(step).carrierId, detail)
  draft.orderRevoke(step)
  draft.changeStatus(step, 'UNKNOWN', detail)
  end(draft, 'UNKNOWN')
  return draft.done()
}
