/** Makes turns by the real `advance`: what a test says is only what happened. */
import { advance } from '../../src/domain/journey/journey.ts'
import type { Turn } from '../../src/domain/journey/turn.ts'
import type { JourneyEvent, ReceiptOutcome, Verdict } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { BEGINNING } from './build-message.ts'

export const TEST_CARRIER = 'carrier-1'

interface Circumstances {
  readonly at?: number
  readonly carrierId?: string
  /** The step under way unless it is given. */
  readonly step?: number
  readonly part?: number
  /** What a receipt says that the part is billed as. */
  readonly category?: string
}

/** The turn; throws when the event changes nothing. */
function makeTurn(message: Message, event: JourneyEvent): Turn {
  const turn = advance(message, event)
  if (turn === null) throw new Error(`a ${event.kind} changes nothing here`)
  return turn
}

/** A carrier takes the parts of the step under way, one ref for each. */
export function taken(message: Message, refs: readonly string[], about: Circumstances = {}): Turn {
  return answered(
    message,
    refs.map((ref) => ({ kind: 'taken', ref })),
    about,
  )
}

export function refused(message: Message, reason = 'no such subscriber', about: Circumstances = {}): Turn {
  return answered(message, [{ kind: 'refused', status: 'UNDELIVERABLE', reason }], about)
}

export function unclear(message: Message, reason = 'no answer', about: Circumstances = {}): Turn {
  return answered(message, [{ kind: 'unclear', reason }], about)
}

export function answered(message: Message, verdicts: readonly Verdict[], about: Circumstances = {}): Turn {
  const { at = BEGINNING + 1_000, carrierId = TEST_CARRIER, step = message.journey.step } = about
  return makeTurn(message, {
    kind: 'answered',
    at,
    step,
    carrierId,
    verdicts: verdicts.map((verdict, part) => ({ ...verdict, part })),
    anotherLeft: false,
    jitter: 0,
  })
}

export function receipt(message: Message, outcome: ReceiptOutcome, about: Circumstances = {}): Turn {
  const { at = BEGINNING + 2_000, carrierId = TEST_CARRIER, step = message.journey.step, part = 0 } = about
  const billed = about.category === undefined ? {} : { category: about.category }
  return makeTurn(message, {
    kind: 'receipt',
    at,
    step,
    part,
    carrierId,
    outcome,
    detail: `stat:${outcome}`,
    ...billed,
  })
}

/** A carrier's answer to a revocation: it changes nothing but the timeline. */
export function revoked(message: Message, detail: string): Turn {
  const { step } = message.journey
  return makeTurn(message, { kind: 'revoked', at: BEGINNING + 3_000, step, carrierId: TEST_CARRIER, detail })
}

export function clicked(message: Message, url: string, code: string, at = BEGINNING + 3_000): Turn {
  return makeTurn(message, { kind: 'clicked', at, url, code })
}
