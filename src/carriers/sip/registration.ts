/**
 * Registers the gateway's address (RFC 3261 section 10), for trunks that take calls from registered clients only.
 * Registers when the link is up, renews in time before it expires, and retries with growing waits. A granted
 * registration stays valid until it expires, even if a renewal fails.
 */
import type { CarrierLink } from '../../ports/carriers/carrier.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Random } from '../../ports/system/random.ts'
import type { Credentials } from '../../wire/sip/digest.ts'
import { branchOf, headerOf, headersNamed, paramOf, uriOf } from '../../wire/sip/headers.ts'
import { NO_BODY, type SipRequest, type SipResponse, splitOutside } from '../../wire/sip/message.ts'
import { retransmit, T2_MS } from '../../wire/sip/retransmit.ts'
import type { SipPath } from '../../wire/sip/transport.ts'
import { LastError } from '../shared/last-error.ts'
import { bracket, escapeUser, MAX_FORWARDS, USER_AGENT_HEADER, writeContact, writeVia } from './addresses.ts'
import { type Attempt, Authenticator } from './authenticator.ts'

export interface RegistrationSettings {
  readonly domain: string
  readonly publicHost: string | null
  readonly credentials: Credentials
  /** Requested lifetime of a registration. */
  readonly registerSeconds: number
}

interface RegistrationTools {
  readonly clock: Clock
  readonly random: Random
  /** Called for the first failure in a row. */
  readonly onFailed: (reason: string) => void
}

const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000
/** Shortest interval of renewals, even if the registrar grants less. */
const MIN_REFRESH_MS = 5_000
/** Limit of what a registrar may grant or ask for. */
const MAX_SECONDS = 86_400

export class SipRegistration {
  readonly callId: string
  readonly lastError: LastError
  readonly #settings: RegistrationSettings
  readonly #tools: RegistrationTools
  readonly #authenticator: Authenticator
  readonly #fromTag: string
  #path: SipPath | null = null
  #since: number
  /** Monotonic milliseconds: when the registration expires. */
  #validUntil = 0
  #cseq = 0
  #seconds: number
  /** Whether the registrar answered 423 to the registration under way. */
  #wasTooBrief = false
  #waitMs = FIRST_WAIT_MS
  /** Branch of the request under way; empty while there is none. */
  #branch = ''
  #attempt: Attempt
  #stop: Cancel = () => {}
  #next: Cancel = () => {}

  constructor(settings: RegistrationSettings, tools: RegistrationTools) {
    this.#settings = settings
    this.#tools = tools
    this.#authenticator = new Authenticator(settings.credentials, tools.random)
    this.#attempt = this.#authenticator.begin()
    this.callId = `register-${this.#hex(8)}`
    this.#fromTag = this.#hex(6)
    this.#seconds = settings.registerSeconds
    this.#since = tools.clock.now()
    this.lastError = new LastError(tools.clock)
  }

  get isValid(): boolean {
    return this.#path !== null && this.#tools.clock.monotonic() < this.#validUntil
  }

  get link(): CarrierLink {
    const state = this.isValid ? 'up' : this.#branch === '' ? 'down' : 'connecting'
    const traffic = { inFlight: 0, window: 0, protocolErrors: 0 }
    return { name: 'registration', state, since: this.#since, ...traffic, ...this.lastError.fault, nextTryAt: null }
  }

  /** The link is up, or has another path than before. */
  begin(path: SipPath): void {
    this.#path = path
    this.#validUntil = 0
    this.#waitMs = FIRST_WAIT_MS
    this.#register()
  }

  /** The link is lost: the registered address is no longer valid. */
  lose(): void {
    this.#cancel()
    if (this.isValid) this.#since = this.#tools.clock.now()
    this.#path = null
  }

  /** Removes the registration, once and without waiting for an answer. */
  leave(): void {
    this.#cancel()
    if (this.isValid) this.#path?.send(this.#write(this.#path, this.#newBranch(), 0))
    this.#path = null
  }

  take(response: SipResponse): void {
    if (this.#branch === '' || branchOf(response) !== this.#branch || response.status < 200) return
    this.#stop()
    this.#branch = ''
    if (response.status < 300) this.#granted(response)
    else if (this.#attempt.accept(response) || this.#isTooBrief(response)) this.#send()
    else this.#failed(`${response.status} ${response.reason}`.trim(), retryAfterOf(response))
  }

  #register(): void {
    this.#cancel()
    this.#attempt = this.#authenticator.begin()
    this.#wasTooBrief = false
    this.#send()
  }

  #send(): void {
    const path = this.#path
    if (path === null) return
    this.#branch = this.#newBranch()
    const request = this.#write(path, this.#branch, this.#seconds)
    const send = () => path.send(request) && path.transport !== 'UDP'
    this.#stop = retransmit(this.#tools.clock, send, T2_MS, () => {
      this.#branch = ''
      this.#failed('the registrar does not answer', 0)
    })
  }

  #granted(response: SipResponse): void {
    const granted = this.#grantedSeconds(response)
    if (granted === 0) {
      this.#failed('the registrar did not take our address', 0)
      return
    }
    if (!this.isValid) this.#since = this.#tools.clock.now()
    this.lastError.clear()
    this.#waitMs = FIRST_WAIT_MS
    this.#validUntil = this.#tools.clock.monotonic() + granted * 1_000
    // Renews at three quarters of the lifetime, which leaves time for retries.
    this.#next = this.#tools.clock.after(Math.max(MIN_REFRESH_MS, granted * 750), () => this.#register())
  }

  /** Finds the gateway's own address: the answer also lists those of other clients (10.3). */
  #grantedSeconds(response: SipResponse): number {
    const ours = this.#path === null ? null : uriOf(this.#contact(this.#path))
    const contact = headersNamed(response, 'Contact')
      .flatMap((value) => splitOutside(value, ','))
      .find((value) => uriOf(value) === ours)
    const expires = contact === undefined ? null : paramOf(contact, 'expires')
    const digits = expires ?? headerOf(response, 'Expires') ?? String(this.#seconds)
    return /^\d{1,10}$/.test(digits) ? Math.min(Number(digits), MAX_SECONDS) : 0
  }

  /** 423 names the shortest lifetime that the registrar grants (10.2.8). */
  #isTooBrief(response: SipResponse): boolean {
    const min = Number(headerOf(response, 'Min-Expires') ?? Number.NaN)
    if (this.#wasTooBrief || response.status !== 423 || !(min > this.#seconds && min <= MAX_SECONDS)) return false
    this.#wasTooBrief = true
    this.#seconds = min
    return true
  }

  #failed(reason: string, retryAfterMs: number): void {
    this.lastError.note(`registration: ${reason}`)
    const { clock, random, onFailed } = this.#tools
    if (this.#waitMs === FIRST_WAIT_MS) onFailed(reason)
    const waitMs = Math.max(retryAfterMs, this.#waitMs - random.below(this.#waitMs / 5))
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2)
    this.#next = clock.after(waitMs, () => this.#register())
  }

  #cancel(): void {
    this.#stop()
    this.#next()
    this.#branch = ''
  }

  #write(path: SipPath, branch: string, expires: number): SipRequest {
    const domain = bracket(this.#settings.domain)
    const uri = `sip:${domain}`
    const own = `<sip:${escapeUser(this.#settings.credentials.username)}@${domain}>`
    this.#cseq += 1
    return {
      kind: 'request',
      method: 'REGISTER',
      uri,
      headers: [
        ['Via', writeVia(this.#settings, path, branch)],
        MAX_FORWARDS,
        ['From', `${own};tag=${this.#fromTag}`],
        ['To', own],
        ['Call-ID', this.callId],
        ['CSeq', `${this.#cseq} REGISTER`],
        ['Contact', this.#contact(path)],
        ['Expires', String(expires)],
        USER_AGENT_HEADER,
        ...this.#authenticator.prove('REGISTER', uri),
      ],
      body: NO_BODY,
    }
  }

  #contact(path: SipPath): string {
    return writeContact(this.#settings, path, escapeUser(this.#settings.credentials.username))
  }

  #newBranch(): string {
    return `z9hG4bK${this.#hex(10)}`
  }

  #hex(bytes: number): string {
    return Buffer.from(this.#tools.random.bytes(bytes)).toString('hex')
  }
}

/** Returns milliseconds, at most an hour; 0 if the answer does not say. */
function retryAfterOf(response: SipResponse): number {
  const [digits = '0'] = /^\d{1,6}/.exec(headerOf(response, 'Retry-After') ?? '') ?? []
  return Math.min(Number(digits), 3_600) * 1_000
}
