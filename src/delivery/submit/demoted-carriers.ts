/** Applies demotions of carriers to a message, and says so in its timeline. Without demotions nothing of it runs. */
import type { RoutedChannel } from '../../domain/channels/channel.ts'
import { isOfVerification, type Message } from '../../domain/message/message.ts'
import { countryOf } from '../../domain/numbers/country.ts'
import { type Demotion, type Demotions, isOfTrickle } from '../../domain/routing/demotion.ts'

/** Returns the carriers in the order in which the message takes them: demoted ones last. */
export function demotedLast(carrierIds: readonly string[], message: Message, demotions: Demotions): readonly string[] {
  return demotions.order(carrierIds, choosing(message))
}

/** Returns the demotion of a carrier for the message; null if it has none. */
export function demotionOf(carrierId: string, message: Message, demotions: Demotions): Demotion | null {
  return demotions.of(carrierId, choosing(message)) ?? null
}

/**
 * Returns why a carrier got the message, if a demotion had a part in that. `routed` are its carriers in the order of
 * their routes.
 */
export function demotionNote(
  carrierId: string,
  message: Message,
  { routed, demotions }: { readonly routed: readonly string[]; readonly demotions: Demotions },
): string | undefined {
  const to = choosing(message)
  const own = demotions.of(carrierId, to)
  if (own !== undefined)
    return isOfTrickle(to, own) ? `tests ${describe(own)}` : `without another carrier than ${describe(own)}`
  const before = routed.slice(0, Math.max(0, routed.indexOf(carrierId)))
  const passed = before.flatMap((id) => demotions.of(id, to) ?? [])[0]
  return passed === undefined ? undefined : `instead of ${describe(passed)}`
}

function describe({ carrierId, country, operator, beganAt, reason }: Demotion): string {
  const where = operator === null ? country : `${country} ${operator}`
  return `${carrierId}, demoted for ${where} since ${new Date(beganAt).toISOString()}: ${reason}`
}

function choosing(message: Message) {
  const { id, phone, operator, plan, journey } = message
  const channel = (plan[journey.step]?.channel ?? 'sms') as RoutedChannel
  const isCode = channel === 'call' || isOfVerification(journey)
  return { id, channel, country: countryOf(phone), operator, isCode }
}
