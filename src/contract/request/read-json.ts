/**
 * Reads a request body: bytes to a value. Refuses what is not UTF-8 or not JSON; how deep it is nested was measured
 * before (measure-json.ts). A byte order mark is passed over, of double keys the last wins.
 */
import { isUtf8 } from 'node:buffer'
import { REQUEST_ERRORS } from './error-texts.ts'
import { Refused } from './refused.ts'

/** A JSON value as it was sent, where its JavaScript value would be written in another way: `1.0`, `-0`, 30 digits. */
export class JsonToken {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** The text of a body. Throws a Refused when it is not UTF-8. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refused(isCompressed(bytes) ? REQUEST_ERRORS.compressed : REQUEST_ERRORS.utf8)
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return bytes.toString('utf8', start)
}

/** First bytes of gzip and Zstandard, and of zlib at its usual levels. */
const COMPRESSED = ['1f8b', '28b52ffd', '7801', '785e', '789c', '78da']

function isCompressed(bytes: Buffer): boolean {
  const start = bytes.toString('hex', 0, 4)
  return COMPRESSED.some((magic) => start.startsWith(magic))
}

/** The value of a JSON text. Throws a Refused when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(REQUEST_ERRORS.json)
  }
}
