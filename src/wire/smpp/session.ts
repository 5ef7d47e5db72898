/**
 * One SMPP session over a connected socket, for clients and servers. Every own request ends with exactly one outcome,
 * in bounded time, whatever the peer or the connection does; every request of the peer gets an answer. Everything
 * written in one turn of the event loop is sent with one socket write. No bytes of the peer make it throw.
 */
import type { Duplex } from 'node:stream'
import type { Cancel } from '../../ports/clock.ts'
import { isAnswerId, isCounted } from './command.ts'
import { STATUS } from './command-status.ts'
import type { Outcome, PeerRequest } from './outcome.ts'
import { OverdueRequests } from './overdue-requests.ts'
import { type Answer, answers, bareAnswer, isAnswer, isNotice, type Request } from './pdu.ts'
import { type Decoded, type Flaw, PduDecoder } from './pdu-decoder.ts'
import { PduWriter } from './pdu-writer.ts'
import type { SessionOptions } from './session-options.ts'

export interface SessionOwner {
  /** Must call `session.answer` with the sequence number, now or later. Must not throw. */
  requested(request: PeerRequest, sequence: number, session: Session): void
  /** The peer sent something that is not understood, or not entirely. */
  misunderstood?(kind: Misunderstanding, flaw: Flaw): void
  /** Called once, after every outstanding request has had its outcome. */
  closed(reason: string, session: Session): void
}

/**
 * `unreadable`: refused, and too many of them end the session. `unknown`: a command that is not supported. `ignored in
 * part`: processed without the bytes behind its mandatory fields.
 */
export type Misunderstanding = 'unreadable' | 'unknown' | 'ignored in part'

interface Outstanding {
  readonly command: Request['command']
  readonly deadline: number
  /** Emptied with `late` when it has settled: an old table of the map may refer to it (delivery/message-cache.ts). */
  settle: (outcome: Outcome) => void
  late: ((answer: Answer) => void) | undefined
}

const SETTLED = (): void => {}

/** Unreadable PDUs before the session is ended: the next session may work better. */
const MAX_MISUNDERSTOOD = 100
const LAST_SEQUENCE = 0x7fff_ffff
/** Time limits of leaving: for answers to the peer, for the next answer of the peer, then for the answer to unbind. */
const LEAVE_WITHIN_MS = 5_000
/** Bytes that may be queued for a peer that does not read; with more than that the connection is closed. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024

export class Session {
  readonly #socket: Duplex
  readonly #owner: SessionOwner
  readonly #options: SessionOptions
  readonly #decoder = new PduDecoder()
  readonly #writer = new PduWriter()
  /** In the order of their deadlines, because all have the same time limit. */
  readonly #outstanding = new Map<number, Outstanding>()
  readonly #overdue = new OverdueRequests()
  #misunderstood = 0
  #counted = 0
  #unanswered = 0
  /** Answers of the peer to own requests. */
  #answers = 0
  /** Own requests are among the bytes to be sent next. */
  #hasRequests = false
  #sequence = 0
  #flushing = false
  #closed = false
  #leaving: 'no' | 'draining' | 'unbound' = 'no'
  /** Requests of the peer to answer before unbinding: not those that arrive while the session leaves. */
  #toAnswer = 0
  #whenClosed: (() => void)[] = []
  readonly #whenRead: (() => void)[] = []
  #cancelDeadline: Cancel | null = null
  #cancelEnquiry: Cancel | null = null
  #cancelLeaving: Cancel | null = null
  #receivedAt: number

  constructor(socket: Duplex, owner: SessionOwner, options: SessionOptions) {
    this.#socket = socket
    this.#owner = owner
    this.#options = options
    this.#receivedAt = options.clock.monotonic()
    const take = (decoded: Decoded) => this.#take(decoded)
    socket.on('data', (chunk: Buffer) => {
      if (this.#closed) return
      this.#receivedAt = options.clock.monotonic()
      this.#decoder.read(chunk, take)
    })
    socket.on('error', (error) => this.destroy(error.message))
    socket.on('end', () => this.destroy('the peer closed the connection'))
    socket.on('close', () => this.destroy('the connection closed'))
    this.#armEnquiry()
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Counted requests without an answer. */
  get inFlight(): number {
    return this.#counted
  }

  /** How many more requests may be made now. */
  get room(): number {
    return this.#closed || this.#leaving !== 'no' ? 0 : this.#options.window - this.#counted
  }

  /**
   * Sends a request. Calls `settle` once, never before this returns, and `late` at most once, with an answer that
   * arrives after `settle` was called without one. Throws RangeError if the request cannot be encoded.
   */
  request(request: Request, settle: (outcome: Outcome) => void, late?: (answer: Answer) => void): void {
    const refusal = isCounted(request.command) ? this.#refusal() : null
    if (refusal === null) this.#send(request, settle, late)
    else queueMicrotask(() => settle({ kind: 'failed', sent: false, reason: refusal }))
  }

  /** Answers a request of the peer. Does nothing on a closed connection. */
  answer(sequence: number, answer: Answer): void {
    this.#write(answer, sequence)
    this.ignore()
  }

  /**
   * Calls back once the peer has certainly read everything sent so far: it has answered an enquire_link sent after it.
   * Never calls back if the connection ends before.
   */
  whenRead(read: () => void): void {
    this.#whenRead.push(read)
    if (this.#whenRead.length === 1) this.#confirmRead()
  }

  /** Counts a request as answered without sending anything. For simulated carriers that do not answer. */
  ignore(): void {
    this.#unanswered -= 1
    this.#toAnswer = Math.max(0, this.#toAnswer - 1)
    if (this.#unanswered < this.#options.peerWindow && this.#socket.isPaused()) this.#socket.resume()
    this.#unbindWhenDrained()
  }

  /** Makes no more requests, waits for outstanding requests in both directions, unbinds and closes, in bounded time. */
  leave(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    const left = new Promise<void>((resolve) => this.#whenClosed.push(resolve))
    if (this.#leaving === 'no') {
      this.#leaving = 'draining'
      this.#toAnswer = this.#unanswered
      this.#waitForAnswers()
      this.#unbindWhenDrained()
    }
    return left
  }

  /** Waits as long as the peer answers. After five seconds without an answer the others are given up. */
  #waitForAnswers(): void {
    const before = this.#answers
    this.#cancelLeaving = this.#options.clock.after(LEAVE_WITHIN_MS, () => {
      this.#toAnswer = 0
      if (this.#answers > before) this.#waitForAnswers()
      else this.#expire(Number.POSITIVE_INFINITY)
      this.#unbindWhenDrained()
    })
  }

  /** Ends the session at once: written bytes are still sent, outstanding requests fail. */
  destroy(reason: string): void {
    if (this.#closed) return
    this.#flush()
    this.#closed = true
    this.#cancelDeadline?.()
    this.#cancelEnquiry?.()
    this.#cancelLeaving?.()
    this.#closeSocket()
    const outstanding = [...this.#outstanding.values()]
    this.#outstanding.clear()
    this.#overdue.clear()
    this.#counted = 0
    for (const { settle } of outstanding) settle({ kind: 'failed', sent: true, reason })
    this.#owner.closed(reason, this)
    for (const resolve of this.#whenClosed) resolve()
  }

  /**
   * Waits a while for written bytes to be sent. Keeps reading, because unread bytes would make the system reset the
   * connection.
   */
  #closeSocket(): void {
    const socket = this.#socket
    if (socket.destroyed) return
    const cancel = this.#options.clock.after(this.#options.responseTimeoutMs, () => socket.destroy())
    socket.once('close', cancel)
    socket.resume()
    socket.end(() => socket.destroy())
  }

  #refusal(): string | null {
    if (this.#closed) return 'the connection is closed'
    if (this.#leaving !== 'no') return 'the session is ending'
    return this.#counted < this.#options.window ? null : 'the window is full'
  }

  #send(request: Request, settle: (outcome: Outcome) => void, late?: (answer: Answer) => void): void {
    if (this.#closed) {
      queueMicrotask(() => settle({ kind: 'failed', sent: false, reason: 'the connection is closed' }))
      return
    }
    const sequence = this.#sequence === LAST_SEQUENCE ? 1 : this.#sequence + 1
    this.#write(request, sequence)
    this.#sequence = sequence
    const deadline = this.#options.clock.monotonic() + this.#options.responseTimeoutMs
    this.#outstanding.set(sequence, { command: request.command, deadline, settle, late })
    this.#hasRequests ||= isCounted(request.command)
    if (isCounted(request.command)) this.#counted += 1
    if (this.#cancelDeadline === null) this.#armDeadline(this.#options.responseTimeoutMs)
  }

  #take(decoded: Decoded): void {
    if (this.#closed) return
    if (decoded.kind === 'pdu') {
      if (decoded.flaw !== undefined) this.#owner.misunderstood?.('ignored in part', decoded.flaw)
      if (isAnswer(decoded.pdu)) this.#answered(decoded.sequence, decoded.pdu)
      else if (!isNotice(decoded.pdu)) this.#requested(decoded.pdu, decoded.sequence)
      return
    }
    const { reason, head } = decoded
    this.#owner.misunderstood?.(decoded.kind === 'unknown' ? 'unknown' : 'unreadable', { reason, head })
    if (decoded.kind === 'lost') {
      this.#write({ command: 'generic_nack', status: STATUS.badCommandLength }, 0)
      this.destroy(`lost the stream: ${reason}`)
      return
    }
    const { sequence, commandId, status } = decoded
    if (isAnswerId(commandId)) this.#settle(sequence, { kind: 'failed', sent: true, reason })
    else this.#write(bareAnswer(commandId, status), sequence)
    if (decoded.kind === 'unreadable') this.#misunderstood += 1
    if (this.#misunderstood >= MAX_MISUNDERSTOOD) this.destroy('the peer makes no sense')
  }

  #requested(request: Request, sequence: number): void {
    if (request.command === 'enquire_link') {
      this.#write({ command: 'enquire_link_resp', status: STATUS.ok }, sequence)
    } else if (request.command === 'unbind') {
      this.#write({ command: 'unbind_resp', status: STATUS.ok }, sequence)
      this.destroy('the peer unbound')
    } else {
      this.#unanswered += 1
      if (this.#unanswered >= this.#options.peerWindow) this.#socket.pause()
      this.#owner.requested(request, sequence, this)
    }
  }

  #answered(sequence: number, answer: Answer): void {
    const command = this.#outstanding.get(sequence)?.command
    if (command !== undefined && isCounted(command)) this.#answers += 1
    if (command === undefined) this.#answeredLate(sequence, answer)
    else if (answers(answer, command)) this.#settle(sequence, { kind: 'answered', answer })
    else this.#settle(sequence, { kind: 'failed', sent: true, reason: `${command} got a ${answer.command}` })
  }

  #answeredLate(sequence: number, answer: Answer): void {
    const overdue = this.#overdue.take(sequence)
    if (overdue !== undefined && answers(answer, overdue.command)) overdue.late?.(answer)
  }

  /** Ignores answers to unknown requests. */
  #settle(sequence: number, outcome: Outcome): void {
    const waiting = this.#outstanding.get(sequence)
    if (waiting === undefined) return
    this.#outstanding.delete(sequence)
    if (isCounted(waiting.command)) this.#counted -= 1
    const { settle } = waiting
    waiting.settle = SETTLED
    waiting.late = undefined
    settle(outcome)
    this.#unbindWhenDrained()
  }

  #armDeadline(afterMs: number): void {
    this.#cancelDeadline = this.#options.clock.after(afterMs, () => {
      this.#cancelDeadline = null
      const now = this.#options.clock.monotonic()
      this.#expire(now)
      const [next] = this.#outstanding.values()
      if (next !== undefined && this.#cancelDeadline === null) this.#armDeadline(next.deadline - now)
    })
  }

  /** Fails the requests with a deadline until then, which are the first ones. Their answers may still arrive. */
  #expire(until: number): void {
    for (const [sequence, overdue] of [...this.#outstanding]) {
      if (overdue.deadline > until) break
      this.#overdue.remember(sequence, overdue)
      this.#settle(sequence, { kind: 'failed', sent: true, reason: `no answer to ${overdue.command}` })
    }
  }

  #armEnquiry(): void {
    const { clock, enquireLinkMs } = this.#options
    if (enquireLinkMs === null) return
    this.#cancelEnquiry = clock.after(enquireLinkMs, () => {
      const askedAt = clock.monotonic()
      // A busy peer may answer late: it is dead only if nothing at all arrived while its socket was read.
      this.#send({ command: 'enquire_link' }, (outcome) => {
        const isSilent = this.#receivedAt <= askedAt && !this.#socket.isPaused()
        if (outcome.kind === 'failed' && isSilent) this.destroy('the peer does not answer')
      })
      this.#armEnquiry()
    })
  }

  /** Sends one enquire_link at a time: later callers wait for the next one. */
  #confirmRead(): void {
    const asked = this.#whenRead.length
    this.#send({ command: 'enquire_link' }, (outcome) => {
      const served = this.#whenRead.splice(0, asked)
      if (outcome.kind === 'answered') for (const read of served) read()
      if (this.#whenRead.length > 0 && !this.#closed) this.#confirmRead()
    })
  }

  #unbindWhenDrained(): void {
    if (this.#leaving !== 'draining' || this.#counted > 0 || this.#toAnswer > 0) return
    this.#leaving = 'unbound'
    this.#cancelLeaving?.()
    this.#cancelLeaving = this.#options.clock.after(LEAVE_WITHIN_MS, () => this.destroy('it did not end in time'))
    this.#send({ command: 'unbind' }, () => this.destroy('unbound'))
  }

  #write(pdu: Answer | Request, sequence: number): void {
    if (this.#closed) return
    this.#writer.write(pdu, sequence)
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#flushing = false
    if (this.#closed || this.#writer.length === 0) return
    const bytes = this.#writer.take()
    const mayLeave = !this.#hasRequests || (this.#options.maySend?.() ?? true)
    this.#hasRequests = false
    if (mayLeave) this.#socket.write(bytes)
    else this.destroy('it may ask nothing any more')
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) this.destroy('the peer does not read')
  }
}
