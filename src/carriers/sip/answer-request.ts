/** What a caller that takes no calls answers to the requests of its peer. Keeps nothing, so a repeated request is answered the same. */
import { answerTo, headerOf, tagOf } from '../../wire/sip/headers.ts'
import type { SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { ALLOW } from './call-requests.ts'

/** Null for what wants no answer: an ACK, or something that cannot be answered. `known`: it is about a call of ours. */
export function answerRequest(request: SipRequest, known: boolean, toTag: string): SipResponse | null {
  if (request.method === 'ACK' || headerOf(request, 'Via') === null) return null
  const answer = (status: number, reason: string) => answerTo(request, status, reason, toTag, [ALLOW])
  if (request.method === 'OPTIONS') return answer(200, 'OK')
  if (request.method === 'BYE' && known) return answer(200, 'OK')
  const ofCall = request.method === 'BYE' || request.method === 'CANCEL' || tagOf(request, 'To') !== null
  return ofCall ? answer(481, 'Call/Transaction Does Not Exist') : answer(501, 'Not Implemented')
}
