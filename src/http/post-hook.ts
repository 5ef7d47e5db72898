/**
 * Signs and POSTs calls to clients' hooks over keep-alive connections. Hooks are untrusted: connects only to permitted
 * addresses, verifies certificates, follows no redirects and discards everything but the status of the answer.
 */
import net from 'node:net'
import { KeptValues } from '../domain/kept-values.ts'
import type { Clock } from '../ports/clock.ts'
import type { HookAnswer, HookCall, HookPost } from '../ports/hook-post.ts'
import { USER_AGENT } from '../ports/user-agent.ts'
import { type ExchangeEnd, type HttpExchange, HttpExchanges } from '../wire/http-exchange.ts'
import { connectGuarded } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import { HookConnections } from './hook-connections.ts'
import { HookNames, type ResolveHost } from './hook-names.ts'
import { signCall } from './sign-call.ts'

/** The time includes name lookup and connecting. Bodies of answers do not reach the exchange (hook-connection.ts). */
const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 0, maxRetryAfterMs: 86_400_000 }
const SAME_HEADERS = `connection: keep-alive\r\nuser-agent: ${USER_AGENT}\r\ncontent-type: application/json\r\n`
/** Account of lookups whose account was evicted between the start of a call and its connection. */
const NO_ACCOUNT = 0
const MAX_TARGETS = 1_000

export interface HookPostSetup {
  readonly clock: Clock
  /** Networks in CIDR form in which hooks may be although they are not public. */
  readonly allow: readonly string[]
  readonly resolve: ResolveHost
  /** 2,048 when absent. */
  readonly maxConnections?: number
}

/** Where an address leads. */
interface Target {
  /** Protocol, host and port. */
  readonly origin: string
  readonly hostname: string
  /** Whether the host is to be looked up. */
  readonly isNamed: boolean
  /** The head of each request up to the length of its body. */
  readonly head: string
}

/** Throws if an allowed network is not in CIDR form. */
export function createHookPost(setup: HookPostSetup): HookPoster {
  return new HookPoster(setup)
}

class HookPoster implements HookPost {
  readonly #names: HookNames
  readonly #connections: HookConnections
  readonly #exchanges: HttpExchanges
  /** By address. */
  readonly #targets = new KeptValues<string, Target>(MAX_TARGETS)

  constructor({ clock, allow, resolve, maxConnections }: HookPostSetup) {
    this.#names = new HookNames(clock, resolve)
    // Resolves the name before connecting and caches the result.
    const connect = connectGuarded(new AddressGuard(allow), (hostname) => this.#names.resolve(hostname, NO_ACCOUNT))
    this.#connections = new HookConnections(connect, clock, maxConnections)
    this.#exchanges = new HttpExchanges(clock, LIMITS)
  }

  post(call: HookCall): Promise<HookAnswer> {
    return new Promise((resolve) => this.send(call, resolve))
  }

  /** As `post`, without a promise. Calls `answered` once. */
  send(call: HookCall, answered: (answer: HookAnswer) => void): void {
    const target = this.#targets.get(call.address) ?? this.#readTarget(call.address)
    if (target === null) {
      answered({ kind: 'forbidden', reason: 'not an http or https address' })
      return
    }
    const exchange = this.#exchanges.start((end) => answered(readEnd(end)))
    // The name is resolved within the account's share of lookups before connecting.
    if (!target.isNamed || this.#names.has(target.hostname)) {
      this.#write(call, target, exchange)
    } else {
      this.#names.resolve(target.hostname, call.account).then(
        () => this.#write(call, target, exchange),
        (error: unknown) => exchange.fail(error),
      )
    }
  }

  #write(call: HookCall, { origin, head }: Target, exchange: HttpExchange): void {
    if (exchange.hasEnded) return
    try {
      const text = `${head}${Buffer.byteLength(call.body)}\r\n${signCall(call)}\r\n${call.body}`
      this.#connections.send({ origin, account: call.account, text, exchange })
    } catch (error) {
      exchange.fail(error)
    }
  }

  /** Returns null if the address is not one of http or https. */
  #readTarget(address: string): Target | null {
    const url = URL.parse(address)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
    const { origin, host, hostname, pathname, search } = url
    const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${SAME_HEADERS}content-length: `
    const target = { origin, hostname, isNamed: net.isIP(hostname.replace(/^\[|\]$/g, '')) === 0, head }
    this.#targets.set(address, target)
    return target
  }

  async stop(): Promise<void> {
    this.#exchanges.failAll('the gateway is stopping')
    this.#connections.stop()
  }
}

function readEnd({ status, retryAfterMs, failure }: ExchangeEnd): HookAnswer {
  // Once the status is known the hook has answered; the rest of the answer does not matter.
  if (status !== null) return { kind: 'answered', status, retryAfterMs }
  const kind = failure?.error instanceof ForbiddenAddress ? 'forbidden' : 'failed'
  return { kind, reason: failure?.reason ?? 'no status' }
}
