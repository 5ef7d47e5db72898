/**
 * Writes the submit_sm PDUs of a submission: one for each requested part, or one for the whole text in a
 * message_payload.
 */
import { BUCKETS, type MessageId } from '../../domain/ids/message-id.ts'
import { encodeGsm } from '../../domain/text/gsm-alphabet.ts'
import { encodeNational, NATIONAL_LANGUAGES } from '../../domain/text/national-tables.ts'
import { PART_LIMITS, splitText, type TextEncoding } from '../../domain/text/text-parts.ts'
import type { Submission } from '../../ports/carriers/carrier.ts'
import {
  type Concatenation,
  MAX_PARTS,
  UDH_INDICATOR,
  writeConcatenation,
  writeSar,
  writeSingleShift,
  writeWideConcatenation,
} from '../../wire/smpp/concatenation.ts'
import { DATA_CODING, type DefaultAlphabet } from '../../wire/smpp/message-text.ts'
import type { ShortMessage } from '../../wire/smpp/pdu.ts'
import { findTlv, NO_TLVS, TAGS, type Tlv } from '../../wire/smpp/tlv.ts'
import { writeValidityPeriod } from '../../wire/smpp/validity-period.ts'
import { tlvsByText } from './sender-templates.ts'
import type { SmppSettings } from './settings.ts'
import { type SourceSettings, sourceAddress } from './source-address.ts'
import { NO_VENDOR_TLVS, type VendorTlv, writeVendorTlvs } from './vendor-tlv.ts'

export interface Submit {
  readonly pdu: ShortMessage
  /** Indexes of the parts that it carries. */
  readonly parts: readonly number[]
}

type Coding = keyof typeof DATA_CODING

/** How a text is divided into PDUs. */
interface Division {
  readonly coding: Coding
  readonly segments: readonly Segment[]
}

/** What differs between the PDUs of one submission. */
interface Segment {
  readonly parts: readonly number[]
  /** A text, or the bytes of one that is encoded already. */
  readonly text: string | Uint8Array
  /** Number of the language whose single shift table the bytes need; 0 for none. */
  readonly language?: number
  readonly join: (Concatenation & { readonly by: 'udh8' | 'udh16' | 'sar' }) | 'payload' | 'alone'
}

const ONLY_PART = [0]
/** A longer UCS-2 text does not fit into the 140 bytes of a single message. */
const UCS2_ALONE = PART_LIMITS.ucs2.alone
const MAX_PAYLOAD_BYTES = 60_000

/** Returns submits in the order of `submission.parts`, or the reason why there can be none. */
export function writeSubmits(submission: Submission, settings: SmppSettings): readonly Submit[] | string {
  const { content, sender } = submission
  if (content.kind !== 'text') return 'SMS carries nothing but text'
  const own = settings.senders.get(sender)
  const source = sourceAddress(sender, own === undefined ? settings : withDefaults(own, settings))
  if (source === null) return 'the sender is neither a number nor a name of up to 11 characters'
  const registered = own === undefined ? NO_VENDOR_TLVS : tlvsByText(own, content.text)
  if (registered === null) return 'the text fits none of the templates that are registered for the sender'
  const division = divide(content.text, submission, settings)
  if (typeof division === 'string') return division

  const vendorTlvs = vendorTlvsOf(submission, [settings.tlvs, own?.tlvs ?? NO_VENDOR_TLVS, registered])
  const validityPeriod = settings.validityPeriod ? writeValidityPeriod(submission.lifetimeSeconds) : ''
  const { destinationTon, destinationNpi, serviceType = '', priority, registeredDelivery } = settings
  const destination = { ton: destinationTon, npi: destinationNpi, digits: submission.phone }
  const submits = division.segments.map((segment): Submit => {
    const body = carry(segment, encode(segment.text, division.coding, settings.defaultAlphabet))
    return {
      parts: segment.parts,
      pdu: {
        command: 'submit_sm',
        serviceType,
        source,
        destination,
        esmClass: body.esmClass,
        protocolId: 0,
        priority,
        scheduleTime: '',
        validityPeriod,
        registeredDelivery,
        replaceIfPresent: 0,
        dataCoding: DATA_CODING[division.coding],
        defaultMessageId: 0,
        payload: body.payload,
        tlvs: body.tlvs.length === 0 ? vendorTlvs : [...body.tlvs, ...vendorTlvs],
      },
    }
  })
  return submits.every(fits) ? submits : 'the text is too long for one message_payload'
}

function vendorTlvsOf(submission: Submission, lists: readonly (readonly VendorTlv[])[]): readonly Tlv[] {
  return lists.every(isEmpty) ? NO_TLVS : writeVendorTlvs(lists.flat(), submission)
}

function isEmpty({ length }: readonly unknown[]): boolean {
  return length === 0
}

/** Whether the text fits into a PDU. */
function fits({ pdu }: Submit): boolean {
  return (findTlv(pdu.tlvs, TAGS.messagePayload)?.length ?? 0) <= MAX_PAYLOAD_BYTES
}

function withDefaults(own: SourceSettings, settings: SourceSettings): SourceSettings {
  return { ...settings, ...own }
}

/** Divides the text into PDUs. The parts are those that were counted and paid for, whatever the alphabet. */
function divide(text: string, submission: Submission, settings: SmppSettings): Division | string {
  const { parts: requested, messageId } = submission
  const { encoding: needed, parts } = splitText(text)
  if (parts.length > MAX_PARTS) return `${parts.length} parts are more than SMS can join`
  for (const index of requested) if (parts[index] === undefined) return `there is no part ${index}`
  const national = needed === 'ucs2' ? divideNational(text, parts.length, submission, settings) : null
  if (national !== null) return national
  const coding = codingOf(text, needed, settings)
  if (parts.length === 1 && (coding !== 'ucs2' || text.length <= UCS2_ALONE)) {
    return { coding, segments: [{ parts: ONLY_PART, text, join: 'alone' }] }
  }
  const outgrown = coding === 'ucs2' && needed === 'gsm7'
  if (requested.length === parts.length && (settings.concatenation === 'payload' || outgrown)) {
    return { coding, segments: [{ parts: requested, text, join: 'payload' }] }
  }
  if (outgrown && !fitsDefault(text, settings.defaultAlphabet)) {
    const rest = requested.map((index) => parts[index] ?? '').join('')
    return { coding, segments: [{ parts: requested, text: rest, join: 'payload' }] }
  }
  const { texts, by } = joinParts(text, parts, settings.concatenation)
  const reference = referenceOf(messageId, by === 'udh8' ? 256 : 65_536)
  const segments = requested.map((index) => {
    const join = { by, reference, total: texts.length, number: index + 1 }
    return { parts: [index], text: texts[index] ?? '', join }
  })
  return { coding: outgrown ? 'default' : coding, segments }
}

/** Septets beside a header with a single shift table: alone, and with a reference of 8 or 16 bits. */
const NATIONAL_LIMITS = { alone: 155, udh8: 149, udh16: 148 } as const

/**
 * Returns null if the text is sent in another way. It needs fewer PDUs than the parts that were counted for UCS-2, so
 * that a PDU may carry several of them, always the same ones.
 */
function divideNational(
  text: string,
  counted: number,
  { parts: requested, messageId }: Submission,
  { nationalTable, encoding, concatenation }: SmppSettings,
): Division | null {
  if (nationalTable === undefined || encoding === 'ucs2') return null
  const by = concatenation === 'udh16' ? 'udh16' : 'udh8'
  const encoded = encodeNational(text, nationalTable, { alone: NATIONAL_LIMITS.alone, joined: NATIONAL_LIMITS[by] })
  if (encoded === null || encoded.length > counted) return null
  const language = NATIONAL_LANGUAGES[nationalTable]
  const reference = referenceOf(messageId, by === 'udh8' ? 256 : 65_536)
  const total = encoded.length
  const segments = encoded.map((bytes, index): Segment => {
    const parts = requested.filter((part) => Math.floor((part * total) / counted) === index)
    const join = total === 1 ? 'alone' : ({ by, reference, total, number: index + 1 } as const)
    return { parts, text: bytes, language, join }
  })
  return { coding: 'default', segments: segments.filter(({ parts }) => parts.length > 0) }
}

function codingOf(text: string, needed: TextEncoding, { encoding, defaultAlphabet }: SmppSettings): Coding {
  if (needed === 'ucs2' || encoding === 'ucs2') return 'ucs2'
  if (encoding === 'latin1' && fitsDefault(text, 'latin1')) return 'latin1'
  return fitsDefault(text, defaultAlphabet) ? 'default' : 'ucs2'
}

/** Whether the alphabet has all characters of a text in the GSM alphabet. */
function fitsDefault(text: string, alphabet: DefaultAlphabet): boolean {
  if (alphabet === 'latin1') return /^[\0-\xff]*$/.test(text)
  return alphabet !== 'ascii' || /^[\0-\x7f]*$/.test(text)
}

/** A reference of 16 bits takes room from every part: it is used only if the number of parts stays the same. */
function joinParts(text: string, parts: readonly string[], concatenation: SmppSettings['concatenation']) {
  if (concatenation === 'sar') return { texts: parts, by: 'sar' } as const
  if (concatenation !== 'udh16') return { texts: parts, by: 'udh8' } as const
  const shorter = splitText(text, 1).parts
  if (shorter.length > parts.length) return { texts: parts, by: 'udh8' } as const
  return { texts: shorter, by: 'udh16' } as const
}

/** The same on every attempt; consecutive messages of an account have different ones. */
function referenceOf(messageId: MessageId, limit: number): number {
  return Math.floor(messageId / BUCKETS) % limit
}

function encode(text: Segment['text'], coding: Coding, alphabet: DefaultAlphabet): Uint8Array {
  if (typeof text !== 'string') return text
  if (coding === 'ucs2') return Buffer.from(text, 'utf16le').swap16()
  if (coding === 'latin1') return Buffer.from(text, 'latin1')
  if (alphabet === 'gsm7') return encodeGsm(text)
  return Buffer.from(text, alphabet === 'utf8' ? 'utf8' : 'latin1')
}

type Body = Pick<ShortMessage, 'esmClass' | 'payload' | 'tlvs'>

const NOTHING = new Uint8Array()
/** A longer payload goes into a message_payload. */
const MAX_SHORT_MESSAGE_BYTES = 254

function carry({ join, language = 0 }: Segment, bytes: Uint8Array): Body {
  if (join === 'payload') return bodyOf(bytes, NOTHING, true)
  if (join !== 'alone' && join.by === 'sar')
    return { ...bodyOf(bytes), tlvs: [...writeSar(join), ...bodyOf(bytes).tlvs] }
  const joined =
    join === 'alone' ? NOTHING : join.by === 'udh16' ? writeWideConcatenation(join) : writeConcatenation(join)
  return bodyOf(bytes, language === 0 ? joined : writeSingleShift(joined, language))
}

function bodyOf(
  bytes: Uint8Array,
  header: Uint8Array = NOTHING,
  isLong = header.length + bytes.length > MAX_SHORT_MESSAGE_BYTES,
): Body {
  const esmClass = header.length === 0 ? 0 : UDH_INDICATOR
  const payload = header.length === 0 ? bytes : Buffer.concat([header, bytes])
  if (!isLong) return { esmClass, payload, tlvs: NO_TLVS }
  return { esmClass, payload: NOTHING, tlvs: [{ tag: TAGS.messagePayload, value: payload }] }
}
