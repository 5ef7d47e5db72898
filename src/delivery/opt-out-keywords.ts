/** Finds opt-outs and opt-ins in inbound messages, and the senders and accounts that they change. */
import type { Directory } from '../domain/directory.ts'
import type { OptOut, OptOutChange } from '../domain/opt-out.ts'
import { type Phone, readPhone } from '../domain/phone.ts'
import type { InboundMessage } from '../ports/carrier.ts'

/** Returns the changes in the order of the messages. */
export function optOutChanges(messages: readonly InboundMessage[], directory: Directory): readonly OptOutChange[] {
  return messages.flatMap((message) => {
    const { lexicon } = directory.guards
    const { consent, text, payload = '' } = message
    const meaning = consent ?? lexicon.meaningOf(text) ?? lexicon.meaningOf(payload)
    const phone = meaning === null ? null : readPhone(message.sender)
    if (phone === null) return []
    return sendersOf(message, phone, directory).map((whose): OptOutChange => {
      const optOut: OptOut = { ...whose, phone, by: 'word', at: message.at }
      return { kind: meaning === 'stop' ? 'add' : 'remove', optOut }
    })
  })
}

/**
 * Returns every approved sender that the recipient may have meant: senders of one number or agent share its opt-outs.
 */
function sendersOf(
  message: InboundMessage,
  phone: Phone,
  directory: Directory,
): readonly Pick<OptOut, 'accountId' | 'sender'>[] {
  const { carrierId, recipient, senders = [recipient] } = message
  const channel = directory.carriers.find(({ id }) => id === carrierId)?.channel
  if (channel === undefined || channel === 'call' || channel === 'lookup') return []
  const approved =
    'except' in senders
      ? directory.approvedBy(channel, carrierId, phone).filter(({ sender }) => !senders.except.includes(sender))
      : senders.flatMap((sender) => directory.approvedAs(channel, sender))
  if (directory.guards.settings.optOutScope === 'sender') return approved
  return [...new Set(approved.map(({ accountId }) => accountId))].map((accountId) => ({ accountId, sender: null }))
}
