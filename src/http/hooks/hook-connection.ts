/**
 * One connection to a hook: a POST at a time, in plain HTTP/1.1. A client for everything, such as undici, takes twice
 * as much CPU for each POST. Any fault ends the connection.
 */
import type { Socket } from 'node:net'
import { AnswerReader } from '../../wire/answer-reader.ts'
import type { HttpExchange } from '../../wire/http-exchange.ts'

/** Of the body, which is discarded; a hook that sends more has answered. */
const MAX_ANSWER_BYTES = 65_536

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
  #exchange: HttpExchange | null = null

  constructor(socket: Socket, events: HookConnectionEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', (error) => this.abort(error))
    socket.on('end', () => this.abort(new Error('the hook closed the connection')))
    socket.on('close', () => {
      this.abort(new Error('the connection was closed'))
      events.onClosed()
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Sends a whole request. The connection must be idle. */
  send(request: string, exchange: HttpExchange): void {
    this.#exchange = exchange
    exchange.start(this)
    this.#socket.write(request)
  }

  /** Fails the POST, if one is under way, and closes the connection. */
  abort(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.#socket.destroy()
    exchange?.fail(error)
  }

  #receive(bytes: Buffer): void {
    const exchange = this.#exchange
    // It would be taken for the answer to the next POST.
    if (exchange === null) {
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
    if (head !== null && !wasKnown) exchange.answer(head.status, head.retryAfter)
    if (fault !== null) this.abort(fault as Error)
    else if (isComplete && head !== null) this.#complete(exchange, head.keptMs)
  }

  #complete(exchange: HttpExchange, keptMs: number): void {
    this.#exchange = null
    const isInStep = !this.#reader.hasMore && this.#socket.writableLength === 0
    this.#reader.restart()
    if (isInStep && keptMs > 0) this.#events.onAnswered(keptMs)
    else this.#socket.destroy()
    exchange.complete()
  }
}
