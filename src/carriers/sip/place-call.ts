/**
 * One flash call from INVITE to silence (RFC 3261 sections 9, 13, 15 and 17.1.1). It says its verdict once, when the
 * phone rings or the call fails; hanging up goes on after that. It never leaves a call up: whatever answers late is
 * acknowledged and ended at once, and it never cancels before a provisional answer came.
 */
import type { Verdict } from '../../domain/journey-event.ts'
import type { Cancel, Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { answerChallenges, type Credentials } from '../../wire/sip/digest.ts'
import { branchOf, cseqOf, headersOf, tagOf } from '../../wire/sip/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { retransmit, T2_MS, TRANSACTION_MS } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import { type CallFacts, writeAckOfFailure, writeCancel, writeInDialog, writeInvite } from './call-requests.ts'
import { judgeAnswer, reasonOf } from './judge-answer.ts'
import type { RingPolicy } from './read-settings.ts'

export interface CallOrder extends CallFacts, RingPolicy {
  readonly ringMs: number
  readonly setupTimeoutMs: number
  readonly responseTimeoutMs: number
  readonly credentials: Credentials | null
}

export interface CallTools {
  readonly clock: Clock
  readonly random: Random
  /** The way to the peer as it is now; null while there is none. */
  readonly path: () => SipPath | null
  /** Called once at most, with the final answer for a phone that rang; never when there is none. `detail` is its status. */
  readonly onEnd: (outcome: 'answered' | 'unanswered', detail: string) => void
}

export interface PlacedCall {
  readonly verdict: Promise<Verdict>
  /**
   * The call has ended, or nobody ever answered. It must be given what still comes for 64·T1 more: finals that are
   * repeated want their ACK again, and a phone that rings after all wants its CANCEL.
   */
  readonly over: Promise<void>
  take(response: SipResponse): void
  /** The connection is lost: a call that does not ring yet is given up. */
  loseWay(reason: string): void
  /** Forgets the call and stops all of its timers. */
  close(): void
}

/** Sends the INVITE over `path` and returns at once. */
export function placeCall(order: CallOrder, path: SipPath, tools: CallTools): PlacedCall {
  return new OutgoingCall(order, path, tools)
}

/** What one 2xx made; a forked INVITE can be answered by several phones. */
interface Answered {
  readonly response: SipResponse
  readonly ack: SipRequest
  byeBranch: string
  byeCSeq: number
  stopBye: Cancel
  state: 'leaving' | 'proving who we are' | 'left'
}

/** Phones behind one number that may answer one call; more are not hung up on. */
const MAX_ANSWERED = 8

class OutgoingCall implements PlacedCall {
  readonly verdict: Promise<Verdict>
  readonly over: Promise<void>
  readonly #order: CallOrder
  readonly #tools: CallTools
  /** Where the call began: what Via and Contact say while no other way is open. */
  readonly #firstPath: SipPath
  #settle: (verdict: Verdict) => void = () => {}
  #finish: () => void = () => {}
  #settled = false
  #rang = false
  #told = false

  #cseq = 0
  #invite: SipRequest
  #proved = false
  #provisional = false
  #earlyMedia = false
  #final = false
  #cancelled = false
  /** ACKs of failures by the branch of their INVITE, to be repeated when the failure is. */
  readonly #acks = new Map<string, SipRequest>()
  readonly #answered = new Map<string, Answered>()

  #stopInvite: Cancel = () => {}
  #stopSilence: Cancel = () => {}
  #stopSetup: Cancel = () => {}
  #stopRinging: Cancel = () => {}
  #stopCancel: Cancel = () => {}
  #stopWaiting: Cancel = () => {}

  constructor(order: CallOrder, path: SipPath, tools: CallTools) {
    this.#order = order
    this.#tools = tools
    this.#firstPath = path
    this.verdict = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.over = new Promise((resolve) => {
      this.#finish = resolve
    })
    const { setupTimeoutMs } = order
    this.#stopSetup = tools.clock.after(setupTimeoutMs, () => {
      const heard = this.#earlyMedia ? ', though early media came (183)' : ''
      this.#giveUp(`did not ring within ${setupTimeoutMs} ms${heard}`)
    })
    this.#invite = this.#sendInvite(null)
  }

  take(response: SipResponse): void {
    const cseq = cseqOf(response)
    const branch = branchOf(response)
    if (cseq === null || branch === null) return
    if (cseq.method === 'BYE') this.#takeByeAnswer(response, branch)
    else if (cseq.method === 'CANCEL' && response.status >= 200 && branch === branchOf(this.#invite)) this.#stopCancel()
    else if (cseq.method === 'INVITE') this.#takeInviteAnswer(response, branch)
  }

  loseWay(reason: string): void {
    this.#giveUp(reason)
  }

  close(): void {
    this.#say({ kind: 'unclear', reason: 'the carrier was stopped' })
    this.#stopTimers()
    for (const answered of this.#answered.values()) answered.stopBye()
    this.#finish()
  }

  #takeInviteAnswer(response: SipResponse, branch: string): void {
    const ack = this.#acks.get(branch)
    if (ack !== undefined) {
      if (response.status >= 300) this.#send(ack)
    } else if (branch === branchOf(this.#invite)) {
      if (response.status < 200) this.#progress(response)
      else if (response.status < 300) this.#hangUp(response)
      else this.#fail(response, branch)
    }
  }

  #progress(response: SipResponse): void {
    if (this.#final) return
    this.#stopInvite()
    this.#stopSilence()
    this.#provisional = true
    if (response.status === 183) this.#earlyMedia = true
    const rings = response.status === 180 || (this.#earlyMedia && this.#order.earlyMedia === 'ringing')
    if (!this.#settled && rings) {
      this.#stopSetup()
      this.#say({ kind: 'taken', ref: this.#order.callId })
      this.#stopRinging = this.#tools.clock.after(this.#order.ringMs, () => this.#cancel())
    } else if (this.#settled && !this.#rang) {
      // Given up before, when there was nothing yet that could be cancelled.
      this.#cancel()
    }
  }

  /** Somebody answered, which is more than we wanted: acknowledge and leave. */
  #hangUp(response: SipResponse): void {
    const tag = tagOf(response, 'To') ?? ''
    const before = this.#answered.get(tag)
    if (before !== undefined) this.#send(before.ack)
    else if (this.#answered.size < MAX_ANSWERED) this.#leave(response, tag)
  }

  #leave(response: SipResponse, tag: string): void {
    this.#stopTimers()
    this.#final = true
    const counts = this.#rang || this.#order.answerWithoutRinging === 'delivered'
    this.#say(counts ? { kind: 'taken', ref: this.#order.callId } : UNRUNG)
    this.#tellEnd('answered', response)
    const ack = this.#inDialog(response, 'ACK', this.#newBranch(), this.#cseq, null)
    const answered: Answered = {
      response,
      ack,
      byeBranch: '',
      byeCSeq: this.#cseq,
      stopBye: () => {},
      state: 'leaving',
    }
    this.#answered.set(tag, answered)
    this.#send(ack)
    this.#sendBye(answered, null)
  }

  #fail(response: SipResponse, branch: string): void {
    const ack = writeAckOfFailure(this.#invite, response)
    this.#acks.set(branch, ack)
    this.#send(ack)
    this.#stopInvite()
    this.#stopSilence()
    const proof = this.#settled || this.#proved ? null : this.#prove(response, 'INVITE', this.#invite.uri)
    if (proof !== null) {
      this.#proved = true
      this.#provisional = false
      this.#invite = this.#sendInvite(proof)
      return
    }
    this.#final = true
    this.#tellEnd('unanswered', response)
    this.#say(judgeAnswer(response))
    this.#end()
  }

  /** Before it rang. A peer that said nothing has no way on; otherwise nobody knows. The phone must not ring any more. */
  #giveUp(reason: string): void {
    if (this.#settled) return
    this.#say({ kind: this.#provisional ? 'unclear' : 'unreachable', reason })
    this.#stopSetup()
    this.#stopSilence()
    this.#stopInvite()
    if (this.#provisional) this.#cancel()
    else this.#finish()
  }

  #say(verdict: Verdict): void {
    if (this.#settled) return
    this.#settled = true
    this.#rang = verdict.kind === 'taken'
    this.#settle(verdict)
  }

  #tellEnd(outcome: 'answered' | 'unanswered', response: SipResponse): void {
    if (this.#told || !this.#rang) return
    this.#told = true
    this.#tools.onEnd(outcome, reasonOf(response))
  }

  #cancel(): void {
    if (this.#cancelled || this.#final) return
    this.#cancelled = true
    this.#stopCancel = this.#repeat(writeCancel(this.#invite), T2_MS, () => {})
    this.#stopWaiting = this.#tools.clock.after(TRANSACTION_MS, () => this.#end())
  }

  #sendInvite(authorization: SipHeader | null): SipRequest {
    this.#cseq += 1
    const invite = writeInvite(this.#order, this.#path, this.#newBranch(), this.#cseq, authorization)
    const { responseTimeoutMs } = this.#order
    this.#stopSilence = this.#tools.clock.after(responseTimeoutMs, () =>
      this.#giveUp(`no answer within ${responseTimeoutMs} ms`),
    )
    this.#stopInvite = this.#repeat(invite, Number.POSITIVE_INFINITY, () => this.#giveUp('no answer'))
    return invite
  }

  #sendBye(answered: Answered, authorization: SipHeader | null): void {
    answered.byeBranch = this.#newBranch()
    answered.byeCSeq += 1
    const bye = this.#inDialog(answered.response, 'BYE', answered.byeBranch, answered.byeCSeq, authorization)
    answered.stopBye = this.#repeat(bye, T2_MS, () => this.#left(answered))
  }

  #takeByeAnswer(response: SipResponse, branch: string): void {
    const answered = [...this.#answered.values()].find((each) => each.byeBranch === branch)
    if (answered === undefined || answered.state === 'left' || response.status < 200) return
    answered.stopBye()
    const uri = answered.state === 'leaving' ? this.#inDialog(answered.response, 'BYE', '', 0, null).uri : null
    const proof = uri === null ? null : this.#prove(response, 'BYE', uri)
    if (proof === null) {
      this.#left(answered)
    } else {
      answered.state = 'proving who we are'
      this.#sendBye(answered, proof)
    }
  }

  #left(answered: Answered): void {
    answered.state = 'left'
    if ([...this.#answered.values()].every((each) => each.state === 'left')) this.#end()
  }

  /** The header that meets a 401 or 407; null when it is none, or we cannot. */
  #prove(response: SipResponse, method: string, uri: string): SipHeader | null {
    const { credentials } = this.#order
    const names = PROOFS.get(response.status)
    if (names === undefined || credentials === null) return null
    const cnonce = this.#hex(8)
    const proof = answerChallenges(headersOf(response, names.challenge), credentials, { method, uri }, cnonce)
    return proof === null ? null : [names.proof, proof]
  }

  #inDialog(
    response: SipResponse,
    method: 'ACK' | 'BYE',
    branch: string,
    cseq: number,
    authorization: SipHeader | null,
  ): SipRequest {
    return writeInDialog(this.#order, this.#path, this.#invite, response, { method, branch, cseq, authorization })
  }

  #end(): void {
    this.#stopTimers()
    this.#finish()
  }

  #stopTimers(): void {
    this.#stopInvite()
    this.#stopSilence()
    this.#stopSetup()
    this.#stopRinging()
    this.#stopCancel()
    this.#stopWaiting()
  }

  /** Until it is stopped or 64·T1 have passed; over a connection once, when there is one. */
  #repeat(message: SipRequest, longestMs: number, onTimeout: () => void): Cancel {
    const send = () => this.#send(message) && this.#path.transport !== 'UDP'
    return retransmit(this.#tools.clock, send, longestMs, onTimeout)
  }

  #send(message: SipRequest): boolean {
    return this.#tools.path()?.send(message) ?? false
  }

  get #path(): SipPath {
    return this.#tools.path() ?? this.#firstPath
  }

  /** Begins as RFC 3261 asks for (8.1.1.7). */
  #newBranch(): string {
    return `z9hG4bK${this.#hex(10)}`
  }

  #hex(bytes: number): string {
    return Buffer.from(this.#tools.random.bytes(bytes)).toString('hex')
  }
}

/** The phone is off and its mailbox answers, or the route only pretends: another ring would reach nobody, or annoy. */
const UNRUNG: Verdict = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'answered without ringing', cause: 'off' }

const PROOFS: ReadonlyMap<number, { readonly challenge: string; readonly proof: string }> = new Map([
  [401, { challenge: 'WWW-Authenticate', proof: 'Authorization' }],
  [407, { challenge: 'Proxy-Authenticate', proof: 'Proxy-Authorization' }],
])
