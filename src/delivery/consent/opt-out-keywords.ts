/** Finds opt-outs and opt-ins in inbound messages, and the senders and accounts that they change. */
import { carriesTexts } from '../../domain/channels/channel.ts'
import type { OptOut, OptOutChange } from '../../domain/consent/opt-out.ts'
import type { Directory } from '../../domain/directory/directory.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { type Phone, readPhone, readRecipient } from '../../domain/numbers/phone.ts'
import type { InboundMessage } from '../../ports/carriers/carrier.ts'

/** What keywords change, and the messages whose keyword changes nothing. */
export interface KeywordChanges {
  /** In the order of the messages. */
  readonly changes: readonly OptOutChange[]
  readonly lost: readonly LostKeyword[]
}

export interface LostKeyword {
  readonly carrierId: string
  readonly reason: 'its sender is no phone number or user id' | 'its recipient is no sender or number of an account'
}

export function optOutChanges(messages: readonly InboundMessage[], directory: Directory): KeywordChanges {
  const changes: OptOutChange[] = []
  const lost: LostKeyword[] = []
  for (const message of messages) {
    const { carrierId } = message
    const meaning = consentMeaning(message, directory)
    if (meaning === null) continue
    const phone = readRecipient(message.sender)
    if (phone === null) {
      lost.push({ carrierId, reason: 'its sender is no phone number or user id' })
      continue
    }
    const senders = sendersOf(message, phone, directory)
    if (senders.length === 0) lost.push({ carrierId, reason: 'its recipient is no sender or number of an account' })
    for (const whose of senders) {
      const optOut: OptOut = { ...whose, phone, by: 'word', at: message.at }
      changes.push({ kind: meaning === 'stop' ? 'add' : 'remove', optOut })
    }
  }
  return { changes, lost }
}

/** Returns whether the message opts out or in; null for any other. */
export function consentMeaning(
  { consent, text, payload = '' }: InboundMessage,
  directory: Directory,
): 'stop' | 'start' | null {
  const { lexicon } = directory.guards
  return consent ?? lexicon.meaningOf(text) ?? lexicon.meaningOf(payload)
}

type Whose = Pick<OptOut, 'accountId' | 'sender'>

/**
 * Returns every approved sender that the recipient may have meant: senders of one number or agent share its opt-outs.
 * For accounts that have the number as an inbound number alone, it stands for all of their senders. A number of a pool
 * stands for the pool too.
 */
function sendersOf(message: InboundMessage, phone: Phone, directory: Directory): readonly Whose[] {
  const { carrierId, recipient, senders = namesOf(recipient) } = message
  const channel = directory.carriers.find(({ id }) => id === carrierId)?.channel
  if (channel === undefined || !carriesTexts(channel)) return []
  const approved: ReturnType<Directory['approvedAs']> =
    'except' in senders
      ? directory.approvedBy(channel, carrierId, phone).filter(({ sender }) => !senders.except.includes(sender))
      : senders.flatMap((sender) => directory.approvedAs(channel, sender))
  const isAccountWide = directory.guards.settings.optOutScope !== 'sender'
  const approvedOf = new Set(approved.map(({ accountId }) => accountId))
  const owners = ownersOf(message, directory).filter((accountId) => !approvedOf.has(accountId))
  const whole = [...(isAccountWide ? approvedOf : []), ...owners].map((accountId) => ({ accountId, sender: null }))
  if (isAccountWide) return whole
  const named = approved.flatMap(({ accountId, sender }) => {
    const [pool = sender] = directory.sharingOf(accountId, { channel, sender })
    return [...new Set([pool, sender])].map((name) => ({ accountId, sender: name }))
  })
  return [...named, ...whole]
}

/** Returns the names under which a recipient may be approved: carriers write a number in many ways. */
function namesOf(recipient: string): readonly string[] {
  return [...new Set([recipient, ...inboundFormsOf(recipient), readPhone(recipient) ?? recipient])]
}

/** Returns the accounts that get the messages of this number: several if they share it, each with its keyword. */
function ownersOf({ carrierId, recipient }: InboundMessage, { inboundNumbers }: Directory): readonly AccountId[] {
  const forms = inboundFormsOf(recipient)
  const numbers = inboundNumbers.filter((number) => number.carrierId === carrierId && forms.includes(number.address))
  return [...new Set(numbers.map(({ accountId }) => accountId))]
}
