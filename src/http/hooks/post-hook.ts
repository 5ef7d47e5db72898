/**
 * Signs and POSTs calls to clients' hooks over keep-alive connections, or makes them in the form that their address
 * names. Hooks are untrusted: connects only to permitted addresses, verifies certificates, follows no redirects and
 * discards everything but the status of the answer, and its first 4 KiB where a form has a use for them.
 */
import net from 'node:net'
import { PORT_RULE } from '../../contract/request/error-texts.ts'
import { isRefusedPort } from '../../domain/network/refused-ports.ts'
import { formOf, urlOf } from '../../domain/reports/report-target.ts'
import { KeptValues } from '../../domain/structures/kept-values.ts'
import type { HookAnswer, HookCall, HookPost } from '../../ports/hooks/hook-post.ts'
import type { Clock } from '../../ports/system/clock.ts'
import { USER_AGENT } from '../../ports/system/user-agent.ts'
import { type ExchangeEnd, type HttpExchange, HttpExchanges } from '../../wire/http-exchange.ts'
import { connectGuarded, NO_PUBLIC_ADDRESS } from './connect-guarded.ts'
import { AddressGuard, ForbiddenAddress } from './guard-address.ts'
import type { AnswerBody } from './hook-connection.ts'
import { HookConnections } from './hook-connections.ts'
import { HookNames, type ResolveHost } from './hook-names.ts'
import { readProgramAnswer, writeProgramCall } from './program-call.ts'
import { writeProgramRequest } from './program-request.ts'
import { signCall } from './sign-call.ts'

/** The time includes name lookup and connecting. Bodies of answers do not reach the exchange (hook-connection.ts). */
const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 0, maxRetryAfterMs: 86_400_000 }
const SAME_HEADERS = `connection: keep-alive\r\nuser-agent: ${USER_AGENT}\r\n`
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
}

interface SignedTarget extends Target {
  /** The head of each request up to the length of its body. */
  readonly head: string
}

/** A request that may be sent. */
interface Outgoing {
  readonly target: Target
  readonly write: () => string
  /** Returns the text of the answer; absent if only its status matters. */
  readonly readAnswer?: (body: AnswerBody) => string
}

type KeepAnswer = ((body: AnswerBody) => void) | undefined

/** Throws if an allowed network is not in CIDR form. */
export function createHookPost(setup: HookPostSetup): HookPoster {
  return new HookPoster(setup)
}

class HookPoster implements HookPost {
  readonly #names: HookNames
  readonly #connections: HookConnections
  readonly #exchanges: HttpExchanges
  /** By address, of signed calls. */
  readonly #targets = new KeptValues<string, SignedTarget>(MAX_TARGETS)

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
    const outgoing = formOf(call.address) === null ? this.#signed(call) : outgoingInForm(call)
    if (typeof outgoing === 'string') {
      answered({ kind: 'forbidden', reason: outgoing })
      return
    }
    const { target, readAnswer } = outgoing
    let text: string | undefined
    const keep: KeepAnswer = readAnswer && ((body) => (text = readAnswer(body)))
    const exchange = this.#exchanges.start((end) => {
      const answer = this.#readEnd(end, target)
      answered(text !== undefined && answer.kind === 'answered' ? { ...answer, text } : answer)
    })
    // The name is resolved within the account's share of lookups before connecting.
    if (!target.isNamed || this.#names.has(target.hostname)) {
      this.#write(call, outgoing, exchange, keep)
    } else {
      this.#names.resolve(target.hostname, call.account).then(
        () => this.#write(call, outgoing, exchange, keep),
        (error: unknown) => exchange.fail(error),
      )
    }
  }

  #write({ account }: HookCall, { target, write }: Outgoing, exchange: HttpExchange, answered: KeepAnswer): void {
    if (exchange.hasEnded) return
    try {
      this.#connections.send({ origin: target.origin, account, text: write(), exchange, answered })
    } catch (error) {
      exchange.fail(error)
    }
  }

  #signed(call: HookCall): Outgoing | string {
    const target = this.#targets.get(call.address) ?? this.#readSigned(call.address)
    if (typeof target === 'string') return target
    const write = () => `${target.head}${Buffer.byteLength(call.body)}\r\n${signCall(call)}\r\n${call.body}`
    return { target, write }
  }

  #readSigned(address: string): SignedTarget | string {
    const found = readTargetUrl(address)
    if (typeof found === 'string') return found
    const { host, pathname, search } = found.url
    const type = 'content-type: application/json\r\n'
    const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${SAME_HEADERS}${type}content-length: `
    const target = { ...found.target, head }
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

/** Returns the request in the form of a program; text if it breaks a rule. */
function outgoingInForm(call: HookCall): Outgoing | string {
  const written = writeProgramCall(call)
  if (written === null) return 'the report has no such form'
  const found = readTargetUrl(written.url)
  if (typeof found === 'string') return found
  // Values stand in the path and the query alone.
  if (found.target.origin !== URL.parse(urlOf(call.address))?.origin) return 'not an http or https address'
  return {
    target: found.target,
    write: () => writeProgramRequest(written, found.url, SAME_HEADERS),
    readAnswer: (body) => readProgramAnswer(call, body),
  }
}

/** Returns the rule that the address breaks, if it breaks one: it may have been stored before there was that rule. */
function readTargetUrl(address: string): { readonly target: Target; readonly url: URL } | string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'not an http or https address'
  if (isRefusedPort(url.port)) return PORT_RULE
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  return { target: { origin: url.origin, hostname, isNamed: net.isIP(hostname) === 0 }, url }
}
