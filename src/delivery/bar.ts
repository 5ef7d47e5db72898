/**
 * What keeps a message from going out now, as far as memory knows: asked when it is about to stand in line, and again at
 * each attempt, for it may have stood there for hours.
 */
import type { Directory } from '../domain/directory.ts'
import type { JourneyEvent } from '../domain/journey-event.ts'
import type { Message } from '../domain/message.ts'

/** The event to tell the message of; null when it may go. */
export function barOf(message: Message, directory: Directory, now: number): JourneyEvent | null {
  const { phone, plan, journey, accountId } = message
  const { step } = journey
  const { guards } = directory
  if (guards.isDenied(phone)) {
    return { kind: 'filtered', at: now, step, barred: plan.map((_, index) => index), reason: 'the number is denied' }
  }
  const settings = directory.account(accountId)?.settings
  // A call carries a code that somebody waits for.
  if (settings === undefined || plan[step]?.channel === 'call') return null
  const until = guards.quietUntil(settings, phone, now)
  if (until === null) return null
  return { kind: 'postponed', at: now, step, until, reason: `quiet hours until ${new Date(until).toISOString()}` }
}
