/**
 * Small HTTP exchanges with one service: keep-alive connections up to a bound, a time limit on our clock for the whole
 * exchange, answers of bounded size. Never rejects, follows no redirects, tries nothing twice by itself.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import type { Cancel, Clock } from '../ports/clock.ts'
import { USER_AGENT } from '../ports/user-agent.ts'
import { carrierLookup } from './carrier-lookup.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Absolute http(s) address. */
  readonly url: string
  /** Lower-case names. `user-agent` is ours unless it is given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type HttpResult = HttpAnswer | HttpSilence

interface HttpAnswer {
  readonly kind: 'answered'
  readonly status: number
  /** What `Retry-After` asks for, at most an hour; null without it. */
  readonly retryAfterMs: number | null
  readonly body: string
}

/** No whole answer came: nobody knows whether the request was carried out. */
interface HttpSilence {
  readonly kind: 'silent'
  readonly reason: string
  /** True when the time was over, false when the connection failed or the answer was not HTTP. */
  readonly timedOut: boolean
}

export interface HttpClientSetup {
  /** Connections to each origin. */
  readonly connections: number
  readonly timeoutMs: number
  /** 65,536 when it is missing. */
  readonly longestAnswerBytes?: number
}

const LONGEST_ANSWER_BYTES = 65_536
const LONGEST_RETRY_AFTER_MS = 3_600_000
/** Requests that may be open or wait for a connection, for each connection there is. */
const OPEN_PER_CONNECTION = 32

export class HttpClient {
  readonly #agent: Agent
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #longestAnswerBytes: number
  readonly #mostOpen: number
  readonly #open = new Set<Exchange>()

  constructor(setup: HttpClientSetup, clock: Clock) {
    this.#clock = clock
    this.#timeoutMs = setup.timeoutMs
    this.#longestAnswerBytes = setup.longestAnswerBytes ?? LONGEST_ANSWER_BYTES
    this.#mostOpen = setup.connections * OPEN_PER_CONNECTION
    this.#agent = new Agent({
      connections: setup.connections,
      pipelining: 1,
      connect: { lookup: carrierLookup },
      allowH2: false,
      // The exchange has one time limit, on our clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  send(request: HttpRequest): Promise<HttpResult> {
    if (this.#open.size >= this.#mostOpen) return Promise.resolve(silence('too many requests are waiting'))
    return new Promise((resolve) => {
      const limits = { timeoutMs: this.#timeoutMs, longestBytes: this.#longestAnswerBytes }
      const exchange = new Exchange(this.#clock, limits, (result) => {
        this.#open.delete(exchange)
        resolve(result)
      })
      this.#open.add(exchange)
      try {
        const { origin, pathname, search } = new URL(request.url)
        const { method, body = null } = request
        const headers = { 'user-agent': USER_AGENT, ...request.headers }
        this.#agent.dispatch({ origin, path: pathname + search, method, headers, body }, exchange)
      } catch (error) {
        exchange.fail(describeError(error))
      }
    })
  }

  /** Gives up what is still open and closes the connections. */
  async close(): Promise<void> {
    for (const exchange of [...this.#open]) exchange.fail('the client is closing')
    await this.#agent.destroy()
  }
}

/** One request and its answer, as undici tells of them. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #clock: Clock
  readonly #longestBytes: number
  readonly #done: (result: HttpResult) => void
  readonly #stopWatch: Cancel
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #ended = false
  #bytes = 0
  #status = 0
  #retryAfterMs: number | null = null

  constructor(
    clock: Clock,
    { timeoutMs, longestBytes }: { readonly timeoutMs: number; readonly longestBytes: number },
    done: (result: HttpResult) => void,
  ) {
    this.#clock = clock
    this.#longestBytes = longestBytes
    this.#done = done
    this.#stopWatch = clock.after(timeoutMs, () => this.fail(`no answer within ${timeoutMs / 1000} s`, true))
  }

  fail(reason: string, timedOut = false): void {
    this.#end(silence(reason, timedOut))
    this.#controller?.abort(new Error(reason))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it waited for a connection: it must not be sent any more.
    if (this.#ended) controller.abort(new Error('given up'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#retryAfterMs = readRetryAfter(headers['retry-after'], this.#clock.now())
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#longestBytes) this.fail(`the answer is longer than ${this.#longestBytes} bytes`)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks, this.#bytes).toString()
    this.#end({ kind: 'answered', status: this.#status, retryAfterMs: this.#retryAfterMs, body })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(silence(describeError(error)))
  }

  #end(result: HttpResult): void {
    if (this.#ended) return
    this.#ended = true
    this.#stopWatch()
    this.#done(result)
  }
}

/** Reads seconds or an HTTP date (RFC 9110 section 10.2.3). */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.min(Math.max(0, milliseconds), LONGEST_RETRY_AFTER_MS)
}

function silence(reason: string, timedOut = false): HttpSilence {
  return { kind: 'silent', reason, timedOut }
}

/** The code of a system or undici error, else its text: never an address or a header. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { code } = error as NodeJS.ErrnoException
  return code ?? error.message.slice(0, 100)
}
