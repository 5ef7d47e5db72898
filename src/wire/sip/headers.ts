/**
 * What the headers of a SIP message say, as values. Everything here answers null to what is missing or malformed and
 * never throws, so that a peer's nonsense ends in a message that nobody knows.
 */
import { NO_BODY, type SipHeader, type SipMessage, type SipRequest, type SipResponse, splitOutside } from './message.ts'

/** The first header of that name, in any letter case; null when there is none. */
export function headerOf(message: SipMessage, name: string): string | null {
  const wanted = name.toLowerCase()
  return message.headers.find(([each]) => each.toLowerCase() === wanted)?.[1] ?? null
}

/** All headers of that name, in their order. */
export function headersOf(message: SipMessage, name: string): string[] {
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

/** The tag of the From or To header: one end's half of the dialog's name. */
export function tagOf(message: SipMessage, name: 'From' | 'To'): string | null {
  const value = headerOf(message, name)
  return value === null ? null : paramOf(value, 'tag')
}

/** The branch of the topmost Via: the transaction's name (8.1.1.7). */
export function branchOf(message: SipMessage): string | null {
  const value = headerOf(message, 'Via')
  return value === null ? null : paramOf(value, 'branch')
}

/** A parameter behind a header's value; empty when it stands there without a value. */
export function paramOf(value: string, name: string): string | null {
  for (const piece of splitOutside(value, ';').slice(1)) {
    const equals = piece.indexOf('=')
    const key = equals < 0 ? piece : piece.slice(0, equals)
    if (key.trim().toLowerCase() === name) return equals < 0 ? '' : piece.slice(equals + 1).trim()
  }
  return null
}

/** The URI in a From, To, Contact or Route value, with or without a display name (20.10). */
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

/** The user part of a SIP URI without its parameters and password: `+447700900001`. */
export function userOf(uri: string): string | null {
  return /^sips?:([^@;:]+)(?:[;:][^@]*)?@/i.exec(uri)?.[1] ?? null
}

/** An answer to a request: same Via set, From, Call-ID and CSeq; `toTag` goes where To has none yet (8.2.6). */
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
