/** Reads values from the headers of a SIP message. Returns null for missing or malformed values and never throws. */
import { NO_BODY, type SipHeader, type SipMessage, type SipRequest, type SipResponse, splitOutside } from './message.ts'

/** Returns the first header with the name, case-insensitive; null if there is none. */
export function headerOf(message: SipMessage, name: string): string | null {
  const wanted = name.toLowerCase()
  return message.headers.find(([each]) => each.toLowerCase() === wanted)?.[1] ?? null
}

/** Returns all headers with the name, in order. */
export function headersNamed(message: SipMessage, name: string): string[] {
  const wanted = name.toLowerCase()
  return message.headers.flatMap(([each, value]) => (each.toLowerCase() === wanted ? [value] : []))
}

export function callIdOf(message: SipMessage): string | null {
  const value = headerOf(message, 'Call-ID')
  return value === null || value === '' || value.length > 256 ? null : value
}

export interface CSeq {
  /** Below 2^31 (RFC 3261 section 8.1.1.5). */
  readonly number: number
  readonly method: string
}

export function cseqOf(message: SipMessage): CSeq | null {
  const [, digits = '', method = ''] = /^(\d{1,10})[ \t]+(\S{1,32})$/.exec(headerOf(message, 'CSeq') ?? '') ?? []
  const number = Number(digits)
  return method === '' || number >= 2 ** 31 ? null : { number, method }
}

/** Returns the tag of the From or To header: one end's part of the dialog id. */
export function dialogTag(message: SipMessage, name: 'From' | 'To'): string | null {
  const value = headerOf(message, name)
  return value === null ? null : paramOf(value, 'tag')
}

/** Returns the branch of the topmost Via: the transaction id (8.1.1.7). */
export function branchOf(message: SipMessage): string | null {
  const value = headerOf(message, 'Via')
  return value === null ? null : paramOf(value, 'branch')
}

/** Returns a parameter of a header value; empty if it has no value. */
export function paramOf(value: string, name: string): string | null {
  for (const piece of splitOutside(value, ';').slice(1)) {
    const equals = piece.indexOf('=')
    const key = equals < 0 ? piece : piece.slice(0, equals)
    if (key.trim().toLowerCase() === name) return equals < 0 ? '' : piece.slice(equals + 1).trim()
  }
  return null
}

/** Returns the URI in a From, To, Contact or Route value, with or without a display name (20.10). */
export function uriOf(value: string): string | null {
  const open = value.startsWith('"') ? value.indexOf('<', closingQuote(value)) : value.indexOf('<')
  if (open < 0) return splitOutside(value, ';')[0] || null
  const close = value.indexOf('>', open)
  return close < 0 ? null : value.slice(open + 1, close).trim() || null
}

function closingQuote(value: string): number {
  for (let at = 1; at < value.length; at += 1) {
    if (value[at] === '\\') at += 1
    else if (value[at] === '"') return at
  }
  return value.length
}

/** Returns the user part of a SIP URI without its parameters and password: `+447700900001`. */
export function userOf(uri: string): string | null {
  return /^sips?:([^@;:]+)(?:[;:][^@]*)?@/i.exec(uri)?.[1] ?? null
}

/** Returns an answer to a request: same Via set, From, Call-ID and CSeq; adds `toTag` to a To without a tag (8.2.6). */
export function answerTo(
  request: SipRequest,
  status: number,
  reason: string,
  toTag: string | null,
  more: readonly SipHeader[] = [],
): SipResponse {
  const headers: SipHeader[] = []
  for (const [name, value] of request.headers) {
    if (name === 'To' && toTag !== null && paramOf(value, 'tag') === null) headers.push([name, `${value};tag=${toTag}`])
    else if (ECHOED.has(name) || (name === 'Record-Route' && status < 300)) headers.push([name, value])
  }
  return { kind: 'response', status, reason, headers: [...headers, ...more], body: NO_BODY }
}

const ECHOED: ReadonlySet<string> = new Set(['Via', 'From', 'To', 'Call-ID', 'CSeq'])
