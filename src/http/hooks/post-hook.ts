/**
 * Signs and POSTs calls to clients' hooks over keep-alive connections. Hooks are untrusted: connects only to permitted
 * addresses, verifies certificates, follows no redirects and discards everything but the status of the answer.
 */
import net from 'node:net'
import { PORT_RULE } from '../../contract/request/error-texts.ts'
import { isRefusedPort } from '../../domain/network/refused-ports.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { HookAnswer, HookCall, HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { USER_AGENT } from '../../ports/system/user-agent.ts'
import { type ExchangeEnd, type HttpExchange, HttpExchanges } from '../../wire/http-exchange.ts'
import { connectGuarded, NO_PUBLIC_ADDRESS } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import { HookConnections } from './hook-connections.ts'
import { HookNames, type ResolveHost } from './hook-names.ts'
import { signCall } from './sign-call.ts'

/** The time includes name lookup and connecting. Bodies of answers do not reach the exchange (hook-connection.ts). */
const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 0, maxRetryAfterMs: 86_400_000 }
const SAME_HEADERS = `connection: keep-alive\r\nuser-agent: ${USER_AGENT}\r\ncontent-type: application/json\r\n`
/**
 * A name that does not exist gets the same answer as one of the operator's network, so that clients do not find out by
 * hooks which names that network has.
 */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
const STOPPING = 'the gateway is stopping'
/** Of a hook that is not public: does not reveal whether a port is closed, filtered or of another service. */
const NO_ANSWER_INSIDE = 'no HTTP answer from this address, which is not public'
/** Permits public addresses alone. */
const PUBLIC = new AddressGuard()
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
  /** Without the brackets of an IPv6 address. */
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
    if (typeof target === 'string') {
      answered({ kind: 'forbidden', reason: target })
      return
    }
    const exchange = this.#exchanges.start((end) => answered(this.#readEnd(end, target)))
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

  /** Returns the rule that the address breaks, if it breaks one: it may have been stored before there was that rule. */
  #readTarget(address: string): Target | string {
    const url = URL.parse(address)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'not an http or https address'
    if (isRefusedPort(url.port)) return PORT_RULE
    const { origin, host, pathname, search } = url
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${SAME_HEADERS}content-length: `
    const target = { origin, hostname, isNamed: net.isIP(hostname) === 0, head }
    this.#targets.set(address, target)
    return target
  }

  async stop(): Promise<void> {
    this.#exchanges.failAll(STOPPING)
    this.#connections.stop()
  }

  #readEnd({ status, retryAfterMs, failure }: ExchangeEnd, target: Target): HookAnswer {
    // Once the status is known the hook has answered; the rest of the answer does not matter.
    if (status !== null) return { kind: 'answered', status, retryAfterMs }
    const { reason = 'no status', error } = failure ?? {}
    if (error instanceof ForbiddenAddress) return { kind: 'forbidden', reason }
    if (reason === NO_PUBLIC_ADDRESS || ABSENT.has((error as NodeJS.ErrnoException | undefined)?.code)) {
      return { kind: 'failed', reason: NO_PUBLIC_ADDRESS }
    }
    return { kind: 'failed', reason: reason !== STOPPING && this.#isInside(target) ? NO_ANSWER_INSIDE : reason }
  }

  /** Whether the operator permits an address of the host although it is not public. */
  #isInside({ hostname, isNamed }: Target): boolean {
    const addresses = isNamed ? this.#names.found(hostname).map(({ address }) => address) : [hostname]
    return addresses.some((address) => !PUBLIC.permits(address))
  }
}
