/** What a caller that takes no calls answers to the requests of its peer. Keeps nothing, so a repeated request is answered the same. */
import { answerTo, headerOf, headersOf, tagOf } from '../../wire/sip/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { ALLOW } from './addresses.ts'
import { answerOffer } from './sdp.ts'

/** A call of ours that a request is about. */
export interface OwnEnd {
  readonly contact: string
  /** Our host, for session descriptions. */
  readonly host: string
}

const SUPPORTED: ReadonlySet<string> = new Set(['100rel', 'timer'])

/** Null for what wants no answer: an ACK, or something that cannot be answered. `call`: null when it is about none of ours. */
export function answerRequest(request: SipRequest, call: OwnEnd | null, toTag: string): SipResponse | null {
  if (request.method === 'ACK' || headerOf(request, 'Via') === null) return null
  const answer = (status: number, reason: string, more: readonly SipHeader[] = []) =>
    answerTo(request, status, reason, toTag, [ALLOW, ...more])
  const unknown = unknownOptions(request)
  if (unknown !== '' && request.method !== 'CANCEL') return answer(420, 'Bad Extension', [['Unsupported', unknown]])
  if (request.method === 'OPTIONS') return answer(200, 'OK')
  if (request.method === 'BYE' && call !== null) return answer(200, 'OK')
  if (request.method === 'UPDATE' && call !== null) return answerUpdate(request, call, answer)
  const ofCall = request.method === 'BYE' || request.method === 'CANCEL' || tagOf(request, 'To') !== null
  return ofCall ? answer(481, 'Call/Transaction Does Not Exist') : answer(501, 'Not Implemented')
}

/**
 * Changes of the session (RFC 3311) and refreshes of its timer (RFC 4028 section 9) are agreed to: nobody talks, and the call
 * ends long before.
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

/** The options that a request needs and we do not know (RFC 3261 section 8.2.2.3). */
function unknownOptions(request: SipRequest): string {
  const needed = headersOf(request, 'Require').flatMap((value) => value.split(',').map((option) => option.trim()))
  return needed.filter((option) => option !== '' && !SUPPORTED.has(option.toLowerCase())).join(', ')
}
