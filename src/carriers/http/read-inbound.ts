/** Inbound messages in webhook calls of a generic HTTP carrier. */
import { createHash } from 'node:crypto'
import { inboundAddressOf, inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { withCountryCode } from '../../domain/numbers/phone.ts'
import type { InboundArrival } from '../../ports/carriers/carrier.ts'
import { matchesWhen } from './calls/call-items.ts'
import { decodeEscaped } from './calls/received-call.ts'
import { textAt } from './places/find-text.ts'
import type { InboundSettings } from './settings.ts'

const MAX_TEXT = 10_000
/** A percent-encoded text has up to six characters for each of its own. */
const MAX_ESCAPED = 6 * MAX_TEXT
const MAX_PARTS = 255
/** How long a carrier may repeat a message with an id, and one without, which equals another that is written twice. */
const REPEATED_FOR_MS = 7 * 86_400_000
const REPEATED_WITHOUT_ID_MS = 60_000

interface Around {
  readonly carrierId: string
  /** The carrier's names of senders. */
  readonly senders: ReadonlyMap<string, string>
  /** Milliseconds. */
  readonly now: number
}

/** Returns nothing for an item that does not count, and for one without a writer or a text. */
export function readInbound(item: unknown, settings: InboundSettings, around: Around): readonly InboundArrival[] {
  if (!matchesWhen(item, settings.when)) return []
  const { carrierId, senders, now } = around
  const sender = withCountryCode(textAt(item, settings.from), settings.nationalCountry)
  const recipient = (settings.to === null ? '' : textAt(item, settings.to)) || settings.number
  const text = readText(item, settings).toWellFormed()
  if (sender === '' || recipient === '' || text === '') return []
  const part = readPart(item, settings)
  const id = settings.id === null ? '' : textAt(item, settings.id)
  const identity = id === '' ? [sender, recipient, text, part] : [id, part?.number]
  const forms = inboundFormsOf(recipient)
  const names = [...senders].flatMap(([name, theirs]) => (forms.includes(inboundAddressOf(theirs)) ? name : []))
  return [
    {
      carrierId,
      sender,
      recipient,
      text,
      at: now,
      part,
      ...(names.length === 0 ? {} : { senders: [...names, recipient] }),
      key: createHash('sha256').update(JSON.stringify(identity)).digest('base64url'),
      keyUntil: now + (id === '' ? REPEATED_WITHOUT_ID_MS : REPEATED_FOR_MS),
    },
  ]
}

/** Returns an empty text if it is missing or too long. */
function readText(item: unknown, { text: path, charsets, charset, escaped }: InboundSettings): string {
  if (charsets === null) return textAt(item, path, MAX_TEXT)
  const known = charsets.meanings.of(textAt(item, charsets.path))
  const given = textAt(item, path, MAX_ESCAPED)
  const text = known === undefined && escaped === null ? given : decodeEscaped(given, known ?? charset)
  return text.length > MAX_TEXT ? '' : text
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
