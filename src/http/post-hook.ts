/**
 * POSTs to clients' hooks over keep-alive connections. Hooks are strangers: only permitted addresses are connected to,
 * certificates are verified, redirects are not followed, and what a hook answers beyond its status is thrown away.
 */
import net from 'node:net'
import type { Clock } from '../ports/clock.ts'
import type { HookAnswer, HookCall, HookPost } from '../ports/hook-post.ts'
import { USER_AGENT } from '../ports/user-agent.ts'
import { type HttpExchange, HttpExchanges } from '../wire/http-exchange.ts'
import { connectGuarded } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import { HookConnections } from './hook-connections.ts'
import { HookNames, type ResolveHost } from './hook-names.ts'

/** The time includes looking up the name and connecting. */
const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 65_536, maxRetryAfterMs: 86_400_000, keepBody: false }
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
  readonly #names: HookNames
  readonly #connections: HookConnections
  readonly #exchanges: HttpExchanges

  constructor({ clock, allow, resolve, maxConnections }: HookPostSetup) {
    this.#names = new HookNames(clock, resolve)
    // The names of a call are looked up before it connects, and remembered.
    const connect = connectGuarded(new AddressGuard(allow), (hostname) => this.#names.resolve(hostname, NO_ACCOUNT))
    this.#connections = new HookConnections(connect, maxConnections)
    this.#exchanges = new HttpExchanges(clock, LIMITS)
  }

  async post(call: HookCall): Promise<HookAnswer> {
    const url = URL.parse(call.address)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      return { kind: 'forbidden', reason: 'not an http or https address' }
    }
    const exchange = this.#exchanges.start()
    this.#send(call, url, exchange).catch((error: unknown) => exchange.fail(error))
    const { status, retryAfterMs, failure } = await exchange.ended
    // A hook whose status is known has answered, whatever happens to the rest of its answer.
    if (status !== null) return { kind: 'answered', status, retryAfterMs }
    const kind = failure?.error instanceof ForbiddenAddress ? 'forbidden' : 'failed'
    return { kind, reason: failure?.reason ?? 'no status' }
  }

  /** Looks the name up within the account's share of lookups before it connects. */
  async #send({ account, headers: given, body }: HookCall, url: URL, exchange: HttpExchange): Promise<void> {
    if (net.isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) await this.#names.resolve(url.hostname, account)
    if (exchange.hasEnded) return
    const headers = ['user-agent', USER_AGENT, 'content-type', 'application/json']
    for (const name in given) headers.push(name, given[name] ?? '')
    const request = { path: url.pathname + url.search, method: 'POST', headers, body } as const
    const release = this.#connections.dispatch(url.origin, request, exchange)
    void exchange.ended.then(release)
  }

  async stop(): Promise<void> {
    this.#exchanges.failAll('the gateway is stopping')
    await this.#connections.stop()
  }
}
