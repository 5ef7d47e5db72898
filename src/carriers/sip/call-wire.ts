/** What all requests of one call share: the path to the peer, the CSeq numbers, the proofs, and the retransmissions. */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Credentials } from '../../wire/sip/digest.ts'
import { headerOf, headersNamed, uriOf } from '../../wire/sip/headers.ts'
import { NO_BODY, type SipHeader, type SipRequest, type SipResponse } from '../../wire/sip/message.ts'
import { retransmit } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import { MAX_FORWARDS, writeVia } from './addresses.ts'
import { Authenticator } from './authenticator.ts'
import { type CallFacts, writeInvite } from './write-invite.ts'

export interface CallWireTools {
  readonly clock: Clock
  readonly random: Random
  /** Returns the current path to the peer; null while there is none. */
  readonly path: () => SipPath | null
}

export class CallWire {
  readonly authenticator: Authenticator
  readonly #facts: CallFacts
  readonly #tools: CallWireTools
  /** The path at the start of the call: used in Via and Contact while no other path is open. */
  readonly #firstPath: SipPath
  /** Number of the last request other than ACK and CANCEL. */
  #cseq = 0

  constructor(facts: CallFacts, credentials: Credentials | null, firstPath: SipPath, tools: CallWireTools) {
    this.#facts = facts
    this.#tools = tools
    this.#firstPath = firstPath
    this.authenticator = new Authenticator(credentials, tools.random)
  }

  get path(): SipPath {
    return this.#tools.path() ?? this.#firstPath
  }

  send(message: SipRequest): boolean {
    return this.#tools.path()?.send(message) ?? false
  }

  /** Sends the message until it is stopped or 64·T1 have passed; over a connection only once. */
  repeat(message: SipRequest, maxMs: number, onTimeout: () => void): Cancel {
    const send = () => this.send(message) && this.path.transport !== 'UDP'
    return retransmit(this.#tools.clock, send, maxMs, onTimeout)
  }

  /** An INVITE with the next CSeq. */
  invite(minSession: number | null): SipRequest {
    this.#cseq += 1
    const prove = (uri: string) => this.authenticator.prove('INVITE', uri)
    return writeInvite(this.#facts, this.path, { branch: this.newBranch(), cseq: this.#cseq, minSession, prove })
  }

  /** A request with the next CSeq, in the dialog that a response to `invite` created. */
  inDialog(
    invite: SipRequest,
    response: SipResponse,
    method: 'BYE' | 'PRACK',
    branch: string,
    more: readonly SipHeader[] = [],
  ): SipRequest {
    this.#cseq += 1
    const request = this.#inDialog(invite, response, method, branch, this.#cseq)
    const headers = [...request.headers, ...more, ...this.authenticator.prove(method, request.uri)]
    return { ...request, headers }
  }

  /** The ACK of a 2xx: the number and the proofs of its INVITE, a branch of its own (13.2.2.4). */
  ackOf(invite: SipRequest, response: SipResponse): SipRequest {
    const number = Number.parseInt(headerOf(invite, 'CSeq') ?? '', 10)
    const ack = this.#inDialog(invite, response, 'ACK', this.newBranch(), number)
    const proofs = invite.headers.filter(([name]) => /^(proxy-)?authorization$/i.test(name))
    return { ...ack, headers: [...ack.headers, ...proofs] }
  }

  /** Begins with the prefix of RFC 3261 (8.1.1.7). */
  newBranch(): string {
    return `z9hG4bK${Buffer.from(this.#tools.random.bytes(10)).toString('hex')}`
  }

  /**
   * To the Contact of the response, along its Record-Routes reversed (12.1.2, 12.2.1.1). Strict routers of RFC 2543 are
   * not supported.
   */
  #inDialog(invite: SipRequest, response: SipResponse, method: string, branch: string, cseq: number): SipRequest {
    const contact = headerOf(response, 'Contact')
    const target = contact === null ? null : uriOf(contact)
    const routes = headersNamed(response, 'Record-Route').reverse()
    const headers: SipHeader[] = [
      ['Via', writeVia(this.#facts, this.path, branch)],
      MAX_FORWARDS,
      ...routes.map((route): SipHeader => ['Route', route]),
      ['From', headerOf(invite, 'From') ?? ''],
      ['To', headerOf(response, 'To') ?? ''],
      ['Call-ID', this.#facts.callId],
      ['CSeq', `${cseq} ${method}`],
    ]
    const uri = target !== null && /^sips?:\S+$/i.test(target) ? target : invite.uri
    return { kind: 'request', method, uri, headers, body: NO_BODY }
  }
}
