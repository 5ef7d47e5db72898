/**
 * The access token of a service account, obtained for an assertion that is signed with its key (RFC 7523 section 2.1).
 * Cached until shortly before it expires, fetched by one request at a time, never logged.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Clock } from '../../ports/system/clock.ts'
import type { HttpRequest, HttpResult } from '../../wire/http-client.ts'
import { parseJsonObject } from '../../wire/json.ts'
import type { ServiceAccount } from './settings.ts'

const SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 3_600
/** A token is renewed in the background this long before it expires. */
const RENEW_BEFORE_MS = 300_000
/** Wait after a failure. */
const RETRY_MS = 1_000

interface Token {
  readonly text: string
  readonly renewAt: number
  readonly endsAt: number
}

export class TokenSource {
  readonly #account: ServiceAccount
  readonly #send: (request: HttpRequest) => Promise<HttpResult>
  readonly #clock: Clock
  readonly #key: KeyObject
  #token: Token | null = null
  #fetching: Promise<Token> | null = null
  #failure: { readonly error: Error; readonly until: number } | null = null

  constructor(account: ServiceAccount, send: (request: HttpRequest) => Promise<HttpResult>, clock: Clock) {
    this.#account = account
    this.#key = createPrivateKey(account.private_key)
    this.#send = send
    this.#clock = clock
  }

  /** @throws Error that says why there is no token: `no access token: …`. */
  async get(): Promise<string> {
    const now = this.#clock.monotonic()
    const token = this.#token
    if (token !== null && now < token.endsAt) {
      if (now >= token.renewAt) this.#renew().catch(() => {})
      return token.text
    }
    return (await this.#renew()).text
  }

  /** Drops a token that the service refused: the next `get` fetches another, unless one has arrived by then. */
  forget(refused: string): void {
    if (this.#token?.text === refused) this.#token = null
  }

  #renew(): Promise<Token> {
    if (this.#fetching !== null) return this.#fetching
    if (this.#failure !== null && this.#clock.monotonic() < this.#failure.until)
      return Promise.reject(this.#failure.error)
    const fetching = this.#fetch().finally(() => {
      this.#fetching = null
    })
    this.#fetching = fetching
    return fetching
  }

  async #fetch(): Promise<Token> {
    try {
      this.#token = await this.#exchange()
      this.#failure = null
      return this.#token
    } catch (cause) {
      const error = new Error(`no access token: ${cause instanceof Error ? cause.message : 'failed'}`)
      this.#failure = { error, until: this.#clock.monotonic() + RETRY_MS }
      throw error
    }
  }

  async #exchange(): Promise<Token> {
    const requestedAt = this.#clock.monotonic()
    const body = new URLSearchParams({
      grant_type: GRANT,
      assertion: await this.#assertion(this.#clock.now()),
    }).toString()
    const result = await this.#send({
      method: 'POST',
      url: this.#account.token_uri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    if (result.kind === 'silent') throw new Error(result.reason)
    const answer = parseJsonObject(result.body) ?? {}
    const { access_token: text, expires_in: seconds, error } = answer
    if (result.status !== 200 || typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) {
      throw new Error(`HTTP ${result.status}${typeof error === 'string' ? ` ${error.slice(0, 60)}` : ''}`)
    }
    const lifeMs = (typeof seconds === 'number' && seconds > 0 ? seconds : ASSERTION_SECONDS) * 1000
    return { text, renewAt: requestedAt + Math.max(lifeMs - RENEW_BEFORE_MS, lifeMs / 2), endsAt: requestedAt + lifeMs }
  }

  #assertion(now: number): Promise<string> {
    const issuedAt = Math.floor(now / 1000)
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(this.#account.client_email)
      .setAudience(this.#account.token_uri)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ASSERTION_SECONDS)
      .sign(this.#key)
  }
}
