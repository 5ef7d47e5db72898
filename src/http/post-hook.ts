/**
 * Signs and POSTs calls to clients' hooks over keep-alive connections. Hooks are untrusted: connects only to permitted
 * addresses, verifies certificates, follows no redirects and discards everything but the status of the answer.
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
import { signCall } from './sign-call.ts'

/** The time includes name lookup and connecting. Bodies of answers do not reach the exchange (hook-connection.ts). */
const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 0, maxRetryAfterMs: 86_400_000 }
const SAME_HEADERS = `connection: keep-alive\r\nuser-agent: ${USER_AGENT}\r\ncontent-type: application/json\r\n`
/** Account of lookups whose account was evicted between the start of a call and its connection. */
const NO_ACCOUNT = 0

export interface HookPostSetup {
  readonly clock: Clock
  /** Networks in CIDR form in which hooks may be although they are not public. */
  readonly allow: readonly string[]
  readonly resolve: ResolveHost
  /** 2,048 when absent. */
  readonly maxConnections?: number
}

/** Throws if an allowed network is not in CIDR form. */
export function createHookPost(setup: HookPostSetup): HookPost {
  return new HookPoster(setup)
}

class HookPoster implements HookPost {
  readonly #names: HookNames
  readonly #connections: HookConnections
  readonly #exchanges: HttpExchanges

  constructor({ clock, allow, resolve, maxConnections }: HookPostSetup) {
    this.#names = new HookNames(clock, resolve)
    // Resolves the name before connecting and caches the result.
    const connect = connectGuarded(new AddressGuard(allow), (hostname) => this.#names.resolve(hostname, NO_ACCOUNT))
    this.#connections = new HookConnections(connect, clock, maxConnections)
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
    // Once the status is known the hook has answered; the rest of the answer does not matter.
    if (status !== null) return { kind: 'answered', status, retryAfterMs }
    const kind = failure?.error instanceof ForbiddenAddress ? 'forbidden' : 'failed'
    return { kind, reason: failure?.reason ?? 'no status' }
  }

  /** Resolves the name within the account's share of lookups before connecting. */
  async #send(call: HookCall, url: URL, exchange: HttpExchange): Promise<void> {
    const { account } = call
    if (net.isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0) await this.#names.resolve(url.hostname, account)
    if (exchange.hasEnded) return
    this.#connections.send({ origin: url.origin, account, text: writeRequest(url, call) }, exchange)
  }

  async stop(): Promise<void> {
    this.#exchanges.failAll('the gateway is stopping')
    this.#connections.stop()
  }
}

function writeRequest({ host, pathname, search }: URL, call: HookCall): string {
  const { body } = call
  const signed = signCall(call)
  let head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${SAME_HEADERS}content-length: ${Buffer.byteLength(body)}\r\n`
  for (let index = 0; index < signed.length; index += 2) head += `${signed[index]}: ${signed[index + 1]}\r\n`
  return `${head}\r\n${body}`
}
