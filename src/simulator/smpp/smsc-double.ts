/**
 * The server side of all SMPP sessions: binds, takes messages as the phones' scripts say, schedules receipts, and shows
 * injected faults to tests. All its memory is bounded.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import { COMMAND_IDS } from '../../wire/smpp/command.ts'
import { STATUS } from '../../wire/smpp/command-status.ts'
import { readMessageText } from '../../wire/smpp/message-text.ts'
import type { Outcome, PeerRequest } from '../../wire/smpp/outcome.ts'
import { type Bind, type BindCommand, bareAnswer, type ResponsePdu, type ShortMessage } from '../../wire/smpp/pdu.ts'
import { type SessionOwner, SmppSession } from '../../wire/smpp/session.ts'
import { latin1, NO_TLVS } from '../../wire/smpp/tlv.ts'
import { readValidityPeriod } from '../../wire/smpp/validity-period.ts'
import { type MessageScript, scriptOf } from '../phones/phones.ts'
import type { PhoneTraffic } from '../phones/traffic.ts'
import { type PendingReceipt, type ReceiptShape, type ReceiptStat, SmscReceipts } from './smsc-receipts.ts'

export interface SmscOptions {
  readonly clock: Clock
  readonly random: Random
  readonly traffic: PhoneTraffic
  readonly systemId: string
  readonly password: string
  /** A free port if absent. */
  readonly port?: number
  /** Speaks TLS with this certificate, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Changes the form of receipts. */
  readonly receipts?: ReceiptShape
  /** Replaces the table: what a phone (digits) does. */
  readonly script?: (phone: string) => MessageScript
}

/** Faults of real carriers. Each lasts until the next is injected, unless it says otherwise. */
export type InjectedFault =
  | { readonly kind: 'none' }
  /** Reads everything and sends nothing, not even an answer to a bind. */
  | { readonly kind: 'silent' }
  /** Reads nothing and sends nothing: the network is cut without a notice to either side. */
  | { readonly kind: 'half-open' }
  | { readonly kind: 'slow'; readonly answersAfterMs: number }
  /** Answers every message with RTHROTTLED, or another status, for so long. */
  | { readonly kind: 'throttling'; readonly forMs: number; readonly status?: number }
  /** Sends these bytes at once, on every connection. */
  | { readonly kind: 'garbage'; readonly bytes: Uint8Array }

const WINDOW = 1_000
const PEER_WINDOW = 10_000
const RESPONSE_TIMEOUT_MS = 10_000
const MAX_FAULTED = 10_000
const DEFAULT_LIFETIME_SECONDS = 86_400

const STAT_OF = { delivered: 'DELIVRD', expired: 'EXPIRED', undeliverable: 'UNDELIV' } as const

export class SmscDouble implements SessionOwner {
  readonly #options: SmscOptions
  readonly #receipts: SmscReceipts
  readonly #sockets = new Map<SmppSession, Socket>()
  readonly #modes = new Map<SmppSession, BindCommand>()
  #receivers: readonly SmppSession[] = []
  #fault: InjectedFault = { kind: 'none' }
  #throttledUntil = 0
  /** Messages that were refused or ignored once, and are taken when they are repeated. */
  readonly #faulted = new Set<string>()
  readonly #scriptOf: (phone: string) => MessageScript
  readonly #refPrefix: string
  #lastRef = 0

  constructor(options: SmscOptions) {
    this.#options = options
    this.#receipts = new SmscReceipts(options.clock, () => this.#receivers, options.receipts)
    this.#scriptOf = options.script ?? ((phone) => scriptOf(phone).sms)
    this.#refPrefix = Buffer.from(options.random.bytes(4)).toString('hex')
  }

  get bound(): number {
    return this.#modes.size
  }

  get pending(): number {
    return this.#receipts.pending
  }

  accept(socket: Socket): void {
    const session = new SmppSession(socket, this, {
      clock: this.#options.clock,
      window: WINDOW,
      peerWindow: PEER_WINDOW,
      responseTimeoutMs: RESPONSE_TIMEOUT_MS,
      enquireLinkMs: null,
    })
    this.#sockets.set(session, socket)
    this.#mute(socket)
  }

  inject(fault: InjectedFault): void {
    this.#fault = fault
    for (const socket of this.#sockets.values()) {
      if (fault.kind === 'garbage') socket.write(fault.bytes)
      else this.#mute(socket)
    }
    const { kind } = fault
    this.#throttledUntil = kind === 'throttling' ? this.#options.clock.monotonic() + fault.forMs : 0
  }

  /** Sends a deliver_sm of a phone to a client that can receive. */
  deliver(message: ShortMessage): Promise<Outcome> {
    const [session] = this.#receivers
    if (session === undefined) return Promise.resolve({ kind: 'failed', sent: false, reason: 'no session can receive' })
    return new Promise((resolve) => session.request(message, resolve))
  }

  /** A connection that was muted stays so: its session has missed too much. */
  #mute(socket: Socket): void {
    const { kind } = this.#fault
    if (kind !== 'silent' && kind !== 'half-open') return
    socket.removeAllListeners('data')
    if (kind === 'half-open') socket.pause()
    else socket.resume()
  }

  cut(): void {
    for (const socket of this.#sockets.values()) socket.destroy()
  }

  stop(): void {
    this.#receipts.stop()
    for (const session of [...this.#sockets.keys()]) session.destroy('the SMSC stops')
  }

  closed(_reason: string, session: SmppSession): void {
    this.#sockets.delete(session)
    this.#modes.delete(session)
    this.#listReceivers()
  }

  requested(request: PeerRequest, sequence: number, session: SmppSession): void {
    const mode = this.#modes.get(session)
    if (request.command === 'submit_sm' && (mode === 'bind_transceiver' || mode === 'bind_transmitter')) {
      this.#submitted(request, sequence, session)
    } else if ('systemId' in request && mode === undefined) {
      this.#bind(request, sequence, session)
    } else {
      const status = 'systemId' in request ? STATUS.alreadyBound : STATUS.wrongBindState
      session.answer(sequence, bareAnswer(COMMAND_IDS[request.command], status))
    }
  }

  #bind(request: Bind, sequence: number, session: SmppSession): void {
    const { systemId, password } = this.#options
    const refusal =
      request.systemId !== systemId ? STATUS.bindFailed : request.password !== password ? STATUS.badPassword : null
    if (refusal !== null) {
      session.answer(sequence, bareAnswer(COMMAND_IDS[request.command], refusal))
      return
    }
    session.answer(sequence, { command: `${request.command}_resp`, status: STATUS.ok, systemId, tlvs: NO_TLVS })
    this.#modes.set(session, request.command)
    this.#listReceivers()
    this.#receipts.pump()
  }

  #listReceivers(): void {
    this.#receivers = [...this.#modes].flatMap(([session, mode]) => (mode === 'bind_transmitter' ? [] : session))
  }

  #submitted(message: ShortMessage, sequence: number, session: SmppSession): void {
    const phone = message.destination.digits
    const script = this.#scriptOf(phone)
    const answer = this.#answerer(sequence, session)
    if (this.#options.clock.monotonic() < this.#throttledUntil) {
      const status = this.#fault.kind === 'throttling' ? this.#fault.status : undefined
      answer(bareAnswer(COMMAND_IDS.submit_sm, status ?? STATUS.throttled))
    } else if (!script.reachable) {
      answer(bareAnswer(COMMAND_IDS.submit_sm, STATUS.badDestination))
    } else if (script.firstAnswer !== 'taken' && this.#faultsOnce(message)) {
      if (script.firstAnswer === 'silent') session.ignore()
      else answer(bareAnswer(COMMAND_IDS.submit_sm, STATUS.temporaryAppError))
    } else {
      this.#lastRef += 1
      const ref = `${this.#refPrefix}${this.#lastRef}`
      const text = readMessageText(message)
      this.#options.traffic.add({ channel: 'sms', phone, sender: message.source.digits, text, ref })
      this.#planReceipts(message, script, { ref, text }, session)
      answer({ command: 'submit_sm_resp', status: STATUS.ok, messageId: ref, tlvs: NO_TLVS })
    }
  }

  #answerer(sequence: number, session: SmppSession): (answer: ResponsePdu) => void {
    const fault = this.#fault
    if (fault.kind !== 'slow') return (answer) => session.answer(sequence, answer)
    return (answer) => void this.#options.clock.after(fault.answersAfterMs, () => session.answer(sequence, answer))
  }

  /** Returns true the first time that a message arrives, by its phone and its bytes. */
  #faultsOnce(message: ShortMessage): boolean {
    const key = `${message.destination.digits} ${latin1(message.payload)}`
    if (this.#faulted.delete(key)) return false
    const [oldest] = this.#faulted
    if (this.#faulted.size >= MAX_FAULTED && oldest !== undefined) this.#faulted.delete(oldest)
    this.#faulted.add(key)
    return true
  }

  #planReceipts(
    message: ShortMessage,
    script: MessageScript,
    taken: { readonly ref: string; readonly text: string },
    session: SmppSession,
  ): void {
    if (message.registeredDelivery === 0) return
    const submittedAt = this.#options.clock.now()
    const { destination: phone, source: sender } = message
    const receiptOf = (stat: ReceiptStat): PendingReceipt => ({
      ref: taken.ref,
      phone,
      sender,
      stat,
      submittedAt,
      text: taken.text,
      from: session,
    })
    for (const { outcome, afterMs } of script.receipts) {
      if (outcome === 'read') continue
      const receipt = receiptOf(STAT_OF[outcome])
      if (script.receiptsFirst) this.#receipts.sendFirst(receipt)
      else this.#receipts.schedule(receipt, afterMs)
    }
    if (script.deliveredAfterLifetimeMs !== null) {
      const lifetimeSeconds = readValidityPeriod(message.validityPeriod) ?? DEFAULT_LIFETIME_SECONDS
      this.#receipts.schedule(receiptOf('DELIVRD'), lifetimeSeconds * 1_000 + script.deliveredAfterLifetimeMs)
    }
  }
}
