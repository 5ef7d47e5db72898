/**
 * What happens next to a message. `advance` is the only place that decides it: message and event in, turn out. It is
 * pure: no clock, no randomness, no store. See docs/reference/message-states.md for the diagram.
 */
import { descriptorOf } from '../channels/channel.ts'
import { failureOfAttempt } from '../message/call-attempt.ts'
import type { Canceller, JourneyEvent, ReceiptOutcome } from '../message/journey-event.ts'
import {
  beginStep,
  deadlineOf,
  isForgotten,
  isPartlyTaken,
  type Journey,
  type Message,
  type StepState,
} from '../message/message.ts'
import { hasNextChannel } from '../message/resend.ts'
import type { Failure } from '../message/status.ts'
import { describe, gravestOf, mayHaveArrived, type NotTaken } from '../message/verdicts.ts'
import { isPending } from '../message/verification.ts'
import { type Listeners, NO_LISTENERS } from '../reports/client-hook.ts'
import { writeClickReport } from '../reports/report.ts'
import { consentChanged, optedOutAtCarrier } from './change-consent.ts'
import { checked, expired, isOver } from './check-code.ts'
import { countEnd, countTries } from './count-calls.ts'
import { charge, deliveredStep, end, endFailed, reportBetween, reportStatus } from './end-journey.ts'
import { postponed, resumed } from './postpone-step.ts'
import { isOfEarlierTry, maySendAgain, sendAgain } from './send-again.ts'
import { settled } from './settle-journey.ts'
import type { TimelineKind, Turn } from './turn.ts'
import { TurnDraft } from './turn-draft.ts'
import { waitAsked } from './wait-asked.ts'

/**
 * How often a receipt that changes nothing is noted, per part and outcome: enough to show that a carrier repeats
 * itself.
 */
const MAX_NOTED = 5

type Event<Kind extends JourneyEvent['kind']> = Extract<JourneyEvent, { kind: Kind }>

/**
 * Returns the turn that an event causes; null if it changes nothing at all. `listeners` get its reports unless the
 * message has a hook of its own.
 */
export function advance(message: Message, event: JourneyEvent, listeners: Listeners = NO_LISTENERS): Turn | null {
  // The recipient was erased; what carriers still report would identify the phone again.
  if (isForgotten(message)) return null
  const draft = new TurnDraft(message, event.at, listeners)
  switch (event.kind) {
    case 'answered':
      return answered(draft, event)
    case 'filtered':
      return filtered(draft, event)
    case 'postponed':
      return postponed(draft, event)
    case 'resumed':
      return resumed(draft, event)
    case 'settled':
      return settled(draft, event)
    case 'unroutable':
      return unroutable(draft, event)
    case 'receipt':
      return receipt(draft, event)
    case 'timeout':
      return timeout(draft)
    case 'cancelled':
      return cancelled(draft, event)
    case 'checked':
      return checked(draft, event)
    case 'resent':
      return resent(draft, event)
    case 'revoked':
      draft.note('revoked', event.step, event.carrierId, event.detail)
      return draft.done()
    case 'consent':
      return consentChanged(draft, event)
    case 'clicked':
      return clicked(draft, event)
  }
}

/** The first click of a link is reported; two nodes may each take theirs for the first. */
function clicked(draft: TurnDraft, event: Event<'clicked'>): Turn | null {
  const { clicked: before = [], step } = draft.journey
  if (before.includes(event.code)) return null
  draft.journey.clicked = [...before, event.code]
  draft.note('clicked', step, null, event.code)
  draft.report('link.clicked', (seen, number) => writeClickReport(seen, event, number))
  return draft.done()
}

function answered(draft: TurnDraft, event: Event<'answered'>): Turn {
  const awaited = isOpen(draft, event.step)
  // A carrier that could not be reached has nothing to revoke.
  if (event.verdicts.some(({ kind }) => kind !== 'unreachable')) {
    draft.changeCarrier(event.step, event.carrierId)
    if (event.from !== undefined) draft.changeSender(event.step, event.from)
  }
  keepTaken(draft, event)
  if (event.verdicts.some(({ kind }) => kind === 'unclear')) draft.editStep(event.step).uncertain = true
  if (draft.planned(event.step).channel === 'call') countTries(draft, event)
  if (awaited) judge(draft, event)
  else answeredLate(draft, event)
  optedOutAtCarrier(draft, event)
  return draft.done()
}

/** Whatever else is decided, receipts may arrive under the ids that the carrier assigned or was given. */
function keepTaken(draft: TurnDraft, { step, carrierId, verdicts }: Event<'answered'>): void {
  for (const verdict of verdicts) {
    if ((verdict.kind !== 'taken' && verdict.kind !== 'unclear') || verdict.ref === undefined) continue
    const { ref, part } = verdict
    draft.addRef({ carrierId, ref, step, part })
    if (verdict.kind === 'unclear') continue
    for (const further of verdict.furtherRefs ?? []) draft.addRef({ carrierId, ref: further, step, part })
    if (draft.part(step, part).state !== 'open') continue
    const taken = draft.editPart(step, part)
    if (verdict.category !== undefined) taken.category = verdict.category
    if (verdict.perPart === true) taken.perPart = true
    taken.state = 'taken'
    taken.ref = ref
  }
}

/** The gravest verdict decides for the whole step. Parts that another answer has settled are not judged again. */
function judge(draft: TurnDraft, event: Event<'answered'>): void {
  const { step, carrierId, verdicts } = event
  const gravest = gravestOf(verdicts.filter(({ part }) => draft.part(step, part).state === 'open'))
  draft.note(gravest?.kind ?? 'taken', step, carrierId, describeAnswer(draft, event))
  draft.journey.attempts += 1
  if (gravest?.kind === 'refused') failStep(draft, step, gravest.status, gravest.reason)
  else if (draft.step(step).parts.every((part) => part.state !== 'open')) carried(draft, step)
  else tryAgain(draft, event, gravest)
}

/** The message has moved on: revokes what the carrier may have, so that the recipient does not get it twice. */
function answeredLate(draft: TurnDraft, event: Event<'answered'>): void {
  const { step, carrierId, verdicts } = event
  draft.note('late', step, carrierId, describeAnswer(draft, event))
  if (isAbandoned(draft, step) && verdicts.some(mayHaveArrived)) draft.orderRevoke(step)
}

/** Names the member of a pool that it was sent from, which later changes of the pool do not change. */
function describeAnswer(draft: TurnDraft, { step, verdicts, from, note }: Event<'answered'>): string {
  const isMember = from !== undefined && from !== draft.planned(step).sender
  const answer = isMember ? `${describe(verdicts)}, from ${from}` : describe(verdicts)
  return note === undefined ? answer : `${answer}; ${note}`
}

/**
 * Retries at once with the next carrier if this one could not be reached, or asks to slow down and certainly has not
 * taken any of it; otherwise waits and starts again with all carriers.
 */
function tryAgain(draft: TurnDraft, event: Event<'answered'>, gravest: NotTaken | null): void {
  const { step, carrierId, anotherLeft, jitter } = event
  const { journey, now } = draft
  const { channel } = draft.planned(step)
  const { tried = [], uncertain } = draft.step(step)
  const leaves = gravest?.kind === 'unreachable' || (gravest?.kind === 'slow' && uncertain !== true)
  const goesOn = leaves && anotherLeft && !tried.includes(carrierId) && !isPartlyTaken(draft.step(step))
  const failure = goesOn ? null : failureOfAttempt(channel, gravest)
  if (failure !== null) {
    failStep(draft, step, failure, gravest?.reason ?? '')
    return
  }
  draft.changeTried(step, goesOn ? [...tried, carrierId] : [])
  draft.editStep(step).detail = gravest?.reason ?? null
  const wait = goesOn ? 0 : waitAsked(gravest, journey.attempts, jitter)
  journey.dueAt = Math.min(now + wait, journey.deadlineAt)
}

/**
 * Every part of the step is with the carrier: some channels are charged now; a call that rings is delivered, unless
 * another channel follows if its code is not used.
 */
function carried(draft: TurnDraft, step: number): void {
  const { journey } = draft
  const { channel } = draft.planned(step)
  draft.changeStatus(step, 'ACCEPTED', null)
  if (descriptorOf(channel).charged === 'taken') charge(draft, step)
  if ((channel === 'call' && !isFollowed(draft, step)) || isDelivered(draft, step)) {
    deliveredStep(draft, step)
  } else {
    journey.phase = 'carried'
    journey.status = 'ACCEPTED'
    journey.dueAt = journey.deadlineAt
    reportBetween(draft)
  }
}

function filtered(draft: TurnDraft, { step, blocked, reason }: Event<'filtered'>): Turn | null {
  if (!isOpen(draft, step) || !blocked.includes(step)) return null
  for (let next = step; isOpen(draft, next) && blocked.includes(next); next += 1) {
    draft.note('filtered', next, null, reason)
    draft.orderRevoke(next)
    failStep(draft, next, 'FILTERED', reason)
  }
  return draft.done()
}

function unroutable(draft: TurnDraft, { step, reason }: Event<'unroutable'>): Turn | null {
  if (!isOpen(draft, step)) return null
  draft.note('no route', step, null, reason)
  failStep(draft, step, 'NO ROUTE', reason)
  return draft.done()
}

function receipt(draft: TurnDraft, received: Event<'receipt'>): Turn | null {
  if (draft.journey.steps[received.step]?.parts[received.part] === undefined) return null
  const event = { ...received, part: partOf(draft, received) }
  const { step, part, outcome, carrierId, detail, category } = event
  if (category !== undefined) draft.editPart(step, part).category = category
  if (event.optedOutOf !== undefined) noteOptOut(draft, event)
  if (outcome === 'answered' || outcome === 'unanswered') {
    // A call ends once, however often its carrier reports it.
    const { noted = {} } = draft.part(step, part)
    if (noted.answered === undefined && noted.unanswered === undefined) {
      countEnd(draft, event, outcome)
      noteOnly(draft, event, outcome)
    }
  } else if (outcome === 'accepted') {
    noteOnly(draft, event, 'accepted')
  } else if (outcome === 'delivered' || outcome === 'read') {
    partDelivered(draft, event, outcome)
  } else if (!isUnderWay(draft, step) || !mayFail(draft, step, part) || isOfEarlierTry(draft, event)) {
    noteOnly(draft, event, 'late')
  } else if (maySendAgain(draft, event)) {
    sendAgain(draft, event)
  } else {
    draft.note('failed', step, carrierId, detail)
    draft.editPart(step, part).state = 'failed'
    failStep(draft, step, FAILURE_OF[outcome], detail)
  }
  optedOutAtCarrier(draft, event)
  return draft.done()
}

/** Notes that the opt-out is recorded, even if nothing else is noted of the receipt. */
function noteOptOut(draft: TurnDraft, { step, part }: Event<'receipt'>): void {
  const { noted = {} } = draft.part(step, part)
  draft.editPart(step, part).noted = { optedOut: 0, ...noted }
}

/**
 * Notes a receipt that changes nothing, a limited number of times, because a carrier may repeat itself forever. Even
 * without a note it is a turn, so that the carrier's receipt is acknowledged only once what it repeats is on disk.
 */
function noteOnly(draft: TurnDraft, event: Event<'receipt'>, kind: TimelineKind): void {
  const { step, part, outcome, carrierId, detail } = event
  const { noted = {} } = draft.part(step, part)
  const times = noted[outcome] ?? 0
  if (times >= MAX_NOTED) return
  draft.note(kind, step, carrierId, detail)
  draft.editPart(step, part).noted = { ...noted, [outcome]: times + 1 }
}

/** The first delivery receipt ends the message, whichever step it belongs to. Later ones are only noted. */
function partDelivered(draft: TurnDraft, event: Event<'receipt'>, outcome: 'delivered' | 'read'): void {
  const { step, part, carrierId, detail } = event
  const { phase, status, deliveredBy } = draft.journey
  const arrives = phase !== 'ended' && deliveredBy === null && draft.part(step, part).state !== 'delivered'
  const firstRead = outcome === 'read' && status !== 'READ' && (phase !== 'ended' || deliveredBy === step)
  if (arrives || (firstRead && deliveredBy === step)) draft.note(outcome, step, carrierId, detail)
  else noteOnly(draft, event, firstRead ? 'read' : 'late')
  if (arrives) {
    const { perPart } = draft.part(step, part)
    const delivered = perPart === true ? [part] : partsUnder(draft, step, part)
    for (const each of delivered) draft.editPart(step, each).state = 'delivered'
    if (isDelivered(draft, step)) deliveredStep(draft, step)
  }
  if (firstRead && draft.journey.deliveredBy === step) {
    const read = draft.editStep(step)
    read.status = 'READ'
    read.at = draft.now
    draft.journey.status = 'READ'
    reportStatus(draft)
  }
}

/** Of parts with one id that get a receipt each, it stands for the first that has none yet. */
function partOf(draft: TurnDraft, { step, part }: Event<'receipt'>): number {
  if (draft.part(step, part).perPart !== true) return part
  return partsUnder(draft, step, part).find((each) => draft.part(step, each).state === 'taken') ?? part
}

/** A carrier that took several parts as one message reports on all of them under its one id. */
function partsUnder(draft: TurnDraft, step: number, part: number): readonly number[] {
  const { ref, carrierId } = draft.part(step, part)
  if (ref === null) return [part]
  const { parts } = draft.step(step)
  return parts.flatMap((each, index) => (each.ref === ref && each.carrierId === carrierId ? [index] : []))
}

function timeout(draft: TurnDraft): Turn | null {
  const { phase, step, deadlineAt } = draft.journey
  if (phase === 'ended' || draft.now < deadlineAt) return null
  if (isOver(draft)) return expired(draft)
  const { carrierId, detail } = draft.step(step)
  const reason = detail ?? 'not delivered within its lifetime'
  draft.note('expired', step, carrierId, reason)
  draft.orderRevoke(step)
  failStep(draft, step, 'EXPIRED', reason)
  return draft.done()
}

/** Ends a step before its lifetime is over if another channel can bring the code. */
function resent(draft: TurnDraft, { resendId }: Event<'resent'>): Turn | null {
  const { journey } = draft
  const { verification, step } = journey
  if (!isPending(verification) || verification.resentBy === resendId || !hasNextChannel(draft.message)) return null
  if (isOver(draft)) return expired(draft)
  const reason = 'the client asked for the code again'
  journey.verification = { ...verification, resentBy: resendId }
  draft.note('resent', step, draft.step(step).carrierId, reason)
  draft.orderRevoke(step)
  failStep(draft, step, 'EXPIRED', reason)
  return draft.done()
}

/** A repeated cancellation makes a turn without changes, so that the answer waits until the first one is on disk. */
function cancelled(draft: TurnDraft, { by = 'client' }: Event<'cancelled'>): Turn | null {
  const { journey } = draft
  if (journey.status === 'CANCELLED') return draft.done()
  if (!isCancellable(journey)) return null
  const reason = CANCELLED_BY[by]
  draft.note('cancelled', journey.step, null, reason)
  draft.changeStatus(journey.step, 'CANCELLED', reason)
  end(draft, 'CANCELLED')
  return draft.done()
}

export const CANCELLED_BY: Readonly<Record<Canceller, string>> = {
  client: 'cancelled by the client',
  operator: 'cancelled by an operator',
  discard: 'discarded by an operator',
  bulk: 'its bulk was stopped',
}

/** Returns whether no carrier has or may have any of the message. */
export function isCancellable({ phase, steps }: Pick<Journey, 'phase' | 'steps'>): boolean {
  return phase === 'open' && steps.every(isWithoutCarrier)
}

function isWithoutCarrier({ uncertain, closed, again, parts }: StepState): boolean {
  return (uncertain ?? closed ?? again) === undefined && parts.every(({ state }) => state === 'open')
}

/** Begins the next step with a lifetime of its own; without one the message ends as this step did. */
function failStep(draft: TurnDraft, step: number, status: Failure, detail: string): void {
  const { journey, now } = draft
  draft.changeStatus(step, status, detail)
  const next = draft.message.plan[step + 1]
  if (next === undefined) {
    endFailed(draft, status)
    return
  }
  draft.addStep(beginStep(next.parts, now))
  journey.status = 'QUEUED'
  journey.step = step + 1
  journey.phase = 'open'
  journey.attempts = 0
  journey.deadlineAt = deadlineOf(next, now, journey.verification)
  journey.dueAt = now
  reportBetween(draft)
}

function isUnderWay({ journey }: TurnDraft, step: number): boolean {
  return journey.phase !== 'ended' && journey.step === step
}

/** Returns whether this is the current step and it waits for an answer. */
function isOpen({ journey }: TurnDraft, step: number): boolean {
  return journey.phase === 'open' && journey.step === step
}

/** Returns whether the message no longer needs this step: another one delivered it, or this one failed. */
function isAbandoned({ journey }: TurnDraft, step: number): boolean {
  return journey.phase === 'ended' ? journey.deliveredBy !== step : journey.step !== step
}

/** A verification tries its next channel after a call whose code is not used in time. */
function isFollowed({ journey, message }: TurnDraft, step: number): boolean {
  return isPending(journey.verification) && message.plan[step + 1] !== undefined
}

/** A part that failed may be under way still in a verification that waits for the code of an earlier step. */
function mayFail(draft: TurnDraft, step: number, part: number): boolean {
  const { state } = draft.part(step, part)
  return state !== 'delivered' && state !== 'failed'
}

function isDelivered(draft: TurnDraft, step: number): boolean {
  return draft.step(step).parts.every((part) => part.state === 'delivered')
}

const FAILURE_OF: Readonly<
  Record<Exclude<ReceiptOutcome, 'accepted' | 'delivered' | 'read' | 'answered' | 'unanswered'>, Failure>
> = {
  closed: 'REJECTED',
  expired: 'EXPIRED',
  undeliverable: 'UNDELIVERABLE',
  optedOut: 'UNDELIVERABLE',
  rejected: 'REJECTED',
  unknown: 'UNKNOWN',
}
