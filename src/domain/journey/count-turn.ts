/**
 * What a turn adds to the statistics of messages (message-statistics.ts). Derived from the message before and after the
 * turn, so that each event of a message and its steps counts exactly once, whatever caused it.
 */
import type { Journey, Message, StepState } from '../message/message.ts'
import { countedIn, type MessageCount, startOf } from '../statistics/message-statistics.ts'
import { latencyClass } from '../structures/latency-class.ts'

const NONE: readonly MessageCount[] = []

/** Messages of test keys are not counted. */
export function countTurn(before: Journey, message: Message, now: number): readonly MessageCount[] {
  if (message.test) return NONE
  const { steps, step: current, deliveredBy, phase, status, clicked, sentNowAt } = message.journey
  const counts: MessageCount[] = []
  for (let step = 0; step < steps.length; step += 1) {
    const state = steps[step]
    const old = before.steps[step]
    if (state === undefined || state === old) continue
    if (isTaken(state) && !isTaken(old)) counts.push({ event: 'taken', step })
    if (state.status === 'READ' && old?.status !== 'READ') counts.push({ event: 'read', step })
  }
  for (let step = before.steps.length; step < steps.length; step += 1) {
    const state = steps[step - 1]
    counts.push({ event: `fell back ${untaken(state)}${state?.status ?? 'UNKNOWN'}`, step: step - 1 })
  }
  if (deliveredBy !== null && before.deliveredBy === null) {
    const event = `delivered ${latencyClass(now - startOf(message))}` as const
    counts.push({ event, step: deliveredBy, ...takenBefore(before.steps[deliveredBy], now) })
  }
  if (sentNowAt !== before.sentNowAt && countedIn(message, 'asked') !== countedIn(message, 'unasked')) {
    counts.push({ event: 'unasked', step: 0 }, { event: 'asked', step: 0 })
  }
  if (phase === 'ended' && before.phase !== 'ended' && deliveredBy === null) {
    counts.push({
      event: status === 'CANCELLED' ? 'cancelled' : `failed ${untaken(steps[current])}${status}`,
      step: current,
    })
  }
  if (clicked !== undefined && before.clicked === undefined) {
    counts.push({ event: 'clicked', step: deliveredBy ?? current })
  }
  return counts.length === 0 ? NONE : counts
}

function untaken(state: StepState | undefined): '' | 'untaken ' {
  return isTaken(state) ? '' : 'untaken '
}

/** Returns when the delivered step was taken; nothing if it had been given up. */
function takenBefore(old: StepState | undefined, now: number): Pick<MessageCount, 'takenAt'> {
  if (old?.status === 'ACCEPTED') return { takenAt: old.at }
  return old?.status === 'QUEUED' ? { takenAt: now } : {}
}

/** Whether carriers have taken all parts of the step, now or before it was sent again. */
function isTaken(state: StepState | undefined): boolean {
  return (state?.closed ?? state?.again) === true || state?.parts.every((part) => part.state !== 'open') === true
}
