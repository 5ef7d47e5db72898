/**
 * Writes the OPTIONS request, outside of any call, that checks whether a peer is reachable (RFC 3261 section 11). Any
 * answer means that it is.
 */
import { NO_BODY, type SipRequest } from '../../wire/sip/message.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import { bracket, MAX_FORWARDS, USER_AGENT_HEADER, writeVia } from './addresses.ts'

/** @param id must be fresh: branch, tag and Call-ID are derived from it. */
export function writePing(
  end: { readonly domain: string; readonly publicHost: string | null },
  path: SipPath,
  id: string,
): SipRequest {
  const uri = `sip:${bracket(end.domain)}`
  return {
    kind: 'request',
    method: 'OPTIONS',
    uri,
    headers: [
      ['Via', writeVia(end, path, `z9hG4bK${id}`)],
      MAX_FORWARDS,
      ['From', `<${uri}>;tag=${id}`],
      ['To', `<${uri}>`],
      ['Call-ID', `ping-${id}`],
      ['CSeq', '1 OPTIONS'],
      USER_AGENT_HEADER,
    ],
    body: NO_BODY,
  }
}
