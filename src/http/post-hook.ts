/**
 * POSTs to clients' hooks over keep-alive connections. Hooks are strangers: only permitted addresses are connected to,
 * certificates are verified, redirects are not followed, and what a hook answers beyond its status is thrown away.
 */
import type { IncomingHttpHeaders } from 'node:http'
import net from 'node:net'
import type { Dispatcher } from 'undici'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { HookAnswer, HookCall, HookPost } from '../ports/hook-post.ts'
import { USER_AGENT } from '../ports/user-agent.ts'
import { connectGuarded } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import { HookConnections } from './hook-connections.ts'
import { HookNames, type ResolveHost } from './hook-names.ts'

/** From the call to the end of the answer, looking up and connecting included. */
const TIMEOUT_MS = 10_000
const LONGEST_ANSWER_BYTES = 65_536
const LONGEST_REASON = 200
/** Whose lookups are those that were forgotten between the start of a call and its connection. */
const NO_ACCOUNT = 0

export interface HookPostSetup {
  readonly clock: Clock
  /** Networks in CIDR form where hooks may be although they are not public. */
  readonly allow: readonly string[]
  readonly resolve: ResolveHost
  /** 2,048 when absent. */
  readonly maxConnections?: number
}

/** Throws when an allowed network is not in CIDR form. */
export function createHookPost(setup: HookPostSetup): HookPost {
  return new HookPoster(setup)
}

class HookPoster implements HookPost {
  readonly #clock: Clock
  readonly #names: HookNames
  readonly #connections: HookConnections
  /** In the order of their calls, which is the order in which their time ends. */
  readonly #open = new Set<Exchange>()
  #timer: Cancel | null = null

  constructor({ clock, allow, resolve, maxConnections }: HookPostSetup) {
    this.#clock = clock
    this.#names = new HookNames(clock, resolve)
    // What was looked up for a call a moment ago is remembered.
    const connect = connectGuarded(new AddressGuard(allow), (hostname) => this.#names.resolve(hostname, NO_ACCOUNT))
    this.#connections = new HookConnections(connect, maxConnections)
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
      this.#send(call, url, exchange).catch((error: unknown) => exchange.fail(describe(error)))
    })
  }

  /** The name is looked up in the share of the account, before a connection is. */
  async #send({ account, headers: given, body }: HookCall, url: URL, exchange: Exchange): Promise<void> {
    if (net.isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) await this.#names.resolve(url.hostname, account)
    if (exchange.hasEnded) return
    const headers = ['user-agent', USER_AGENT, 'content-type', 'application/json']
    for (const name in given) headers.push(name, given[name] ?? '')
    const request = { path: url.pathname + url.search, method: 'POST', headers, body } as const
    exchange.whenEnded(this.#connections.dispatch(url.origin, request, exchange))
  }

  async stop(): Promise<void> {
    this.#timer?.()
    for (const exchange of [...this.#open]) exchange.fail('the gateway is stopping')
    await this.#connections.stop()
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
  #onEnd: (() => void) | null = null
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

  get hasEnded(): boolean {
    return this.#ended
  }

  whenEnded(run: () => void): void {
    if (this.#ended) run()
    else this.#onEnd = run
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
    this.#onEnd?.()
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
