/**
 * Automatic replies of inbound numbers. A number answers a phone once an hour at most, and never an automatic message:
 * so two machines cannot answer each other without end.
 */
import { readRecipient } from '../numbers/phone.ts'

/** Longest text of a reply, characters: three parts of an SMS with letters beyond GSM have 201. */
export const MAX_REPLY = 480
/** A reply that could not be sent for so long, because the gateway was down, is not sent any more. */
const REPLY_WITHIN_MS = 3_600_000

/** The state of a reply that is still to be sent; afterwards its `msg_id`, or why there is none. */
export const REPLY_PENDING = 'pending'

interface Inbound {
  /** As the carrier writes it. */
  readonly sender: string
  /** Set for a button or setting of the messenger, by which the recipient writes nothing. */
  readonly consent?: unknown
}

/** Returns the first state of the reply to a message; null if there will be none. */
export function replyStateOf({ sender, consent }: Inbound, number: { readonly reply: string | null }): string | null {
  const isWritten = consent === undefined && readRecipient(sender) !== null
  return number.reply !== null && isWritten ? REPLY_PENDING : null
}

interface Situation {
  /** Milliseconds: when the message arrived. */
  readonly at: number
  readonly now: number
  readonly meaning: 'stop' | 'start' | null
  /** The phone, from the sender of the reply. */
  readonly isOptedOut: boolean
  /** Whether the writer is a number of this installation. */
  readonly isOwnNumber: boolean
  /** Whether it is the text of a check of a carrier. */
  readonly isOfCheck: boolean
}

/** Returns why a reply must not be sent; null if it may. */
export function replyRefusal({ at, now, meaning, isOptedOut, isOwnNumber, isOfCheck }: Situation): string | null {
  if (isOfCheck) return 'the text of a check of a carrier'
  if (isOwnNumber) return 'the writer is a number of this installation'
  if (now - at > REPLY_WITHIN_MS) return 'too late'
  return meaning === 'stop' || isOptedOut ? 'the recipient has opted out' : null
}
