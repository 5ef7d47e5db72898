/**
 * Why a message may not go out now, as far as memory knows. It is checked when the message is about to be queued, and again
 * at each attempt, for it may have been queued for hours.
 */
import type { Directory } from '../domain/directory.ts'
import type { JourneyEvent } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'

/** Returns the event to apply to the message; null when it may go. */
export function blockEvent(message: Message, directory: Directory, now: number): JourneyEvent | null {
  const { phone, plan, journey, accountId } = message
  const { step } = journey
  const { guards } = directory
  if (guards.isDenied(phone)) {
    return { kind: 'filtered', at: now, step, blocked: plan.map((_, index) => index), reason: 'the number is denied' }
  }
  const settings = directory.account(accountId)?.settings
  // A call carries a code that the recipient waits for.
  if (settings === undefined || plan[step]?.channel === 'call') return null
  const until = guards.quietUntil(settings, phone, now)
  if (until === null) return null
  return { kind: 'postponed', at: now, step, until, reason: `quiet hours until ${new Date(until).toISOString()}` }
}

/** Whether opt-outs have to be read from the store. A call was asked for just now, so opt-outs do not concern it. */
export function canBeOptedOut({ accountId, plan, journey }: Message, { guards }: Directory): boolean {
  return journey.phase === 'open' && plan[journey.step]?.channel !== 'call' && guards.mayBeOptedOut(accountId)
}
