/** Reads locations and files of inbound messages, as several messengers write them. */
import type { InboundContent } from '../../domain/inbound/inbound-message.ts'
import { asText, type JsonObject } from '../../wire/json.ts'

const MAX_LINK = 2_048
const MAX_NAME = 255

/** Returns null for coordinates that are not on the globe. */
export function readLocation({ latitude, longitude }: JsonObject): InboundContent | null {
  if (!isBetween(latitude, 90) || !isBetween(longitude, 180)) return null
  return { kind: 'location', latitude, longitude }
}

interface FileParts {
  readonly link?: unknown
  readonly mediaId?: unknown
  readonly mimeType?: unknown
  readonly name?: unknown
}

/** Returns null without an address and an id. */
export function readFile({ link, mediaId, mimeType, name }: FileParts): InboundContent | null {
  const address = asText(link)
  const isAddress = /^https?:\/\//i.test(address) && address.length <= MAX_LINK
  const id = textOrNull(mediaId)
  if (!isAddress && id === null) return null
  const file = { link: isAddress ? address.toWellFormed() : null, mediaId: id }
  return { kind: 'file', ...file, mimeType: textOrNull(mimeType), name: textOrNull(name) }
}

function textOrNull(value: unknown): string | null {
  return asText(value).slice(0, MAX_NAME).toWellFormed() || null
}

function isBetween(value: unknown, max: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= max
}
