/**
 * One SMPP session over a connected socket, for clients and servers. Every own request ends with exactly one outcome,
 * in bounded time, whatever the peer or the connection does; every request of the peer gets an answer. Everything
 * written in one turn of the event loop is sent with one socket write. No bytes of the peer make it throw.
 */
import type { Duplex } from 'node:stream'
import type { Cancel } from '../../ports/system/clock.ts'
import { isAnswerId, isCounted } from './command.ts'
import { STATUS } from './command-status.ts'
import { OpenRequests } from './open-requests.ts'
import type { Outcome, PeerRequest } from './outcome.ts'
import { bareAnswer, isAnswer, isNotice, MAX_PDU_BYTES, type Request, type ResponsePdu } from './pdu.ts'
import { type Decoded, type Flaw, PduDecoder } from './pdu-decoder.ts'
import { PduWriter } from './pdu-writer.ts'
import { ReadProof } from './read-proof.ts'
import type { SessionOptions } from './session-options.ts'

export interface SessionOwner {
  /** Must call `session.answer` with the sequence number, now or later. Must not throw. */
  requested(request: PeerRequest, sequence: number, session: SmppSession): void
  /** The peer sent something that is not understood, or not entirely. */
  misunderstood?(kind: Misunderstanding, flaw: Flaw): void
  /** The session makes no more requests, and will close soon. */
  ending?(session: SmppSession): void
  /** Called once, after every outstanding request has had its outcome. */
  closed(reason: string, session: SmppSession): void
}

/**
 * `unreadable`: refused, and too many of them end the session. `unknown`: a command that is not supported. `ignored in
 * part`: processed without the bytes behind its mandatory fields.
 */
export type Misunderstanding = 'unreadable' | 'unknown' | 'ignored in part'

const UNBOUND_BY_PEER = 'the peer unbound'
/** Unreadable PDUs before the session is ended: the next session may work better. */
const MAX_MISUNDERSTOOD = 100
const LAST_SEQUENCE = 0x7fff_ffff
/**
 * Time limits of leaving, whichever side unbinds: for answers to the peer, for the next answer of the peer, then for
 * the answer to unbind.
 */
const LEAVE_WITHIN_MS = 5_000
/** How long a closed connection waits for the peer to close it too, if that proves what the peer has read. */
const LINGER_MS = 2_000
/** Bytes that may be queued for a peer that does not read; with more than that the connection is closed. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024

export class SmppSession {
  readonly #socket: Duplex
  readonly #owner: SessionOwner
  readonly #options: SessionOptions
  readonly #decoder = new PduDecoder()
  readonly #writer = new PduWriter()
  readonly #open: OpenRequests
  readonly #proof: ReadProof
  #peerWindow: number
  #misunderstood = 0
  #unanswered = 0
  #hasCarried = false
  /** Own requests are among the bytes to be sent next. */
  #hasRequests = false
  #sequence = 0
  #flushing = false
  #closed = false
  #leaving: 'no' | 'draining' | 'unbound' = 'no'
  /** Of the peer's unbind, which is answered when all other answers have arrived. */
  #unbindSequence: number | null = null
  /** Requests of the peer to answer before unbinding: not those that arrive while the session leaves. */
  #toAnswer = 0
  #whenClosed: (() => void)[] = []
  #cancelEnquiry: Cancel | null = null
  #cancelLeaving: Cancel | null = null
  #receivedAt: number

  constructor(socket: Duplex, owner: SessionOwner, options: SessionOptions) {
    this.#socket = socket
    this.#owner = owner
    this.#options = options
    this.#peerWindow = options.peerWindow
    this.#decoder.maxBytes = options.maxPduBytes ?? MAX_PDU_BYTES
    this.#decoder.isStrict = options.isStrict ?? false
    this.#receivedAt = options.clock.monotonic()
    const { clock, responseTimeoutMs } = options
    this.#open = new OpenRequests({ clock, responseTimeoutMs, settled: () => this.#unbindWhenDrained() })
    this.#proof = new ReadProof(clock, (answered) =>
      this.#send({ command: 'enquire_link' }, (outcome) => answered(outcome.kind === 'answered')),
    )
    const take = (decoded: Decoded) => this.#take(decoded)
    socket.on('data', (chunk: Buffer) => {
      if (this.#closed) return
      this.#receivedAt = options.clock.monotonic()
      if (this.#proof.isWaiting) this.#proof.arrived()
      this.#decoder.read(chunk, take)
    })
    socket.on('error', (error) => this.destroy(error.message))
    socket.on('end', () => {
      this.#proof.arrived()
      this.destroy(this.#unbindSequence === null ? 'the peer closed the connection' : UNBOUND_BY_PEER)
    })
    socket.on('close', () => this.destroy('the connection closed'))
    this.#armEnquiry()
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** Counted requests without an answer. */
  get inFlight(): number {
    return this.#open.counted
  }

  /** Whether the peer has accepted a counted request, or made one. */
  get hasCarried(): boolean {
    return this.#hasCarried
  }

  get isLeaving(): boolean {
    return this.#leaving !== 'no'
  }

  /** Takes PDUs of every size, and so many requests at a time, from a peer that has proved who it is. */
  trust(peerWindow: number): void {
    this.#peerWindow = peerWindow
    this.#decoder.maxBytes = MAX_PDU_BYTES
  }

  /** Requests of the peer without an answer. */
  get unanswered(): number {
    return this.#unanswered
  }

  /** How many more requests may be made now. */
  get room(): number {
    return this.#closed || this.#leaving !== 'no' ? 0 : this.#options.window - this.#open.counted
  }

  /**
   * Sends a request. Calls `settle` once, never before this returns, and `late` at most once, with an answer that
   * arrives after `settle` was called without one. Throws RangeError if the request cannot be encoded.
   */
  request(request: Request, settle: (outcome: Outcome) => void, late?: (answer: ResponsePdu) => void): void {
    const refusal = isCounted(request.command) ? this.#refusal() : null
    if (refusal === null) this.#send(request, settle, late)
    else queueMicrotask(() => settle({ kind: 'failed', sent: false, reason: refusal }))
  }

  /** Answers a request of the peer. Does nothing on a closed connection. */
  answer(sequence: number, answer: ResponsePdu): void {
    this.#write(answer, sequence)
    this.ignore()
  }

  /**
   * Calls back at most once, when the peer has read everything sent so far (read-proof.ts): also after the session was
   * closed, but never if the connection broke before.
   */
  whenRead(read: () => void): void {
    this.#proof.add(read)
  }

  /** Counts a request as answered without sending anything. For simulated carriers that do not answer. */
  ignore(): void {
    this.#unanswered -= 1
    this.#toAnswer = Math.max(0, this.#toAnswer - 1)
    if (this.#unanswered < this.#peerWindow && this.#socket.isPaused()) this.#socket.resume()
    this.#unbindWhenDrained()
  }

  /** Makes no more requests, waits for outstanding requests in both directions, unbinds and closes, in bounded time. */
  leave(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    const left = new Promise<void>((resolve) => this.#whenClosed.push(resolve))
    this.#drain()
    return left
  }

  #drain(): void {
    if (this.#leaving !== 'no') return
    this.#leaving = 'draining'
    this.#toAnswer = this.#unanswered
    this.#waitForAnswers()
    this.#owner.ending?.(this)
    this.#unbindWhenDrained()
  }

  /** Waits as long as the peer answers. After five seconds without an answer the others are given up. */
  #waitForAnswers(): void {
    const before = this.#open.answers
    this.#cancelLeaving = this.#options.clock.after(LEAVE_WITHIN_MS, () => {
      this.#toAnswer = 0
      if (this.#open.answers > before) this.#waitForAnswers()
      else this.#open.giveUp()
      this.#unbindWhenDrained()
    })
  }

  /** Ends the session at once: written bytes are still sent, outstanding requests fail. */
  destroy(reason: string): void {
    if (this.#closed) return
    this.#flush()
    this.#closed = true
    this.#cancelEnquiry?.()
    this.#cancelLeaving?.()
    this.#proof.end()
    this.#closeSocket()
    this.#open.end(reason)
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
    const destroyAfter = (ms: number) => {
      const cancel = this.#options.clock.after(ms, () => socket.destroy())
      socket.once('close', cancel)
    }
    destroyAfter(this.#options.responseTimeoutMs)
    socket.resume()
    socket.end(() => {
      if (!this.#proof.isWaiting || socket.readableEnded) socket.destroy()
      else destroyAfter(LINGER_MS)
    })
  }

  #refusal(): string | null {
    if (this.#closed) return 'the connection is closed'
    if (this.#leaving !== 'no') return 'the session is ending'
    return this.#open.counted < this.#options.window ? null : 'the window is full'
  }

  #send(request: Request, settle: (outcome: Outcome) => void, late?: (answer: ResponsePdu) => void): void {
    if (this.#closed) {
      queueMicrotask(() => settle({ kind: 'failed', sent: false, reason: 'the connection is closed' }))
      return
    }
    const sequence = this.#sequence === LAST_SEQUENCE ? 1 : this.#sequence + 1
    this.#write(request, sequence)
    this.#sequence = sequence
    this.#open.add(sequence, request.command, { settle, late })
    this.#hasRequests ||= isCounted(request.command)
  }

  #take(decoded: Decoded): void {
    if (this.#closed) return
    if (decoded.kind === 'pdu') {
      if (decoded.flaw !== undefined) this.#owner.misunderstood?.('ignored in part', decoded.flaw)
      if (isAnswer(decoded.pdu)) {
        this.#hasCarried ||= isSuccess(decoded.pdu)
        this.#open.answered(decoded.sequence, decoded.pdu)
      } else if (!isNotice(decoded.pdu)) this.#requested(decoded.pdu, decoded.sequence)
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
    if (isAnswerId(commandId)) this.#open.fail(sequence, reason)
    else this.#write(bareAnswer(commandId, status), sequence)
    if (decoded.kind === 'unreadable') this.#misunderstood += 1
    if (this.#misunderstood >= MAX_MISUNDERSTOOD) this.destroy('the peer makes no sense')
  }

  #requested(request: Request, sequence: number): void {
    if (request.command === 'enquire_link') {
      this.#write({ command: 'enquire_link_resp', status: STATUS.ok }, sequence)
    } else if (request.command === 'unbind') {
      this.#unbindSequence = sequence
      this.#drain()
      if (this.#leaving === 'unbound') this.#answerUnbind()
    } else {
      this.#hasCarried ||= isCounted(request.command)
      this.#unanswered += 1
      if (this.#unanswered >= this.#peerWindow) this.#socket.pause()
      this.#owner.requested(request, sequence, this)
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

  #unbindWhenDrained(): void {
    if (this.#leaving !== 'draining' || this.#open.counted > 0 || this.#toAnswer > 0) return
    this.#leaving = 'unbound'
    this.#cancelLeaving?.()
    if (this.#unbindSequence !== null) {
      this.#answerUnbind()
      return
    }
    this.#cancelLeaving = this.#options.clock.after(LEAVE_WITHIN_MS, () => this.destroy('it did not end in time'))
    this.#send({ command: 'unbind' }, (outcome) => {
      if (outcome.kind === 'answered') this.#proof.readAll()
      this.destroy('unbound')
    })
  }

  #answerUnbind(): void {
    this.#write({ command: 'unbind_resp', status: STATUS.ok }, this.#unbindSequence ?? 0)
    this.destroy(UNBOUND_BY_PEER)
  }

  #write(pdu: ResponsePdu | Request, sequence: number): void {
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

/** Whether the peer accepted a counted request. */
function isSuccess(answer: ResponsePdu): boolean {
  return answer.status === STATUS.ok && 'messageId' in answer
}
