/**
 * Reads a message of a client: its text, number, sender and times, as the fields of a send. What Posthorn cannot do as
 * it was asked is refused, never sent in another form.
 */
import type { Login } from '../../domain/accounts/login.ts'
import { hasTables } from '../../domain/text/national-tables.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { type Concatenation, readUserData, type UserData } from '../../wire/smpp/concatenation.ts'
import { DATA_CODING, readMessageText } from '../../wire/smpp/message-text.ts'
import type { Address, DataMessage, MultiMessage, ShortMessage } from '../../wire/smpp/pdu.ts'
import { readSmppTime } from '../../wire/smpp/smpp-time.ts'
import { findTlv, TAGS } from '../../wire/smpp/tlv.ts'
import type { Operation } from '../translate/ask.ts'
import { classOfLevel, textSend } from '../translate/text-send.ts'
import { type Refusal, refusal } from './statuses.ts'

export type ClientMessage = ShortMessage | DataMessage | MultiMessage

/** A message, or a part of one, as it was read. */
export interface ReadMessage {
  readonly text: string
  /** Null for a message that is not in parts. */
  readonly joined: Concatenation | null
  /** Milliseconds; null to send at once. */
  readonly sendAt: number | null
  /** Milliseconds; null for the default of the account. */
  readonly validUntil: number | null
  /** The user_message_reference, as hexadecimal digits; null without one. */
  readonly reference: string | null
  /** The priority_flag. */
  readonly priority: number
}

const MAX_PRIORITY = 4
/** Bits of esm_class: acknowledgements by a phone's user, which only phones send. */
const ACKNOWLEDGEMENT = 0x3c

/** Without message classes, which phones show as any text; class 0, flash, they do not keep. */
const CODINGS: ReadonlyMap<number, 'gsm7' | 'ascii' | 'latin1' | 'ucs2'> = new Map([
  [DATA_CODING.default, 'gsm7'],
  [DATA_CODING.ascii, 'ascii'],
  [DATA_CODING.latin1, 'latin1'],
  [DATA_CODING.ucs2, 'ucs2'],
  [0x11, 'gsm7'],
  [0x19, 'ucs2'],
  [0xf1, 'gsm7'],
])
const FLASH: readonly number[] = [0x10, 0x18, 0xf0, 0xf4]

export function readShortMessage(message: ClientMessage, now: number): ReadMessage | Refusal {
  const text = textOf(message)
  if (typeof text !== 'string') return text
  const { joined } = readUserData(message)
  const reference = findTlv(message.tlvs, TAGS.userMessageReference)
  const common = { text, joined, reference: reference === null ? null : Buffer.from(reference).toString('hex') }
  if (message.command === 'data_sm') return { ...common, priority: 0, sendAt: null, validUntil: null }
  const refused = refusedIn(message)
  if (refused !== null) return refused
  const sendAt = timeOf(message.scheduleTime, now)
  if (sendAt === undefined) return refusal(STATUS.badSchedule, 'schedule_delivery_time is not a time of SMPP')
  const validUntil = timeOf(message.validityPeriod, now)
  if (validUntil === undefined) return refusal(STATUS.badExpiry, 'validity_period is not a time of SMPP')
  if (validUntil !== null && validUntil <= Math.max(now, sendAt ?? now)) {
    return refusal(STATUS.badExpiry, 'validity_period ends before the message is sent')
  }
  return { ...common, priority: message.priority, sendAt, validUntil }
}

function refusedIn(message: ShortMessage | MultiMessage): Refusal | null {
  const { priority, replaceIfPresent, defaultMessageId } = message
  if (priority > MAX_PRIORITY) return refusal(STATUS.badPriority, `priority_flag: 0 to ${MAX_PRIORITY}`)
  if (replaceIfPresent > 0) return refusal(STATUS.badReplaceFlag, 'replace_if_present_flag: messages are not replaced')
  if (defaultMessageId > 0) return refusal(STATUS.badDefaultMessageId, 'sm_default_msg_id: there are no such messages')
  return null
}

/** Null for an empty text; undefined for one that is no time. */
function timeOf(text: string, now: number): number | null | undefined {
  return text === '' ? null : (readSmppTime(text, now) ?? undefined)
}

function textOf(message: ClientMessage): string | Refusal {
  const { esmClass, dataCoding } = message
  if (hasTwoTexts(message)) return refusal(STATUS.tlvNotAllowed, 'short_message and message_payload: only one is taken')
  if ((esmClass & ACKNOWLEDGEMENT) !== 0) return refusal(STATUS.badEsmClass, 'esm_class: only messages are taken here')
  if (FLASH.includes(dataCoding)) return refusal(STATUS.badDataCoding, 'data_coding: flash messages are not supported')
  const coding = CODINGS.get(dataCoding)
  if (coding === undefined) {
    return refusal(STATUS.badDataCoding, 'data_coding: 0 (GSM), 1 (ASCII), 3 (Latin-1) and 8 (UCS-2) are supported')
  }
  const data = readUserData(message)
  const fault = faultIn(data, coding)
  if (fault !== null) return fault
  // GSM is the only alphabet that the header can change.
  return coding === 'gsm7' ? readMessageText(gsm(message)) : readMessageText(message)
}

function hasTwoTexts(message: ClientMessage): boolean {
  const payloads = message.tlvs.filter(({ tag }) => tag === TAGS.messagePayload)
  const isShort = 'payload' in message && message.payload.length > 0
  return payloads.length > 1 || (isShort && payloads.some(({ value }) => value.length > 0))
}

function faultIn({ body, isCutOff, hasPorts, shifts }: UserData, coding: string): Refusal | null {
  if (isCutOff) return refusal(STATUS.badEsmClass, 'esm_class: the header in short_message is longer than the message')
  if (hasPorts) return refusal(STATUS.badEsmClass, 'the header has a port: only texts are taken here')
  if (!hasTables(shifts)) {
    return refusal(
      STATUS.badEsmClass,
      'the header names a language: only Turkish, Spanish and Portuguese are supported',
    )
  }
  if (coding === 'ucs2' && body.length % 2 === 1) {
    return refusal(STATUS.badMessageLength, 'short_message: half a character of UCS-2')
  }
  const isSevenBit = coding === 'ascii' || coding === 'gsm7'
  if (isSevenBit && body.some((byte) => byte > 0x7f)) {
    return refusal(STATUS.submitFailed, 'short_message: data_coding 0 and 1 have 7 bits in each byte')
  }
  return null
}

/** The same message with the plain coding of GSM texts. */
function gsm<M extends ClientMessage>(message: M): M {
  return message.dataCoding === DATA_CODING.default ? message : { ...message, dataCoding: DATA_CODING.default }
}

/** Returns the send of a text, which may be joined of several parts. */
export function sendOf(
  read: Pick<ReadMessage, 'text' | 'sendAt' | 'validUntil' | 'priority'>,
  { source, destination }: { readonly source: Address; readonly destination: Address },
  { type, sender, priority }: Pick<Login, 'type' | 'sender' | 'priority'>,
  now: number,
): Operation {
  const { text, sendAt, validUntil } = read
  const from = withoutPlus(source.digits)
  const lifetime = validUntil === null ? {} : { last: Math.ceil((validUntil - Math.max(now, sendAt ?? now)) / 1_000) }
  const send = textSend(
    {
      ...{ type, phone: withoutPlus(destination.digits), sender: from === '' ? sender : from, text },
      priority: classOfLevel(read.priority, priority),
    },
    lifetime,
  )
  return sendAt === null || sendAt <= now ? send : { ...send, send_at: new Date(sendAt).toISOString() }
}

function withoutPlus(digits: string): string {
  return /^\+\d+$/.test(digits) ? digits.slice(1) : digits
}
