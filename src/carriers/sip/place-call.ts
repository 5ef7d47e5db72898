/**
 * One flash call from INVITE to its end (RFC 3261 sections 9, 13, 15 and 17.1.1). It reports its verdict once, when the
 * phone rings or the call fails, and then hangs up. It never leaves a call up: a late answer is acknowledged and ended
 * at once. It never cancels before a provisional answer.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import type { Credentials } from '../../wire/sip/digest.ts'
import { branchOf, cseqOf } from '../../wire/sip/headers.ts'
import type { SipRequest, SipResponse } from '../../wire/sip/message.ts'
import { T2_MS, TRANSACTION_MS } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import { AnsweredPhones } from './answered-phones.ts'
import type { Attempt } from './authenticator.ts'
import { CallWire, type CallWireTools } from './call-wire.ts'
import { writeAckOfFailure, writeCancel } from './follow-invite.ts'
import { judgeCallAnswer, minSessionOf, reasonOf } from './judge-answer.ts'
import { ReliableAnswers } from './reliable-answers.ts'
import type { RingPolicy } from './settings.ts'
import { type CallFacts, callContact } from './write-invite.ts'

export interface CallOrder extends CallFacts, RingPolicy {
  readonly ringMs: number
  readonly setupTimeoutMs: number
  readonly responseTimeoutMs: number
  readonly credentials: Credentials | null
}

export interface CallTools extends CallWireTools {
  /**
   * Called once for a phone that rang: with the final answer, or without one if none arrived. `detail` is the status,
   * or why there is none.
   */
  readonly onEnd: (outcome: 'answered' | 'unanswered', detail: string) => void
}

export interface PlacedCall {
  readonly verdict: Promise<Verdict>
  /**
   * Resolves when the call has ended or its time is over. The call must still receive responses for 64·T1 after that:
   * repeated final responses need another ACK, and a phone that rings late needs a CANCEL.
   */
  readonly over: Promise<void>
  /** The gateway's Contact in the call. */
  readonly contact: string
  take(response: SipResponse): void
  /** The connection is lost: a call that does not ring yet is given up. */
  connectionLost(reason: string): void
  /** Forgets the call and stops all of its timers. */
  close(): void
}

/** Sends the INVITE over `path` and returns at once. */
export function placeCall(order: CallOrder, path: SipPath, tools: CallTools): PlacedCall {
  return new OutgoingCall(order, path, tools)
}

class OutgoingCall implements PlacedCall {
  readonly verdict: Promise<Verdict>
  readonly over: Promise<void>
  readonly #order: CallOrder
  readonly #tools: CallTools
  readonly #wire: CallWire
  readonly #answered: AnsweredPhones
  readonly #reliable: ReliableAnswers
  readonly #attempt: Attempt
  #settle: (verdict: Verdict) => void = () => {}
  #finish: () => void = () => {}
  #settled = false
  #rang = false
  #reported = false

  #invite: SipRequest
  /** Seconds that the peer asked for with 422. */
  #minSession: number | null = null
  #provisional = false
  #earlyMedia = false
  #final = false
  #cancelled = false
  /** Why the connection was lost first; null while it was not. */
  #lost: string | null = null
  /** ACKs of failures by the branch of their INVITE, repeated when the failure is. */
  readonly #acks = new Map<string, SipRequest>()

  #stopInvite: Cancel = () => {}
  #stopSilence: Cancel = () => {}
  #stopSetup: Cancel = () => {}
  #stopRinging: Cancel = () => {}
  #stopCancel: Cancel = () => {}
  #stopWaiting: Cancel = () => {}

  constructor(order: CallOrder, path: SipPath, tools: CallTools) {
    this.#order = order
    this.#tools = tools
    this.#wire = new CallWire(order, order.credentials, path, tools)
    this.#answered = new AnsweredPhones(this.#wire, () => this.#end())
    this.#reliable = new ReliableAnswers(this.#wire)
    this.#attempt = this.#wire.authenticator.begin()
    this.verdict = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.over = new Promise((resolve) => {
      this.#finish = resolve
    })
    const { setupTimeoutMs } = order
    this.#stopSetup = tools.clock.after(setupTimeoutMs, () => {
      const detail = this.#earlyMedia ? ', though early media came (183)' : ''
      this.#giveUp(`did not ring within ${setupTimeoutMs} ms${detail}`)
    })
    this.#invite = this.#sendInvite()
  }

  get contact(): string {
    return callContact(this.#order, this.#wire.path)
  }

  take(response: SipResponse): void {
    const cseq = cseqOf(response)
    const branch = branchOf(response)
    if (cseq === null || branch === null) return
    if (cseq.method === 'BYE') this.#answered.take(response, branch)
    else if (cseq.method === 'PRACK') this.#reliable.take(response, branch)
    else if (cseq.method === 'CANCEL' && response.status >= 200 && branch === branchOf(this.#invite)) this.#stopCancel()
    else if (cseq.method === 'INVITE') this.#takeInviteAnswer(response, branch)
  }

  connectionLost(reason: string): void {
    this.#lost ??= reason
    this.#giveUp(reason)
  }

  close(): void {
    this.#say({ kind: 'unclear', reason: 'the carrier was stopped' })
    this.#end()
    this.#answered.close()
  }

  #takeInviteAnswer(response: SipResponse, branch: string): void {
    const ack = this.#acks.get(branch)
    if (ack !== undefined) {
      if (response.status >= 300) this.#wire.send(ack)
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
    if (!this.#reliable.isNew(this.#invite, response)) return
    if (response.status === 183) this.#earlyMedia = true
    const isRinging = response.status === 180 || (this.#earlyMedia && this.#order.earlyMedia === 'ringing')
    if (!this.#settled && isRinging) {
      this.#stopSetup()
      this.#say({ kind: 'taken', ref: this.#order.callId })
      this.#stopRinging = this.#tools.clock.after(this.#order.ringMs, () => this.#cancel())
    } else if (this.#settled && !this.#rang) {
      // Given up earlier, before there was anything to cancel.
      this.#cancel()
    }
  }

  /** A phone answered: hangs up at once. */
  #hangUp(response: SipResponse): void {
    this.#stopTimers()
    this.#final = true
    const isDelivered = this.#rang || this.#order.answerWithoutRinging === 'delivered'
    this.#say(isDelivered ? { kind: 'taken', ref: this.#order.callId } : NOT_RUNG)
    this.#reportEnd('answered', reasonOf(response))
    this.#answered.hangUp(this.#invite, response)
  }

  #fail(response: SipResponse, branch: string): void {
    const ack = writeAckOfFailure(this.#invite, response)
    this.#acks.set(branch, ack)
    this.#wire.send(ack)
    this.#stopInvite()
    this.#stopSilence()
    if (!this.#settled && this.#canRetry(response)) {
      this.#provisional = false
      this.#invite = this.#sendInvite()
      return
    }
    this.#final = true
    this.#reportEnd('unanswered', reasonOf(response))
    this.#say(judgeCallAnswer(response))
    this.#end()
  }

  /** Returns whether another INVITE can provide what this answer asks for: a proof, or a longer session. */
  #canRetry(response: SipResponse): boolean {
    const minSession = this.#minSession === null ? minSessionOf(response) : null
    if (minSession === null) return this.#attempt.accept(response)
    this.#minSession = minSession
    return true
  }

  /**
   * Gives a call up before it rang: `unreachable` if the peer sent nothing, otherwise `unclear`. The phone must not
   * ring any more.
   */
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

  #reportEnd(outcome: 'answered' | 'unanswered', detail: string): void {
    if (this.#reported || !this.#rang) return
    this.#reported = true
    this.#tools.onEnd(outcome, detail)
  }

  #cancel(): void {
    if (this.#cancelled || this.#final) return
    this.#cancelled = true
    this.#stopCancel = this.#wire.repeat(writeCancel(this.#invite), T2_MS, () => {})
    this.#stopWaiting = this.#tools.clock.after(TRANSACTION_MS, () => this.#end())
  }

  #sendInvite(): SipRequest {
    const invite = this.#wire.invite(this.#minSession)
    const { responseTimeoutMs } = this.#order
    this.#stopSilence = this.#tools.clock.after(responseTimeoutMs, () =>
      this.#giveUp(`no answer within ${responseTimeoutMs} ms`),
    )
    this.#stopInvite = this.#wire.repeat(invite, Number.POSITIVE_INFINITY, () => this.#giveUp('no answer'))
    return invite
  }

  #end(): void {
    this.#reportEnd('unanswered', `no final answer${this.#lost === null ? '' : `: ${this.#lost}`}`)
    this.#stopTimers()
    this.#reliable.close()
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
}

/** The phone is off and its mailbox answered, or the route simulates a call: another call would not ring either. */
const NOT_RUNG: Verdict = { kind: 'refused', status: 'UNDELIVERABLE', reason: 'answered without ringing', cause: 'off' }
