/**
 * SIP messages as bytes and as values (RFC 3261 section 7). Reading is bounded and never throws: bytes that are not SIP
 * return null. Header names are returned in their long form, lists of Via and routes as one header for each value.
 * Content-Length is never a header here: it is derived from the body.
 */

export type SipHeader = readonly [name: string, value: string]

export interface SipRequest {
  readonly kind: 'request'
  readonly method: string
  readonly uri: string
  readonly headers: readonly SipHeader[]
  readonly body: Uint8Array
}

export interface SipResponse {
  readonly kind: 'response'
  /** 100 to 699. */
  readonly status: number
  /** The peer's reason; may be empty. */
  readonly reason: string
  readonly headers: readonly SipHeader[]
  readonly body: Uint8Array
}

export type SipMessage = SipRequest | SipResponse

export const NO_BODY: Uint8Array = new Uint8Array(0)

export const MAX_HEAD_BYTES = 16_384
/** The limit of one UDP datagram, and of messages over TCP. */
export const MAX_MESSAGE_BYTES = 65_535
const MAX_HEADERS = 128

/** RFC 3261 section 7.3.3 and the registry, as far as they are used. Maps every spelling to the long name. */
const COMPACT: Readonly<Record<string, string>> = {
  c: 'Content-Type',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  s: 'Subject',
  t: 'To',
  v: 'Via',
}
const KNOWN = ['Route', 'Record-Route', 'CSeq', 'WWW-Authenticate', 'Proxy-Authenticate', 'Authorization']
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(COMPACT),
  ...[...Object.values(COMPACT), ...KNOWN].map((name) => [name.toLowerCase(), name] as const),
])
const LISTS: ReadonlySet<string> = new Set(['Via', 'Route', 'Record-Route'])

const RESPONSE_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i
const REQUEST_LINE = /^([\w.!%*+`'~-]{1,32}) (\S+) SIP\/2\.0$/i
const HEADER_LINE = /^([\w.!%*+`'~-]{1,64})[ \t]*:(.*)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that a head must not contain.
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

/**
 * Reads one datagram. Returns null if it is not a complete SIP message; ignores bytes after its Content-Length (18.3).
 */
export function parseSip(bytes: Uint8Array): SipMessage | null {
  if (bytes.length > MAX_MESSAGE_BYTES) return null
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0 || end > MAX_HEAD_BYTES) return null
  const head = parseHead(buffer.toString('utf8', 0, end))
  if (head === null) return null
  const start = end + 4
  const length = head.contentLength ?? bytes.length - start
  return start + length > bytes.length ? null : head.withBody(Uint8Array.from(bytes.subarray(start, start + length)))
}

export interface SipHead {
  /** Null if the message has none. */
  readonly contentLength: number | null
  withBody(body: Uint8Array): SipMessage
}

/** Reads everything before the empty line; null if it is not the head of a SIP message. */
export function parseHead(text: string): SipHead | null {
  const [startLine = '', ...lines] = text.split('\r\n')
  if (CONTROL.test(startLine)) return null
  const read = parseHeaders(lines)
  if (read === null) return null
  const { headers, contentLength } = read

  const response = RESPONSE_LINE.exec(startLine)
  if (response !== null) {
    const [, status, reason = ''] = response
    return { contentLength, withBody: (body) => ({ kind: 'response', status: Number(status), reason, headers, body }) }
  }
  const request = REQUEST_LINE.exec(startLine)
  if (request === null) return null
  const [, method = '', uri = ''] = request
  return { contentLength, withBody: (body) => ({ kind: 'request', method, uri, headers, body }) }
}

function parseHeaders(lines: readonly string[]): { headers: SipHeader[]; contentLength: number | null } | null {
  const headers: SipHeader[] = []
  let contentLength: number | null = null
  for (const line of unfold(lines)) {
    if (CONTROL.test(line)) return null
    const [, spelt = '', untrimmed = ''] = HEADER_LINE.exec(line) ?? []
    if (spelt === '') return null
    const name = LONG_NAMES.get(spelt.toLowerCase()) ?? spelt
    const value = untrimmed.trim()
    if (name === 'Content-Length') {
      const length = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
      // Two different lengths can be used to smuggle a second message behind the first.
      if (!(length <= MAX_MESSAGE_BYTES) || (contentLength ?? length) !== length) return null
      contentLength = length
    } else {
      for (const each of LISTS.has(name) ? splitOutside(value, ',') : [value]) headers.push([name, each])
      if (headers.length > MAX_HEADERS) return null
    }
  }
  return { headers, contentLength }
}

/** A line that begins with white space continues the previous line (7.3.1). */
function unfold(lines: readonly string[]): string[] {
  const whole: string[] = []
  let open: string[] = []
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) {
      if (open.length > 0) whole.push(open.join(' '))
      open = []
    }
    open.push(line.trim())
  }
  if (open.length > 0) whole.push(open.join(' '))
  return whole
}

/**
 * Throws RangeError for a value with control characters, which would break the message apart: a fault of the caller,
 * never of the peer.
 */
export function writeSip(message: SipMessage): Buffer {
  const startLine =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const lines = [startLine]
  for (const [name, value] of message.headers) lines.push(`${name}: ${value}`)
  lines.push(`Content-Length: ${message.body.length}`)
  for (const line of lines) if (CONTROL.test(line)) throw new RangeError('a SIP header holds a control character')
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), message.body])
}

/** Splits at a separator outside of quotes and angle brackets, and trims. Returns at least one piece. */
export function splitOutside(text: string, separator: ',' | ';'): string[] {
  const pieces: string[] = []
  let start = 0
  let quoted = false
  let angled = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (quoted && letter === '\\') at += 1
    else if (letter === '"') quoted = !quoted
    else if (quoted) continue
    else if (letter === '<') angled = true
    else if (letter === '>') angled = false
    else if (letter === separator && !angled) {
      pieces.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  pieces.push(text.slice(start).trim())
  return pieces
}
