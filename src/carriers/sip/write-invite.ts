/** Writes the INVITE of a flash call: the caller in the form that the trunk requires, and the supported options. */
import type { SipHeader, SipRequest } from '../../wire/sip/message.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import {
  ALLOW,
  bracket,
  escapeUser,
  hostOf,
  MAX_FORWARDS,
  USER_AGENT_HEADER,
  writeContact,
  writeVia,
} from './addresses.ts'
import { writeOffer } from './sdp.ts'
import { type NumberFormat, type NumberPlan, writeNumber } from './write-number.ts'

/** The form in which a trunk requires the caller and the called number. */
interface CallerSettings extends NumberPlan {
  readonly callerFormat: NumberFormat
  readonly calledFormat: NumberFormat
  /**
   * The user in From: the calling number, or the user name for trunks that read the number from the identity header.
   */
  readonly fromUser: 'caller' | 'username'
  /** P-Asserted-Identity or P-Preferred-Identity (RFC 3325), or neither. */
  readonly identity: 'asserted' | 'preferred' | 'none'
  /** The Privacy header (RFC 3323); null for none. */
  readonly privacy: 'none' | 'id' | null
  /** Whether provisional answers may be sent reliably (RFC 3262). */
  readonly prack: boolean
}

/** What is the same in all requests of a call. */
export interface CallFacts extends CallerSettings {
  readonly callId: string
  readonly fromTag: string
  /** The calling number and the called phone: digits without the plus. */
  readonly from: string
  readonly phone: string
  readonly domain: string
  /** Host name in Via and Contact; null for the socket's address. */
  readonly publicHost: string | null
  readonly username: string | null
}

export interface InviteOptions {
  readonly branch: string
  readonly cseq: number
  /** Seconds: the shortest session that the peer asked for with 422; null for none. */
  readonly minSession: number | null
  /** Returns the headers that prove the credentials. */
  readonly prove: (uri: string) => readonly SipHeader[]
}

export function writeInvite(facts: CallFacts, path: SipPath, options: InviteOptions): SipRequest {
  const domain = bracket(facts.domain)
  const caller = writeNumber(facts.from, facts.callerFormat, facts)
  const uri = `sip:${writeNumber(facts.phone, facts.calledFormat, facts)}@${domain}`
  const fromUser = facts.fromUser === 'username' ? escapeUser(facts.username ?? caller) : caller
  const supported = facts.prack ? '100rel, timer' : 'timer'
  const headers: SipHeader[] = [
    ['Via', writeVia(facts, path, options.branch)],
    MAX_FORWARDS,
    ['From', `<sip:${fromUser}@${domain}>;tag=${facts.fromTag}`],
    ['To', `<${uri}>`],
    ['Call-ID', facts.callId],
    ['CSeq', `${options.cseq} INVITE`],
    ['Contact', callContact(facts, path)],
    ...identityHeaders(facts, `<sip:${caller}@${domain}>`),
    ALLOW,
    ['Supported', supported],
    ...sessionHeaders(options.minSession),
    USER_AGENT_HEADER,
    ['Content-Type', 'application/sdp'],
    ...options.prove(uri),
  ]
  return { kind: 'request', method: 'INVITE', uri, headers, body: writeOffer(hostOf(facts, path)) }
}

export function callContact(facts: CallFacts, path: SipPath): string {
  return writeContact(facts, path, writeNumber(facts.from, facts.callerFormat, facts))
}

const IDENTITY = { asserted: 'P-Asserted-Identity', preferred: 'P-Preferred-Identity' } as const

function identityHeaders({ identity, privacy }: CallerSettings, caller: string): readonly SipHeader[] {
  const headers: SipHeader[] = identity === 'none' ? [] : [[IDENTITY[identity], caller]]
  if (privacy !== null) headers.push(['Privacy', privacy])
  return headers
}

/** Calls end before any session timer: one is sent only if the peer insists (RFC 4028 section 7.3). */
function sessionHeaders(minSession: number | null): readonly SipHeader[] {
  if (minSession === null) return []
  return [
    ['Session-Expires', String(minSession)],
    ['Min-SE', String(minSession)],
  ]
}
