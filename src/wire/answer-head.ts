/** Parses the heads of answers in HTTP/1.1, as strictly as undici: refuses what two readers might frame differently. */
import { KeptValues } from '../domain/structures/kept-values.ts'

export interface AnswerHead {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  /** Bytes of the body, or how its end is found. */
  readonly body: number | 'chunked' | 'until close'
  /** How long the server keeps the connection open after the answer, milliseconds; infinite if it does not say. */
  readonly keptMs: number
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/
const LENGTH = /^\d{1,15}$/
const KEPT_SECONDS = /timeout=(\d{1,9})/
/** The server counts from an earlier moment, and a request needs time to reach it. */
const MARGIN_MS = 2_000

/** A hook returns the same head all the time, or for a second if it has a date. */
const MAX_KEPT = 256
const kept = new KeptValues<string, AnswerHead>(MAX_KEPT)

/** `text` ends before the empty line. Throws if this is no head of an answer. */
export function parseAnswerHead(text: string): AnswerHead {
  const known = kept.get(text)
  if (known !== undefined) return known
  const head = parse(text)
  kept.set(text, head)
  return head
}

function parse(text: string): AnswerHead {
  const lines = text.split('\r\n')
  const [, minor, digits] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  if (digits === undefined) throw new Error('the answer is not HTTP')
  const headers = new Map<string, string>()
  for (let index = 1; index < lines.length; index += 1) {
    const [, name, value] = HEADER_LINE.exec(lines[index] ?? '') ?? []
    if (name === undefined || value === undefined) throw new Error('the answer has a malformed header')
    addHeader(headers, name.toLowerCase(), value.trim())
  }
  const status = Number(digits)
  return {
    status,
    retryAfter: headers.get('retry-after'),
    contentType: headers.get('content-type'),
    body: bodyOf(status, headers),
    keptMs: keptMsOf(status, minor === '1', headers),
  }
}

function addHeader(headers: Map<string, string>, name: string, value: string): void {
  const before = headers.get(name)
  if (before === undefined) headers.set(name, value)
  else if (name === 'content-length') throw new Error('the answer has two lengths')
  else if (name !== 'retry-after') headers.set(name, `${before}, ${value}`)
}

function bodyOf(status: number, headers: ReadonlyMap<string, string>): AnswerHead['body'] {
  const length = headers.get('content-length')
  const encoding = headers.get('transfer-encoding')
  if (length !== undefined && (encoding !== undefined || !LENGTH.test(length))) {
    throw new Error('the answer has a wrong length')
  }
  if (hasNoBody(status)) return 0
  if (encoding !== undefined) return encoding.toLowerCase() === 'chunked' ? 'chunked' : 'until close'
  return length === undefined ? 'until close' : Number(length)
}

function keptMsOf(status: number, isCurrent: boolean, headers: ReadonlyMap<string, string>): number {
  // A pattern with white space on both sides of the comma would backtrack over a long run of it.
  const tokens = (headers.get('connection') ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
  if (tokens.includes('close') || !(isCurrent || tokens.includes('keep-alive'))) return 0
  // A body that must not be there would be read as the next answer.
  if (hasNoBody(status) && (headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0))
    return 0
  const seconds = KEPT_SECONDS.exec(headers.get('keep-alive')?.toLowerCase() ?? '')?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(seconds) * 1000 - MARGIN_MS)
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}
