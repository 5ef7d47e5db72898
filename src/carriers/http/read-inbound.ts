/** Inbound messages in webhook calls of a generic HTTP carrier, and the settings that say where their fields are. */
import { createHash } from 'node:crypto'
import { inboundAddressOf, inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { withCountryCode } from '../../domain/numbers/phone.ts'
import type { InboundArrival } from '../../ports/carriers/carrier.ts'
import { readNationalCountry } from '../shared/national-country.ts'
import type { SettingReader } from '../shared/setting-reader.ts'
import { type JsonPath, textAt } from './find-text.ts'
import { type CallSettings, readCallSettings, readPath } from './read-call-settings.ts'

export interface InboundSettings extends CallSettings {
  readonly from: JsonPath
  /** Where the number is that was written to, or the number itself. */
  readonly to: JsonPath | { readonly number: string }
  readonly text: JsonPath
  /** Null if the carrier gives messages no id. */
  readonly id: JsonPath | null
  /** Null if the carrier joins the parts of long messages. */
  readonly parts: { readonly reference: JsonPath; readonly total: JsonPath; readonly number: JsonPath } | null
  /** Of senders without a country code; null if the carrier writes one. */
  readonly nationalCountry: string | null
}

/** The path below the carrier's webhook, before the token: receipts come to the webhook itself. */
export const INBOUND_PATH = '/inbound'

const MAX_TEXT = 10_000
const MAX_NUMBER = 100
const MAX_PARTS = 255
/** How long a carrier may repeat a message with an id, and one without, which equals another that is written twice. */
const REPEATED_FOR_MS = 7 * 86_400_000
const REPEATED_WITHOUT_ID_MS = 60_000

export function readInboundSettings(inbound: SettingReader): InboundSettings {
  const call = readCallSettings(inbound)
  const { format } = call
  const read: InboundSettings = {
    ...call,
    from: readPath(inbound, 'from', format),
    to: inbound.has('number') ? { number: inbound.ascii('number', MAX_NUMBER) } : readPath(inbound, 'to', format),
    text: readPath(inbound, 'text', format),
    id: inbound.has('id') ? readPath(inbound, 'id', format) : null,
    parts: inbound.has('parts') ? readParts(inbound.group('parts'), format) : null,
    nationalCountry: readNationalCountry(inbound),
  }
  inbound.end()
  return read
}

function readParts(parts: SettingReader, format: CallSettings['format']): InboundSettings['parts'] {
  const read = {
    reference: readPath(parts, 'reference', format),
    total: readPath(parts, 'total', format),
    number: readPath(parts, 'number', format),
  }
  parts.end()
  return read
}

interface Around {
  readonly carrierId: string
  /** The carrier's names of senders. */
  readonly senders: ReadonlyMap<string, string>
  /** Milliseconds. */
  readonly now: number
}

/** Returns nothing for an item without a writer or a text. */
export function readInbound(item: unknown, settings: InboundSettings, around: Around): readonly InboundArrival[] {
  const { carrierId, senders, now } = around
  const sender = withCountryCode(textAt(item, settings.from), settings.nationalCountry)
  const recipient = 'number' in settings.to ? settings.to.number : textAt(item, settings.to)
  const text = textAt(item, settings.text, MAX_TEXT).toWellFormed()
  if (sender === '' || recipient === '' || text === '') return []
  const part = readPart(item, settings)
  const id = settings.id === null ? '' : textAt(item, settings.id)
  const identity = id === '' ? [sender, recipient, text, part] : [id, part?.number]
  const forms = inboundFormsOf(recipient)
  const names = [...senders].flatMap(([name, theirs]) => (forms.includes(inboundAddressOf(theirs)) ? name : []))
  return [
    {
      ...{ carrierId, sender, recipient, text, at: now, part },
      ...(names.length === 0 ? {} : { senders: [...names, recipient] }),
      key: createHash('sha256').update(JSON.stringify(identity)).digest('base64url'),
      keyUntil: now + (id === '' ? REPEATED_WITHOUT_ID_MS : REPEATED_FOR_MS),
    },
  ]
}

/** Returns null for a whole message. */
function readPart(item: unknown, { parts }: InboundSettings): InboundArrival['part'] {
  if (parts === null) return null
  const [reference, total, number] = [parts.reference, parts.total, parts.number].map((path) => textAt(item, path))
  const isPart = isWithin(total, 2, MAX_PARTS) && isWithin(number, 1, Number(total))
  return isPart ? { reference: hashOf(reference ?? ''), total: Number(total), number: Number(number) } : null
}

function isWithin(text: string | undefined, min: number, max: number): boolean {
  return /^\d{1,3}$/.test(text ?? '') && Number(text) >= min && Number(text) <= max
}

/** Returns a whole number for a reference that may be any text. */
function hashOf(reference: string): number {
  return createHash('sha256').update(reference).digest().readUInt32BE()
}
