/**
 * The sender of a submission: of a pool the member that the recipient always gets, and once a carrier has or may have
 * some of the step, the same as before.
 */
import { isRated, type RatedSender, type Registration } from '../../domain/accounts/sender.ts'
import { carriesTexts } from '../../domain/channels/channel.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import { isBegun, type Message, shownSenderOf } from '../../domain/message/message.ts'
import { countryOf } from '../../domain/numbers/country.ts'

/** Returns the name that the recipient sees of the current step. */
export function shownSender(message: Message, directory: Directory): string {
  const { step } = message.journey
  const planned = message.plan[step]
  return planned === undefined
    ? ''
    : (begunSender(message, step) ?? planShown(message, step, directory) ?? planned.sender)
}

/** Returns the sender of the current step if it has a rate; null if it has none, or reaches simulated phones alone. */
export function ratedSender(message: Message, directory: Directory): RatedSender | null {
  const channel = message.plan[message.journey.step]?.channel
  if (directory.ratedSenders.length === 0 || message.test || channel === undefined || !carriesTexts(channel))
    return null
  const sender = directory.sender(message.accountId, channel, shownSender(message, directory))
  return sender !== undefined && isRated(sender) ? sender : null
}

/** Returns what a sender is registered with in the country of the phone: of a member also what its pool has there. */
export function registrationOf(message: Message, shown: string, directory: Directory): Registration | undefined {
  const { accountId, phone, plan, journey } = message
  const { channel, sender } = plan[journey.step] ?? {}
  if (!directory.hasRegistrations || channel === undefined || sender === undefined || !carriesTexts(channel)) return
  const country = countryOf(phone) ?? ''
  const [ofPool, own] = [sender, shown].map(
    (name) => directory.sender(accountId, channel, name)?.registrations[country],
  )
  return ofPool === own ? own : { ...ofPool, ...own }
}

/**
 * Returns whether the account may still send the step: an operator may have taken its sender away. Tests of carriers
 * need no approval.
 */
export function mayShowSender(message: Message, step: number, directory: Directory): boolean {
  const { accountId, phone, plan, test, journey } = message
  const planned = plan[step]
  if (test || journey.testedCarrier !== undefined) return true
  if (planned === undefined || !carriesTexts(planned.channel)) return true
  if (planShown(message, step, directory) === null) return false
  const begun = begunSender(message, step)
  return begun === null || begun === planned.sender || directory.isApproved(accountId, planned.channel, begun, phone)
}

function begunSender({ plan, journey }: Message, step: number): string | null {
  const [planned, state] = [plan[step], journey.steps[step]]
  return planned === undefined || state === undefined || !isBegun(state) ? null : shownSenderOf(planned, state)
}

function planShown({ accountId, phone, plan }: Message, step: number, directory: Directory): string | null {
  const { channel, sender } = plan[step] ?? {}
  if (channel === undefined || sender === undefined || !carriesTexts(channel)) return null
  return directory.senderShown({ accountId, channel, sender, phone })?.name ?? null
}
