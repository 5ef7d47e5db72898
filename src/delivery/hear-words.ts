/** Words by which people opt out and in again, among what they wrote: to which senders of which accounts, and what of it changes. */
import type { Directory } from '../domain/directory.ts'
import type { OptOut, OptOutChange } from '../domain/opt-out.ts'
import { readPhone } from '../domain/phone.ts'
import type { InboundMessage } from '../ports/carrier.ts'

/** In the order in which they were written. */
export function hearWords(messages: readonly InboundMessage[], directory: Directory): readonly OptOutChange[] {
  return messages.flatMap((message) => {
    const meaning = directory.guards.lexicon.meaningOf(message.text)
    const phone = meaning === null ? null : readPhone(message.sender)
    if (phone === null) return []
    return sendersOf(message, directory).map((whose): OptOutChange => {
      const optOut: OptOut = { ...whose, phone, by: 'word', at: message.at }
      return { kind: meaning === 'stop' ? 'add' : 'remove', optOut }
    })
  })
}

/** Every approved sender that the person may have meant: who shares a number of ours shares its opt-outs. */
function sendersOf(message: InboundMessage, directory: Directory): readonly Pick<OptOut, 'accountId' | 'sender'>[] {
  const { carrierId, recipient, senders = [recipient] } = message
  const channel = directory.carriers.find(({ id }) => id === carrierId)?.channel
  if (channel === undefined || channel === 'call') return []
  const approved = senders.flatMap((sender) => directory.approvedAs(channel, sender))
  if (directory.guards.settings.optOutScope === 'sender') return approved
  return [...new Set(approved.map(({ accountId }) => accountId))].map((accountId) => ({ accountId, sender: null }))
}
