/**
 * Inbound messages, part by part: each is recorded before it is acknowledged to the carrier. A part that the carrier
 * repeats because the acknowledgement was lost is recorded once; a message that the sender writes twice is recorded
 * twice.
 */
import { createHash } from 'node:crypto'
import type { InboundArrival, Inbox } from '../../ports/carrier.ts'
import type { Clock } from '../../ports/clock.ts'
import { readUserData } from '../../wire/smpp/concatenation.ts'
import { readMessageText } from '../../wire/smpp/message-text.ts'
import { type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import type { Session } from '../../wire/smpp/session.ts'
import { findTlv, TAGS } from '../../wire/smpp/tlv.ts'
import { type BatchEntry, type ReplyTo, RequestBatch } from './request-batch.ts'

/** How long a carrier may repeat a message that it believes unacknowledged. */
const REPEATED_FOR_MS = 86_400_000
/** A carrier may give up on a slower answer, and repeat the message although it reads the answer. */
const PROMPT_MS = 2_000

export class InboundIntake {
  readonly #carrierId: string
  readonly #inbox: Inbox
  readonly #clock: Clock
  readonly #batch: RequestBatch<InboundArrival>

  constructor(carrierId: string, inbox: Inbox, clock: Clock, failed: (error: unknown) => void) {
    this.#carrierId = carrierId
    this.#inbox = inbox
    this.#clock = clock
    this.#batch = new RequestBatch(
      (arrivals) => inbox.receiveInbound(arrivals),
      failed,
      (batch) => this.#answered(batch),
    )
  }

  take(message: ShortMessage | DataMessage, replyTo: ReplyTo): void {
    const { joined } = readUserData(message)
    const at = this.#clock.now()
    const arrival: InboundArrival = {
      carrierId: this.#carrierId,
      sender: message.source.digits,
      recipient: message.destination.digits,
      text: readMessageText(message),
      at,
      part: joined,
      key: keyOf(message),
      keyUntil: at + REPEATED_FOR_MS,
    }
    this.#batch.add(arrival, replyTo)
  }

  /** An equal message that arrives after the carrier has read the answer is a new one. */
  #answered(batch: readonly BatchEntry<InboundArrival>[]): void {
    const now = this.#clock.now()
    const keys = new Map<Session, string[]>()
    for (const { item, replyTo } of batch) {
      if (now - item.at > PROMPT_MS) continue
      const known = keys.get(replyTo.session)
      if (known === undefined) keys.set(replyTo.session, [item.key])
      else known.push(item.key)
    }
    for (const [session, read] of keys) {
      session.whenRead(() => {
        const at = this.#clock.now()
        this.#inbox.settle(read.map((key) => ({ carrierId: this.#carrierId, key, at })))
      })
    }
  }
}

/** Hashes everything that identifies the message: carriers may give a repeat another sequence number. */
function keyOf(message: ShortMessage | DataMessage): string {
  const hash = createHash('sha256')
  const { source, destination, esmClass, dataCoding, tlvs } = message
  hash.update(JSON.stringify([source.digits, destination.digits, esmClass, dataCoding]))
  hash.update(payloadOf(message))
  for (const tag of NAMING_TAGS) hash.update(`|${tag}:`).update(findTlv(tlvs, tag) ?? '')
  return hash.digest('base64url')
}

const NAMING_TAGS = [TAGS.sarReference, TAGS.sarTotal, TAGS.sarNumber, TAGS.userMessageReference]
