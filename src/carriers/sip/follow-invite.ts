/** Requests that belong to the transaction of an INVITE, with its branch and its CSeq number. */
import { headerOf } from '../../wire/sip/headers.ts'
import { NO_BODY, type SipHeader, type SipRequest, type SipResponse } from '../../wire/sip/message.ts'
import { MAX_FORWARDS } from './addresses.ts'

/** For a final answer other than 2xx (RFC 3261 section 17.1.1.3). */
export function writeAckOfFailure(invite: SipRequest, response: SipResponse): SipRequest {
  return follow(invite, 'ACK', headerOf(response, 'To') ?? headerOf(invite, 'To') ?? '')
}

/** RFC 3261 section 9.1. */
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
