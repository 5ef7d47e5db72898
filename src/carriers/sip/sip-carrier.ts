/**
 * Flash calls over a SIP trunk: each submission is one call that rings and is hung up on. The number of concurrent
 * calls is limited, including those that still ring after their verdict. The ringing is the delivery; a receipt reports
 * how the call ended.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { CallContent } from '../../domain/message/message.ts'
import type { Carrier, CarrierReceipt, CarrierState, Inbox, Submission } from '../../ports/carriers/carrier.ts'
import type { Cancel } from '../../ports/system/clock.ts'
import { callIdOf } from '../../wire/sip/headers.ts'
import type { SipMessage } from '../../wire/sip/message.ts'
import { TRANSACTION_MS } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import type { CarrierTools } from '../shared/carrier-tools.ts'
import { LastError } from '../shared/last-error.ts'
import { hostOf } from './addresses.ts'
import { answerRequest } from './answer-request.ts'
import { CallSlots } from './call-slots.ts'
import { SipLink } from './link.ts'
import { type CallOrder, type PlacedCall, placeCall } from './place-call.ts'
import { RefusalRun } from './refusal-run.ts'
import { SipRegistration } from './registration.ts'
import { readSipSettings, type SipSettings } from './settings.ts'

/** Throws an Error that names the invalid setting. */
export function createSipCarrier(
  setup: { readonly id: string; readonly settings: unknown },
  tools: CarrierTools,
): Carrier {
  return new SipCarrier(setup.id, readSipSettings(setup.settings), tools)
}

/** Ended calls that are remembered so that a repeated final response gets its ACK again; the oldest go first. */
const MAX_ENDED = 10_000
/** How long `stop` waits beyond the time that a call takes. */
const STOP_GRACE_MS = 2_000

const NOT_RUNNING: Verdict = { kind: 'unreachable', reason: 'the carrier is not running' }
const ALL_BUSY: Verdict = { kind: 'slow', reason: 'all lines are busy', retryAfterMs: null, aboutMessage: true }

class SipCarrier implements Carrier {
  readonly id: string
  readonly channel = 'call'
  readonly window: number
  readonly #settings: SipSettings
  readonly #tools: CarrierTools
  readonly #link: SipLink
  /** Null for a peer without registration. */
  readonly #registration: SipRegistration | null
  readonly #slots: CallSlots
  readonly #refusals = new RefusalRun()
  /** By Call-ID. */
  readonly #calls = new Map<string, PlacedCall>()
  readonly #ended = new Map<string, { readonly call: PlacedCall; readonly keep: Cancel }>()
  /** The longest ringing time of the calls so far. */
  #maxRingMs = 0
  /** Receipts of ended calls that are not on disk yet. */
  readonly #reporting = new Set<Promise<void>>()
  #inbox: Inbox | null = null
  #running = false
  readonly #lastError: LastError

  constructor(id: string, settings: SipSettings, tools: CarrierTools) {
    this.id = id
    this.window = settings.window
    this.#settings = settings
    this.#tools = tools
    this.#slots = new CallSlots(settings.window, tools.clock)
    this.#lastError = new LastError(tools.clock)
    const { credentials, registerSeconds } = settings
    this.#registration =
      credentials === null || registerSeconds === null
        ? null
        : new SipRegistration(
            { ...settings, credentials, registerSeconds },
            { ...tools, onFailed: (reason) => tools.log.warn({ carrier: id, reason }, 'the SIP registration failed') },
          )
    this.#link = new SipLink(settings, tools, {
      onUp: (path) => this.#registration?.begin(path),
      onMessage: (message, path) => this.#take(message, path),
      onDown: (reason) => this.#down(reason),
    })
  }

  start(inbox: Inbox): void {
    this.#inbox = inbox
    this.#running = true
    this.#link.open()
  }

  async submit(submission: Submission): Promise<readonly Verdict[]> {
    const verdict = this.#refusals.judge(submission.phone, await this.#submit(submission))
    if (verdict.kind === 'unclear' || verdict.kind === 'unreachable')
      this.#lastError.note(withoutNumbers(verdict.reason))
    return submission.parts.map(() => verdict)
  }

  state(): CarrierState {
    const { state, since, lastError, protocolErrors, nextTryAt } = this.#link
    const { transport: name, window } = this.#settings
    const inFlight = this.#calls.size
    const link = { name, state, since, inFlight, window, ...lastError.fault, protocolErrors, nextTryAt }
    const links = this.#registration === null ? [link] : [link, this.#registration.link]
    const up = links.every((each) => each.state === 'up')
    const errors = [this.#lastError, lastError, this.#registration?.lastError]
    const { fault } = errors.find((each) => each !== undefined && each.text !== null) ?? lastError
    return { up, since, inFlight, ...fault, throughput: null, links }
  }

  connectNow(): void {
    this.#link.connectNow()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#slots.clear()
    const { clock } = this.#tools
    const { setupTimeoutMs } = this.#settings
    const ended = Promise.all([...this.#calls.values()].map((call) => call.over))
    await new Promise<void>((resolve) => {
      const stopWaiting = clock.after(setupTimeoutMs + this.#maxRingMs + STOP_GRACE_MS, resolve)
      void ended.then(() => {
        stopWaiting()
        resolve()
      })
    })
    for (const call of this.#calls.values()) call.close()
    // The handlers of closed calls run first: they add the calls to #ended.
    await ended
    for (const callId of [...this.#ended.keys()]) this.#forget(callId)
    await Promise.all(this.#reporting)
    this.#registration?.leave()
    this.#link.close()
  }

  async #submit(submission: Submission): Promise<Verdict> {
    const { content } = submission
    if (content.kind !== 'call' || !/^\d{3,15}$/.test(content.from)) {
      return { kind: 'refused', status: 'REJECTED', reason: 'a call needs a number that calls' }
    }
    if (!this.#running) return NOT_RUNNING
    const { clock } = this.#tools
    const expiresAt = clock.monotonic() + submission.lifetimeSeconds * 1_000
    const { setupTimeoutMs } = this.#settings
    if (!(await this.#slots.take(Math.min(setupTimeoutMs, expiresAt - clock.monotonic())))) {
      return this.#running ? ALL_BUSY : NOT_RUNNING
    }
    const path = await this.#link.whenDialled()
    const remainingMs = Math.min(setupTimeoutMs, expiresAt - clock.monotonic())
    if (path === null || !this.#running || remainingMs <= 0) {
      this.#slots.release()
      if (!this.#running) return NOT_RUNNING
      return path === null ? { kind: 'unreachable', reason: this.#link.lastError.text ?? 'not connected' } : ALL_BUSY
    }
    if (this.#registration?.isValid === false) {
      this.#slots.release()
      return { kind: 'unreachable', reason: this.#registration.lastError.text ?? 'not registered' }
    }
    return this.#place(submission, content, path, remainingMs)
  }

  #place(submission: Submission, content: CallContent, path: SipPath, setupTimeoutMs: number): Promise<Verdict> {
    const { messageId, step, attempt, phone, ringSeconds } = submission
    const ringMs = ringSeconds === undefined ? this.#settings.ringMs : ringSeconds * 1_000
    this.#maxRingMs = Math.max(this.#maxRingMs, ringMs)
    const { clock, random } = this.#tools
    const callId = `${messageId}-${step}-${attempt}-${this.#hex(8)}`
    const { credentials } = this.#settings
    const order: CallOrder = {
      ...this.#settings,
      callId,
      fromTag: this.#hex(6),
      from: content.from,
      phone,
      setupTimeoutMs,
      ringMs,
      username: credentials?.username ?? null,
    }
    const call = placeCall(order, path, {
      clock,
      random,
      path: () => this.#link.path,
      onEnd: (outcome, detail) => this.#reportEnd({ carrierId: this.id, ref: callId, outcome, detail }),
    })
    this.#calls.set(callId, call)
    void call.over.then(() => this.#keepEnded(callId, call))
    return call.verdict
  }

  /** The receipt is for statistics only: it is not repeated if it cannot be recorded. */
  #reportEnd(receipt: CarrierReceipt): void {
    const reporting = Promise.resolve(this.#inbox?.receive([receipt]))
      .catch((error: Error) =>
        this.#tools.log.warn({ carrier: this.id, reason: error.message }, 'the end of a call could not be recorded'),
      )
      .finally(() => this.#reporting.delete(reporting))
    this.#reporting.add(reporting)
  }

  #keepEnded(callId: string, call: PlacedCall): void {
    this.#calls.delete(callId)
    this.#slots.release()
    const keep = this.#tools.clock.after(TRANSACTION_MS, () => this.#forget(callId))
    this.#ended.set(callId, { call, keep })
    const [oldest = callId] = this.#ended.keys()
    if (this.#ended.size > MAX_ENDED) this.#forget(oldest)
  }

  #forget(callId: string): void {
    const ended = this.#ended.get(callId)
    this.#ended.delete(callId)
    ended?.keep()
    ended?.call.close()
  }

  #take(message: SipMessage, path: SipPath): void {
    const callId = callIdOf(message)
    if (callId === null) return
    const call = this.#calls.get(callId) ?? this.#ended.get(callId)?.call
    if (message.kind === 'response') {
      if (callId === this.#registration?.callId) this.#registration.take(message)
      else call?.take(message)
    } else {
      const own = call === undefined ? null : { contact: call.contact, host: hostOf(this.#settings, path) }
      const answer = answerRequest(message, own, this.#hex(6))
      if (answer !== null) path.send(answer)
    }
  }

  #down(reason: string): void {
    this.#lastError.note(reason)
    this.#tools.log.warn({ carrier: this.id, reason }, 'the connection to the SIP peer is lost')
    this.#registration?.lose()
    for (const call of this.#calls.values()) call.connectionLost(reason)
  }

  #hex(bytes: number): string {
    return Buffer.from(this.#tools.random.bytes(bytes)).toString('hex')
  }
}

/** A peer may name the phone in its reason; the state of a carrier must not contain phone numbers. */
function withoutNumbers(reason: string): string {
  return reason.replace(/\d{5,}/g, '…')
}
