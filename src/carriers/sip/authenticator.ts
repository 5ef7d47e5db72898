/**
 * Answers the digest challenges of a peer and of proxies in front of it (RFC 3261 section 22). Remembers every
 * challenge, so that each later request of the same call carries the proof at once: a proxy's 407 and then the peer's
 * 401.
 */
import type { Random } from '../../ports/system/random.ts'
import { type Challenge, type Credentials, readChallenge, writeProof } from '../../wire/sip/digest.ts'
import { headersNamed } from '../../wire/sip/headers.ts'
import type { SipHeader, SipResponse } from '../../wire/sip/message.ts'

/** Limit of repeats of one request because of challenges. */
const MAX_ROUNDS = 4

const NAMES: ReadonlyMap<number, { readonly challenge: string; readonly proof: string }> = new Map([
  [401, { challenge: 'WWW-Authenticate', proof: 'Authorization' }],
  [407, { challenge: 'Proxy-Authenticate', proof: 'Proxy-Authorization' }],
])

/** The challenges of one request. */
export interface Attempt {
  /**
   * Returns whether the request can be sent again: false if the answer is no challenge or the credentials are wrong.
   */
  accept(response: SipResponse): boolean
}

interface AcceptedChallenge {
  readonly name: string
  readonly challenge: Challenge
  uses: number
}

export class Authenticator {
  readonly #credentials: Credentials | null
  readonly #random: Random
  /** By header and realm. */
  readonly #accepted = new Map<string, AcceptedChallenge>()

  constructor(credentials: Credentials | null, random: Random) {
    this.#credentials = credentials
    this.#random = random
  }

  begin(): Attempt {
    const answered = new Set<string>()
    let rounds = 0
    return {
      accept: (response) => {
        rounds += 1
        return rounds <= MAX_ROUNDS && this.#accept(response, answered)
      },
    }
  }

  /** Returns the headers that prove the credentials for this request, for every challenge so far. */
  prove(method: string, uri: string): readonly SipHeader[] {
    const credentials = this.#credentials
    if (credentials === null) return []
    return [...this.#accepted.values()].map((accepted): SipHeader => {
      accepted.uses += 1
      const cnonce = Buffer.from(this.#random.bytes(8)).toString('hex')
      return [
        accepted.name,
        writeProof(accepted.challenge, credentials, { method, uri }, { cnonce, count: accepted.uses }),
      ]
    })
  }

  /** Of several challenges of one realm the first counts: servers send them in order of preference. */
  #accept(response: SipResponse, answered: Set<string>): boolean {
    const names = NAMES.get(response.status)
    if (names === undefined || this.#credentials === null) return false
    const challenges = new Map<string, Challenge>()
    for (const text of headersNamed(response, names.challenge)) {
      const challenge = readChallenge(text)
      const key = `${names.proof} ${challenge?.realm}`
      if (challenge !== null && !challenges.has(key)) challenges.set(key, challenge)
    }
    for (const [key, challenge] of challenges) {
      // Challenged again after a fresh proof: the password is wrong.
      if (answered.has(key) && !challenge.stale) return false
      answered.add(key)
      this.#accepted.set(key, { name: names.proof, challenge, uses: 0 })
    }
    return challenges.size > 0
  }
}
