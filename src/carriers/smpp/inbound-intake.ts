/**
 * Inbound messages, part by part: each is recorded before it is acknowledged to the carrier. A part that the carrier
 * repeats because the acknowledgement was lost is recorded once; a message that the sender writes twice is recorded
 * twice (inbound-copies.ts).
 */
import { createHash } from 'node:crypto'
import { withCountryCode } from '../../domain/numbers/phone.ts'
import { INBOUND_TOGETHER, type InboundArrival, type Inbox } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { readUserData } from '../../wire/smpp/concatenation.ts'
import { type DefaultAlphabet, readMessageText } from '../../wire/smpp/message-text.ts'
import { type DataMessage, payloadOf, type ShortMessage } from '../../wire/smpp/pdu.ts'
import type { SmppSession } from '../../wire/smpp/session.ts'
import { findTlv, TAGS, tlvText } from '../../wire/smpp/tlv.ts'
import { InboundCopies, PROMPT_MS } from './inbound-copies.ts'
import { type BatchEntry, type ReplyTo, RequestBatch } from './request-batch.ts'

/** How long a carrier may repeat a message that it believes unacknowledged. */
const REPEATED_FOR_MS = 86_400_000
/** How long it may do so although it has read the answer, because that came too late. */
const REPEATED_AFTER_LATE_ANSWER_MS = 3_600_000
/** Begins the key of a message to which the carrier gave an id: only a repeat has the same. */
const BY_ID = 'id '

/** Type of number (SMPP 3.4, 5.2.5). */
const NATIONAL = 2

export interface InboundSource {
  /** Of the carrier. */
  readonly id: string
  readonly alphabet: DefaultAlphabet
  /** Of senders without a country code; null if the carrier writes one. */
  readonly nationalCountry: string | null
}

export class InboundIntake {
  readonly #nationalCountry: string | null
  readonly #carrierId: string
  readonly #alphabet: DefaultAlphabet
  readonly #inbox: Inbox
  readonly #clock: Clock
  readonly #batch: RequestBatch<InboundArrival>
  readonly #copies = new InboundCopies()

  constructor(source: InboundSource, inbox: Inbox, clock: Clock, failed: (error: unknown) => void) {
    this.#carrierId = source.id
    this.#alphabet = source.alphabet
    this.#nationalCountry = source.nationalCountry
    this.#inbox = inbox
    this.#clock = clock
    this.#batch = new RequestBatch(
      (arrivals) => inbox.receiveInbound(arrivals),
      failed,
      (batch, isRecorded) => this.#answered(batch, isRecorded),
      INBOUND_TOGETHER,
    )
  }

  take(message: ShortMessage | DataMessage, replyTo: ReplyTo): void {
    const { joined } = readUserData(message)
    const { source } = message
    const at = this.#clock.now()
    const arrival: InboundArrival = {
      carrierId: this.#carrierId,
      sender: withCountryCode(source.digits, this.#nationalCountry, source.ton === NATIONAL),
      recipient: message.destination.digits,
      text: readMessageText(message, this.#alphabet),
      at,
      part: joined,
      key: this.#keyOf(message, { ...replyTo, at }),
      keyUntil: at + REPEATED_FOR_MS,
    }
    this.#batch.add(arrival, replyTo)
  }

  #keyOf(message: ShortMessage | DataMessage, taken: ReplyTo & { readonly at: number }): string {
    const hash = hashOf(message)
    return carrierIdOf(message) === '' ? this.#copies.take(hash, taken) : `${BY_ID}${hash}`
  }

  /** An equal message that arrives after the carrier has read the answer is a new one. */
  #answered(batch: readonly BatchEntry<InboundArrival>[], isRecorded: boolean): void {
    const now = this.#clock.now()
    const bySession = Map.groupBy(
      batch.filter(({ item }) => !item.key.startsWith(BY_ID)),
      ({ replyTo }) => replyTo.session,
    )
    for (const [session, entries] of bySession) {
      const keys = entries.map(({ item: { key, at } }) => ({ key, isPrompt: now - at <= PROMPT_MS }))
      if (isRecorded) this.#settleWhenRead(session, keys)
      else for (const { key } of keys) this.#copies.free(key, session)
    }
  }

  #settleWhenRead(session: SmppSession, keys: readonly { readonly key: string; readonly isPrompt: boolean }[]): void {
    for (const { key, isPrompt } of keys) if (isPrompt) this.#copies.answered(key, session)
    session.whenRead(() => {
      const at = this.#clock.now()
      const settled = keys.map(({ key, isPrompt }) => {
        this.#copies.free(key, session)
        return { carrierId: this.#carrierId, key, at: isPrompt ? at : at + REPEATED_AFTER_LATE_ANSWER_MS }
      })
      this.#inbox.settle(settled)
    })
  }
}

/** Hashes everything that identifies the message: carriers may give a repeat another sequence number. */
function hashOf(message: ShortMessage | DataMessage): string {
  const hash = createHash('sha256')
  const { source, destination, esmClass, dataCoding, tlvs } = message
  const times = 'scheduleTime' in message ? [message.scheduleTime, message.validityPeriod] : []
  hash.update(JSON.stringify([source.digits, destination.digits, esmClass, dataCoding, ...times]))
  hash.update(payloadOf(message))
  for (const tag of NAMING_TAGS) hash.update(`|${tag}:`).update(findTlv(tlvs, tag) ?? '')
  for (const { tag, value } of tlvs) if (isOfCarrier(tag)) hash.update(`|${tag}:`).update(value)
  return hash.digest('base64url')
}

const NAMING_TAGS = [
  TAGS.sarReference,
  TAGS.sarTotal,
  TAGS.sarNumber,
  TAGS.userMessageReference,
  TAGS.receiptedMessageId,
]

/** Parameters that carriers define (SMPP 3.4, 5.3.1): ids and times of the message, mostly. */
function isOfCarrier(tag: number): boolean {
  return tag >= 0x1400 && tag <= 0x3fff
}

function carrierIdOf({ tlvs }: ShortMessage | DataMessage): string {
  return tlvText(findTlv(tlvs, TAGS.receiptedMessageId) ?? NO_BYTES).trim()
}

const NO_BYTES = new Uint8Array()
