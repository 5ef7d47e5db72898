/**
 * Answers the peer's requests on behalf of a client that takes no calls. Stateless: a repeated request gets the same
 * answer.
 */
import { answerTo, dialogTag, headerOf, headersNamed } from '../../wire/sip/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { ALLOW } from './addresses.ts'
import { answerOffer } from './sdp.ts'

/** The gateway's end of a call that a request belongs to. */
export interface OwnEnd {
  readonly contact: string
  /** The gateway's host, for session descriptions. */
  readonly host: string
}

const SUPPORTED: ReadonlySet<string> = new Set(['100rel', 'timer'])

/**
 * Returns null for a request that gets no answer: an ACK, or one that cannot be answered.
 * @param call null if the request belongs to no known call.
 */
export function answerRequest(request: SipRequest, call: OwnEnd | null, toTag: string): SipResponse | null {
  if (request.method === 'ACK' || headerOf(request, 'Via') === null) return null
  const answer = (status: number, reason: string, more: readonly SipHeader[] = []) =>
    answerTo(request, status, reason, toTag, [ALLOW, ...more])
  const unknown = unknownOptions(request)
  if (unknown !== '' && request.method !== 'CANCEL') return answer(420, 'Bad Extension', [['Unsupported', unknown]])
  if (request.method === 'OPTIONS') return answer(200, 'OK')
  if (request.method === 'BYE' && call !== null) return answer(200, 'OK')
  if (request.method === 'UPDATE' && call !== null) return answerUpdate(request, call, answer)
  const ofCall = request.method === 'BYE' || request.method === 'CANCEL' || dialogTag(request, 'To') !== null
  return ofCall ? answer(481, 'Call/Transaction Does Not Exist') : answer(501, 'Not Implemented')
}

/**
 * Agrees to changes of the session (RFC 3311) and to refreshes of its timer (RFC 4028 section 9): the call has no media
 * and ends long before.
 */
function answerUpdate(
  request: SipRequest,
  { contact, host }: OwnEnd,
  answer: (status: number, reason: string, more?: readonly SipHeader[]) => SipResponse,
): SipResponse {
  const more: SipHeader[] = [['Contact', contact]]
  const session = headerOf(request, 'Session-Expires')
  if (session !== null) {
    more.push(['Require', 'timer'])
    more.push(['Session-Expires', /;\s*refresher=/i.test(session) ? session : `${session};refresher=uac`])
  }
  if (request.body.length === 0) return answer(200, 'OK', more)
  const body = answerOffer(request.body, host)
  if (body === null) return answer(488, 'Not Acceptable Here')
  return { ...answer(200, 'OK', [...more, ['Content-Type', 'application/sdp']]), body }
}

/** Returns the options that a request requires and the gateway does not support (RFC 3261 section 8.2.2.3). */
function unknownOptions(request: SipRequest): string {
  const needed = headersNamed(request, 'Require').flatMap((value) => value.split(',').map((option) => option.trim()))
  return needed.filter((option) => option !== '' && !SUPPORTED.has(option.toLowerCase())).join(', ')
}
