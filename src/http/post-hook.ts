/**
 * POSTs to clients' hooks over keep-alive connections. Hooks are strangers: only permitted addresses are connected to,
 * certificates are verified, redirects are not followed, and what a hook answers beyond its status is thrown away.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher } from 'undici'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { HookAnswer, HookCall, HookPost } from '../ports/hook-post.ts'
import { connectGuarded } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import { type ResolveHost, resolveHost } from './resolve-host.ts'

/** From the call to the end of the answer, waiting for a connection included. */
const TIMEOUT_MS = 10_000
const CONNECTIONS_PER_ORIGIN = 128
const LONGEST_ANSWER_BYTES = 65_536
const LONGEST_REASON = 200

export interface HookPostSetup {
  readonly clock: Clock
  /** Networks in CIDR form where hooks may be although they are not public. */
  readonly allow: readonly string[]
  /** How host names become addresses; the system's ways when absent. */
  readonly resolve?: ResolveHost
}

/** Throws when an allowed network is not in CIDR form. */
export function createHookPost(setup: HookPostSetup): HookPost {
  return new HookPoster(setup)
}

class HookPoster implements HookPost {
  readonly #clock: Clock
  readonly #agent: Agent
  /** In the order of their calls, which is the order in which their time ends. */
  readonly #open = new Set<Exchange>()
  #timer: Cancel | null = null

  constructor({ clock, allow, resolve = resolveHost }: HookPostSetup) {
    this.#clock = clock
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      connect: connectGuarded(new AddressGuard(allow), resolve),
      // The exchange has one time limit, on our clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  post(call: HookCall): Promise<HookAnswer> {
    const url = URL.parse(call.address)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      return Promise.resolve({ kind: 'forbidden', reason: 'not an http or https address' })
    }
    return new Promise((resolve) => {
      const now = this.#clock.monotonic()
      const exchange = new Exchange(now, this.#clock, (answer) => {
        this.#open.delete(exchange)
        resolve(answer)
      })
      this.#open.add(exchange)
      this.#watch(now)
      const headers = ['user-agent', 'Posthorn', 'content-type', 'application/json']
      for (const name in call.headers) headers.push(name, call.headers[name] ?? '')
      try {
        const path = url.pathname + url.search
        this.#agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body: call.body }, exchange)
      } catch (error) {
        exchange.fail(describe(error))
      }
    })
  }

  async stop(): Promise<void> {
    this.#timer?.()
    for (const exchange of [...this.#open]) exchange.fail('the gateway is stopping')
    await this.#agent.destroy()
  }

  /** One timer for all: the oldest exchange ends first. */
  #watch(now: number): void {
    if (this.#timer !== null) return
    const [oldest] = this.#open
    if (oldest === undefined) return
    this.#timer = this.#clock.after(oldest.since + TIMEOUT_MS - now, () => {
      this.#timer = null
      const late = this.#clock.monotonic() - TIMEOUT_MS
      for (const exchange of this.#open) {
        if (exchange.since > late) break
        exchange.fail(`no answer within ${TIMEOUT_MS / 1000} s`)
      }
      this.#watch(this.#clock.monotonic())
    })
  }
}

/** One POST and its answer, as undici tells of them. */
class Exchange implements Dispatcher.DispatchHandler {
  /** Monotonic. */
  readonly since: number
  readonly #clock: Clock
  readonly #done: (answer: HookAnswer) => void
  #controller: Dispatcher.DispatchController | null = null
  #ended = false
  #status: number | null = null
  #retryAfterMs: number | null = null
  #bytes = 0

  constructor(since: number, clock: Clock, done: (answer: HookAnswer) => void) {
    this.since = since
    this.#clock = clock
    this.#done = done
  }

  /** Ends the exchange and its connection. A hook whose status is known has answered, whatever it still wants to say. */
  fail(reason: string): void {
    this.#end({ kind: 'failed', reason })
    this.#controller?.abort(new Error(reason))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it waited for a connection: it must not be sent any more.
    if (this.#ended) controller.abort(new Error('given up'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#retryAfterMs = readRetryAfter(headers['retry-after'], this.#clock.now())
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > LONGEST_ANSWER_BYTES) this.fail('the answer is too long')
  }

  onResponseEnd(): void {
    this.#end({ kind: 'failed', reason: 'no status' })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof ForbiddenAddress) this.#end({ kind: 'forbidden', reason: error.message })
    else this.fail(describe(error))
  }

  #end(otherwise: HookAnswer): void {
    if (this.#ended) return
    this.#ended = true
    const status = this.#status
    this.#done(status === null ? otherwise : { kind: 'answered', status, retryAfterMs: this.#retryAfterMs })
  }
}

/** Seconds or an HTTP date (RFC 9110 section 10.2.3); null for anything else. */
function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}

/** The code of a system, TLS or undici error, else its text. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  return ((error as NodeJS.ErrnoException).code ?? error.message).slice(0, LONGEST_REASON)
}
