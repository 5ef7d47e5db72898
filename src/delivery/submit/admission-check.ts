/**
 * Checks whether a message may be sent now, from memory alone. It runs before the message is queued and before each
 * attempt, because a message may have been queued for hours.
 */

import type { Directory } from '../../domain/directory/directory.ts'
import type { JourneyEvent } from '../../domain/message/journey-event.ts'
import { isOfVerification, type Message } from '../../domain/message/message.ts'
import { mayShowSender } from './shown-sender.ts'

/** Returns the event to apply to the message; null if it may be sent. */
export function blockEvent(message: Message, directory: Directory, now: number): JourneyEvent | null {
  const { phone, plan, journey, accountId } = message
  const { step } = journey
  const { guards } = directory
  if (guards.isDenied(phone)) {
    return { kind: 'filtered', at: now, step, blocked: plan.map((_, index) => index), reason: 'the number is denied' }
  }
  const settings = directory.account(accountId)?.settings
  if (settings === undefined) return null
  if (!mayShowSender(message, step, directory)) {
    const blocked = plan.flatMap((_, index) => (mayShowSender(message, index, directory) ? [] : [index]))
    return { kind: 'filtered', at: now, step, blocked, reason: 'the sender is no longer approved' }
  }
  // A call or a verification carries a code that the recipient waits for; an operator waits for a test.
  const isTest = journey.testedCarrier !== undefined
  const isAwaited = plan[step]?.channel === 'call' || isOfVerification(journey) || isTest
  if (isAwaited || journey.urgent === true) return null
  const until = guards.quietUntil(settings, phone, now)
  if (until === null) return null
  const reason = `quiet hours until ${new Date(until).toISOString()}`
  return { kind: 'postponed', at: now, step, until, reason, rules: directory.rulesOf(accountId) }
}

/** Whether opt-outs must be read from the store. Calls are exempt: the recipient has just requested one. */
export function canBeOptedOut({ accountId, plan, journey }: Message, { guards }: Directory): boolean {
  return journey.phase === 'open' && plan[journey.step]?.channel !== 'call' && guards.mayBeOptedOut(accountId)
}
