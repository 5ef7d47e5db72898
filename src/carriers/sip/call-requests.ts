/** The requests of one flash call, as values: INVITE, its CANCEL and ACK, and the BYE of a call that was answered. */
import { headerOf, headersOf, uriOf } from '../../wire/sip/headers.ts'
import { NO_BODY, type SipHeader, type SipRequest, type SipResponse } from '../../wire/sip/message.ts'
import type { SipPath } from '../../wire/sip/transport.ts'

/** What stays the same over all requests of a call. */
export interface CallFacts {
  readonly callId: string
  readonly fromTag: string
  /** The number that calls and the phone that it calls: digits without the plus. */
  readonly from: string
  readonly phone: string
  readonly domain: string
  /** Our name in Via and Contact; null for the socket's address. */
  readonly publicHost: string | null
}

export const ALLOW: SipHeader = ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS']
export const MAX_FORWARDS: SipHeader = ['Max-Forwards', '70']

export function writeInvite(
  facts: CallFacts,
  path: SipPath,
  branch: string,
  cseq: number,
  authorization: SipHeader | null,
): SipRequest {
  const domain = bracket(facts.domain)
  const caller = `<sip:+${facts.from}@${domain}>`
  const uri = `sip:+${facts.phone}@${domain}`
  const host = facts.publicHost ?? path.local.host
  const way = path.transport === 'UDP' ? '' : `;transport=${path.transport.toLowerCase()}`
  const headers: SipHeader[] = [
    ['Via', writeVia(facts, path, branch)],
    MAX_FORWARDS,
    ['From', `${caller};tag=${facts.fromTag}`],
    ['To', `<${uri}>`],
    ['Call-ID', facts.callId],
    ['CSeq', `${cseq} INVITE`],
    ['Contact', `<sip:+${facts.from}@${bracket(host)}:${path.local.port}${way}>`],
    ['P-Asserted-Identity', caller],
    ALLOW,
    ['User-Agent', 'Posthorn'],
    ['Content-Type', 'application/sdp'],
  ]
  if (authorization !== null) headers.push(authorization)
  return { kind: 'request', method: 'INVITE', uri, headers, body: writeOffer(host) }
}

/** For a final answer other than 2xx: part of the INVITE's transaction, so the same branch and routes (17.1.1.3). */
export function writeAckOfFailure(invite: SipRequest, response: SipResponse): SipRequest {
  return follow(invite, 'ACK', headerOf(response, 'To') ?? headerOf(invite, 'To') ?? '')
}

/** Same branch as the INVITE that it cancels (9.1). */
export function writeCancel(invite: SipRequest): SipRequest {
  return follow(invite, 'CANCEL', headerOf(invite, 'To') ?? '')
}

function follow(invite: SipRequest, method: 'ACK' | 'CANCEL', to: string): SipRequest {
  const headers: SipHeader[] = [
    ['Via', headerOf(invite, 'Via') ?? ''],
    MAX_FORWARDS,
    ['From', headerOf(invite, 'From') ?? ''],
    ['To', to],
    ['Call-ID', headerOf(invite, 'Call-ID') ?? ''],
    ['CSeq', (headerOf(invite, 'CSeq') ?? '').replace('INVITE', method)],
  ]
  return { kind: 'request', method, uri: invite.uri, headers, body: NO_BODY }
}

/**
 * A request inside the dialog that a 2xx made: to its Contact, along its Record-Routes reversed (12.1.2, 12.2.1.1). Strict
 * routers of RFC 2543 are not served.
 */
export function writeInDialog(
  facts: CallFacts,
  path: SipPath,
  invite: SipRequest,
  response: SipResponse,
  request: {
    readonly method: 'ACK' | 'BYE'
    readonly branch: string
    readonly cseq: number
    readonly authorization: SipHeader | null
  },
): SipRequest {
  const contact = headerOf(response, 'Contact')
  const target = contact === null ? null : uriOf(contact)
  const routes = headersOf(response, 'Record-Route').reverse()
  const headers: SipHeader[] = [
    ['Via', writeVia(facts, path, request.branch)],
    MAX_FORWARDS,
    ...routes.map((route): SipHeader => ['Route', route]),
    ['From', headerOf(invite, 'From') ?? ''],
    ['To', headerOf(response, 'To') ?? ''],
    ['Call-ID', facts.callId],
    ['CSeq', `${request.cseq} ${request.method}`],
  ]
  if (request.authorization !== null) headers.push(request.authorization)
  const uri = target !== null && /^sips?:\S+$/i.test(target) ? target : invite.uri
  return { kind: 'request', method: request.method, uri, headers, body: NO_BODY }
}

/** With `rport`, so that answers come back through address translators (RFC 3581). */
export function writeVia(facts: Pick<CallFacts, 'publicHost'>, path: SipPath, branch: string): string {
  const host = bracket(facts.publicHost ?? path.local.host)
  return `SIP/2.0/${path.transport} ${host}:${path.local.port};branch=${branch};rport`
}

/**
 * The smallest offer that switches accept: one G.711 stream. Nobody will talk, so early media is pointed at the discard
 * port.
 */
function writeOffer(host: string): Uint8Array {
  const address = `${host.includes(':') ? 'IP6' : 'IP4'} ${host}`
  const lines = ['v=0', `o=- 1 1 IN ${address}`, 's=-', `c=IN ${address}`, 't=0 0', 'm=audio 9 RTP/AVP 8 0']
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

/** An IPv6 address as it stands in URIs and Via. */
export function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
