/** Inbound messages in webhook calls of a generic HTTP carrier. */
import { createHash } from 'node:crypto'
import { inboundAddressOf, inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import { withCountryCode } from '../../domain/numbers/phone.ts'
import type { InboundArrival } from '../../ports/carriers/carrier.ts'
import { textAt } from './find-text.ts'
import type { InboundSettings } from './settings.ts'

const MAX_TEXT = 10_000
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
