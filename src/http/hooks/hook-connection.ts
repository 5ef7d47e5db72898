/**
 * One connection to a hook: a request at a time, in plain HTTP/1.1. A client for everything, such as undici, takes
 * twice as much CPU for each. Any fault ends the connection.
 */
import type { Socket } from 'node:net'
import { AnswerReader } from '../../wire/answer-reader.ts'
import type { HttpExchange } from '../../wire/http-exchange.ts'

/** Of the body, which is discarded unless the request asks for it; a hook that sends more has answered. */
const MAX_ANSWER_BYTES = 65_536

/** What one request needs of the connection. */
export interface SentRequest {
  /** Head and body. */
  readonly text: string
  /** The request is not sent if it ends before. */
  readonly exchange: HttpExchange
  /** Called with the answer before its exchange is complete; absent if only its status matters. */
  readonly answered?: ((body: AnswerBody) => void) | undefined
}

export interface AnswerBody {
  readonly contentType: string
  /** The first bytes, up to MAX_KEPT_BYTES. */
  readonly bytes: Buffer
}

/** Of the body of an answer that is read. */
const MAX_KEPT_BYTES = 4_096

export interface HookConnectionEvents {
  /** Answered, and the hook keeps it open for so long, milliseconds. */
  readonly onAnswered: (keptMs: number) => void
  readonly onClosed: () => void
}

export class HookConnection {
  readonly #socket: Socket
  readonly #events: HookConnectionEvents
  readonly #reader = new AnswerReader(MAX_ANSWER_BYTES)
  /** Monotonic: how long it may stay idle. */
  idleUntil = 0
  /** Null while idle. */
  #request: SentRequest | null = null

  constructor(socket: Socket, events: HookConnectionEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', (error) => this.abort(error))
    socket.on('end', () => this.#ended())
    socket.on('close', () => {
      this.abort(new Error('the connection was closed'))
      events.onClosed()
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Sends a whole request. The connection must be idle. */
  send(request: SentRequest): void {
    this.#request = request
    if (request.answered !== undefined) this.#reader.keep(MAX_KEPT_BYTES)
    request.exchange.start(this)
    this.#socket.write(request.text)
  }

  /** Fails the request, if one is under way, and closes the connection. */
  abort(error: Error): void {
    const request = this.#request
    this.#request = null
    this.#socket.destroy()
    request?.exchange.fail(error)
  }

  #ended(): void {
    if (this.#request !== null && this.#reader.head?.body === 'until close') this.#complete(this.#request, 0)
    else this.abort(new Error('the hook closed the connection'))
  }

  #receive(bytes: Buffer): void {
    const request = this.#request
    // It would be taken for the answer to the next request.
    if (request === null) {
      this.abort(new Error('an answer without a request'))
      return
    }
    const reader = this.#reader
    const wasKnown = reader.head !== null
    let isComplete = false
    let fault: unknown = null
    try {
      isComplete = reader.read(bytes)
    } catch (error) {
      fault = error
    }
    const { head } = reader
    if (head !== null && !wasKnown) request.exchange.answer(head.status, head.retryAfter)
    if (fault !== null) this.abort(fault as Error)
    else if (isComplete && head !== null) this.#complete(request, head.keptMs)
  }

  #complete({ exchange, answered }: SentRequest, keptMs: number): void {
    this.#request = null
    const reader = this.#reader
    const isInStep = !reader.hasMore && this.#socket.writableLength === 0
    answered?.({ contentType: reader.head?.contentType ?? '', bytes: Buffer.from(reader.body, 'latin1') })
    reader.restart()
    if (isInStep && keptMs > 0) this.#events.onAnswered(keptMs)
    else this.#socket.destroy()
    exchange.complete()
  }
}
