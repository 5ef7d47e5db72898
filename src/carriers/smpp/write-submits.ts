/**
 * Writes the submit_sm PDUs of a submission: one for each requested part, or one for the whole text in a
 * message_payload.
 */
import { encodeGsm } from '../../domain/gsm-alphabet.ts'
import { BUCKETS, type MessageId } from '../../domain/message-id.ts'
import { PART_LIMITS, splitText, type TextEncoding } from '../../domain/text-parts.ts'
import type { Submission } from '../../ports/carrier.ts'
import {
  type Concatenation,
  MAX_PARTS,
  UDH_INDICATOR,
  writeConcatenation,
  writeSar,
  writeWideConcatenation,
} from '../../wire/smpp/concatenation.ts'
import { DATA_CODING } from '../../wire/smpp/message-text.ts'
import type { ShortMessage } from '../../wire/smpp/pdu.ts'
import { findTlv, NO_TLVS, TAGS, type Tlv } from '../../wire/smpp/tlv.ts'
import { writeValidityPeriod } from '../../wire/smpp/validity-period.ts'
import type { MessageSettings, SourceSettings } from './read-message-settings.ts'
import { tlvsByText } from './sender-templates.ts'
import { sourceAddress } from './source-address.ts'
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
  readonly text: string
  readonly join: (Concatenation & { readonly by: 'udh8' | 'udh16' | 'sar' }) | 'payload' | 'alone'
}

const ONLY_PART = [0]
/** A longer UCS-2 text does not fit into the 140 bytes of a single message. */
const UCS2_ALONE = PART_LIMITS.ucs2.alone
const MAX_PAYLOAD_BYTES = 60_000

/** Returns submits in the order of `submission.parts`, or the reason why there can be none. */
export function writeSubmits(submission: Submission, settings: MessageSettings): readonly Submit[] | string {
  const { content, sender } = submission
  if (content.kind !== 'text') return 'SMS carries nothing but text'
  const own = settings.senders.get(sender)
  const source = sourceAddress(sender, own === undefined ? settings : withDefaults(own, settings))
  if (source === null) return 'the sender is neither a number nor a name of up to 11 characters'
  const registered = own === undefined ? NO_VENDOR_TLVS : tlvsByText(own.registered, content.text)
  if (registered === null) return 'the text fits none of the templates that are registered for the sender'
  const division = divide(content.text, submission, settings)
  if (typeof division === 'string') return division

  const vendorTlvs = vendorTlvsOf(submission, [settings.tlvs, own?.tlvs ?? NO_VENDOR_TLVS, registered])
  const validityPeriod = settings.validityPeriod ? writeValidityPeriod(submission.lifetimeSeconds) : ''
  const { destinationTon, destinationNpi, serviceType, priority, registeredDelivery } = settings
  const destination = { ton: destinationTon, npi: destinationNpi, digits: submission.phone }
  const submits = division.segments.map((segment): Submit => {
    const body = carry(segment, encode(segment.text, division.coding))
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
  return { ...own, sourceTon: own.sourceTon ?? settings.sourceTon, sourceNpi: own.sourceNpi ?? settings.sourceNpi }
}

/** Divides the text into PDUs. The parts are those that were counted and paid for. */
function divide(
  text: string,
  { parts: requested, messageId }: Submission,
  { concatenation, encoding }: MessageSettings,
): Division | string {
  const { encoding: needed, parts } = splitText(text)
  if (parts.length > MAX_PARTS) return `${parts.length} parts are more than SMS can join`
  for (const index of requested) if (parts[index] === undefined) return `there is no part ${index}`
  const coding = codingOf(text, needed, encoding)
  if (parts.length === 1 && (coding !== 'ucs2' || text.length <= UCS2_ALONE)) {
    return { coding, segments: [{ parts: ONLY_PART, text, join: 'alone' }] }
  }
  if (requested.length === parts.length && (concatenation === 'payload' || (coding === 'ucs2' && needed === 'gsm7'))) {
    return { coding, segments: [{ parts: requested, text, join: 'payload' }] }
  }
  const joinable = coding === 'ucs2' && needed === 'gsm7' ? 'gsm' : coding
  const { texts, by } = joinParts(text, parts, concatenation)
  const reference = referenceOf(messageId, by === 'udh8' ? 256 : 65_536)
  const segments = requested.map((index) => {
    const join = { by, reference, total: texts.length, number: index + 1 }
    return { parts: [index], text: texts[index] ?? '', join }
  })
  return { coding: joinable, segments }
}

function codingOf(text: string, needed: TextEncoding, wanted: MessageSettings['encoding']): Coding {
  if (needed === 'ucs2' || wanted === 'ucs2') return 'ucs2'
  return wanted === 'latin1' && /^[\0-\xff]*$/.test(text) ? 'latin1' : 'gsm'
}

/** A reference of 16 bits takes room from every part: it is used only if the number of parts stays the same. */
function joinParts(text: string, parts: readonly string[], concatenation: MessageSettings['concatenation']) {
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

function encode(text: string, coding: Coding): Uint8Array {
  if (coding === 'gsm') return encodeGsm(text)
  return coding === 'latin1' ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16()
}

type Body = Pick<ShortMessage, 'esmClass' | 'payload' | 'tlvs'>

const NOTHING = new Uint8Array()

function carry({ join }: Segment, bytes: Uint8Array): Body {
  if (join === 'alone') return { esmClass: 0, payload: bytes, tlvs: NO_TLVS }
  if (join === 'payload') {
    return { esmClass: 0, payload: NOTHING, tlvs: [{ tag: TAGS.messagePayload, value: bytes }] }
  }
  if (join.by === 'sar') return { esmClass: 0, payload: bytes, tlvs: writeSar(join) }
  const header = join.by === 'udh16' ? writeWideConcatenation(join) : writeConcatenation(join)
  return { esmClass: UDH_INDICATOR, payload: Buffer.concat([header, bytes]), tlvs: NO_TLVS }
}
