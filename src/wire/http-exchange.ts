/**
 * HTTP exchanges, over undici or a connection to a hook: one time limit on the gateway's clock for the whole exchange,
 * answers of bounded size.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Cancel, Clock } from '../ports/system/clock.ts'

export interface ExchangeLimits {
  readonly timeoutMs: number
  /** Of the body of an answer. */
  readonly maxAnswerBytes: number
  /** `Retry-After` is read as this time at most. */
  readonly maxRetryAfterMs: number
}

export interface ExchangeEnd {
  /** Null if none arrived. */
  readonly status: number | null
  /** Milliseconds that `Retry-After` asks for; null without it. */
  readonly retryAfterMs: number | null
  /** Empty unless the answer is complete. */
  readonly body: string
  /** Why the answer is not complete; null if it is. */
  readonly failure: { readonly error: Error; readonly reason: string; readonly timedOut: boolean } | null
}

/** What the exchanges of one client have in common. */
interface ExchangeSetup {
  readonly clock: Clock
  readonly limits: ExchangeLimits
  readonly hasEnded: (exchange: HttpExchange) => void
}

/** The exchanges of one client that are under way. One timer watches all of them. */
export class HttpExchanges {
  readonly #setup: ExchangeSetup
  /** In the order of their start, which is the order of their time limits. */
  readonly #open = new Set<HttpExchange>()
  #timer: Cancel | null = null

  constructor(clock: Clock, limits: ExchangeLimits) {
    this.#setup = { clock, limits, hasEnded: (exchange) => this.#ended(exchange) }
  }

  get size(): number {
    return this.#open.size
  }

  /** Calls `onEnd` once. */
  start(onEnd: (end: ExchangeEnd) => void): HttpExchange {
    const exchange = new HttpExchange(this.#setup, onEnd)
    this.#open.add(exchange)
    if (this.#timer === null) this.#watch()
    return exchange
  }

  failAll(reason: string): void {
    for (const exchange of [...this.#open]) exchange.fail(new Error(reason))
  }

  #ended(exchange: HttpExchange): void {
    this.#open.delete(exchange)
    if (this.#open.size > 0) return
    this.#timer?.()
    this.#timer = null
  }

  #watch(): void {
    const [oldest] = this.#open
    if (oldest === undefined) return
    const { clock, limits } = this.#setup
    this.#timer = clock.after(oldest.since + limits.timeoutMs - clock.monotonic(), () => {
      this.#timer = null
      const late = clock.monotonic() - limits.timeoutMs
      for (const exchange of this.#open) {
        if (exchange.since > late) break
        exchange.fail(new Error(`no answer within ${limits.timeoutMs / 1000} s`), true)
      }
      if (this.#timer === null) this.#watch()
    })
  }
}

/** What carries an exchange: a request of undici or a connection. */
interface Carrying {
  abort(error: Error): void
}

/** One request and its answer. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  /** Monotonic milliseconds. */
  readonly since: number
  readonly #setup: ExchangeSetup
  readonly #onEnd: (end: ExchangeEnd) => void
  /** Null before the first one: an exchange with a hook has none. */
  #chunks: Buffer[] | null = null
  #carriedBy: Carrying | null = null
  #hasEnded = false
  #bytes = 0
  #status: number | null = null
  #retryAfterMs: number | null = null

  constructor(setup: ExchangeSetup, onEnd: (end: ExchangeEnd) => void) {
    this.since = setup.clock.monotonic()
    this.#setup = setup
    this.#onEnd = onEnd
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Ends the exchange and aborts its connection. */
  fail(thrown: unknown, timedOut = false): void {
    if (this.#hasEnded) return
    const error = thrown instanceof Error ? thrown : new Error('failed')
    this.#end({ error, reason: describeError(error), timedOut })
    this.#carriedBy?.abort(error)
  }

  /** The request is about to be sent. */
  start(carriedBy: Carrying): void {
    this.#carriedBy = carriedBy
  }

  /** The status is known; the body may follow. */
  answer(status: number, retryAfter: string | undefined): void {
    const { clock, limits } = this.#setup
    this.#status = status
    this.#retryAfterMs = readRetryAfter(retryAfter, clock.now(), limits.maxRetryAfterMs)
  }

  /** The answer is complete. */
  complete(): void {
    this.#end(null)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.start(controller)
    // It failed while it waited for a connection: the request must not be sent.
    if (this.#hasEnded) controller.abort(new Error('given up'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.answer(status, headers['retry-after'])
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxAnswerBytes } = this.#setup.limits
    this.#bytes += chunk.length
    if (this.#bytes > maxAnswerBytes) {
      this.fail(new Error(`the answer is longer than ${maxAnswerBytes} bytes`))
    } else {
      this.#chunks ??= []
      this.#chunks.push(chunk)
    }
  }

  onResponseEnd(): void {
    this.complete()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  #end(failure: ExchangeEnd['failure']): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const body = failure === null && this.#chunks !== null ? Buffer.concat(this.#chunks).toString() : ''
    this.#setup.hasEnded(this)
    this.#onEnd({ status: this.#status, retryAfterMs: this.#retryAfterMs, body, failure })
  }
}

/** Reads seconds or an HTTP date (RFC 9110 section 10.2.3). Returns milliseconds, null for anything else. */
export function readRetryAfter(value: string | undefined, now: number, maxMs: number): number | null {
  if (value === undefined) return null
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.min(Math.max(0, milliseconds), maxMs)
}

/** Returns the code of a system, TLS or undici error, else its text: never an address or a header. */
function describeError(error: Error): string {
  return ((error as NodeJS.ErrnoException).code ?? error.message).slice(0, 200)
}
