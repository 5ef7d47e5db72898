/**
 * HTTP client of one carrier's service: keep-alive connections up to a limit, a time limit for each exchange, answers
 * of bounded size. Never rejects, follows no redirects and retries nothing.
 */
import { Agent } from 'undici'
import type { Clock } from '../ports/system/clock.ts'
import { USER_AGENT } from '../ports/system/user-agent.ts'
import { carrierLookup } from './carrier-lookup.ts'
import { type ExchangeEnd, HttpExchanges } from './http-exchange.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Absolute http(s) address. */
  readonly url: string
  /** Lower-case names. `user-agent` is Posthorn's unless it is given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type HttpResult = HttpAnswer | HttpSilence

interface HttpAnswer {
  readonly kind: 'answered'
  readonly status: number
  /** Milliseconds that `Retry-After` asks for, at most an hour; null without it. */
  readonly retryAfterMs: number | null
  readonly body: string
}

/** No complete answer arrived: the request may have been carried out or not. */
interface HttpSilence {
  readonly kind: 'silent'
  readonly reason: string
  /** True if the time limit passed, false if the connection failed or the answer was not HTTP. */
  readonly timedOut: boolean
}

export interface HttpClientSetup {
  /** Connections to each origin. */
  readonly connections: number
  readonly timeoutMs: number
  /** Default 65,536. */
  readonly maxAnswerBytes?: number | undefined
}

const MAX_ANSWER_BYTES = 65_536
const LIMITS = { maxRetryAfterMs: 3_600_000 }
/** Requests that may be open or wait for a connection, for each connection. */
const OPEN_PER_CONNECTION = 32

export class HttpClient {
  readonly #agent: Agent
  readonly #exchanges: HttpExchanges
  readonly #maxOpen: number

  constructor({ connections, timeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES }: HttpClientSetup, clock: Clock) {
    this.#exchanges = new HttpExchanges(clock, { ...LIMITS, timeoutMs, maxAnswerBytes })
    this.#maxOpen = connections * OPEN_PER_CONNECTION
    this.#agent = new Agent({
      connections,
      pipelining: 1,
      connect: { lookup: carrierLookup },
      allowH2: false,
      // The exchange has one time limit, on the gateway's clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async send(request: HttpRequest): Promise<HttpResult> {
    if (this.#exchanges.size >= this.#maxOpen) {
      return { kind: 'silent', reason: 'too many requests are waiting', timedOut: false }
    }
    const { promise: ended, resolve } = Promise.withResolvers<ExchangeEnd>()
    const exchange = this.#exchanges.start(resolve)
    try {
      const { origin, pathname, search } = new URL(request.url)
      const { method, body = null } = request
      const headers = { 'user-agent': USER_AGENT, ...request.headers }
      this.#agent.dispatch({ origin, path: pathname + search, method, headers, body }, exchange)
    } catch (error) {
      exchange.fail(error)
    }
    const { status, retryAfterMs, body, failure } = await ended
    if (status === null || failure !== null) {
      return { kind: 'silent', reason: failure?.reason ?? 'no status', timedOut: failure?.timedOut === true }
    }
    return { kind: 'answered', status, retryAfterMs, body }
  }

  /** Fails the exchanges that are under way and closes the connections. */
  async close(): Promise<void> {
    this.#exchanges.failAll('the client is closing')
    await this.#agent.destroy()
  }
}
