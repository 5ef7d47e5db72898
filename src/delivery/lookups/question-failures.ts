/**
 * Decides whether an unanswered question is a failure of the lookup service, or of the number that was asked about: an
 * account that asks about numbers without an answer must not open the breaker for the others.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Carrier } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** A service that gave an answer so recently works, unless questions of several accounts have failed since. */
const RECENT_MS = 30_000

interface Seen {
  /** On the monotonic clock, milliseconds; null before the first answer. */
  answeredAt: number | null
  /** Whose question failed first since then. */
  failedOf: AccountId | null
  isOfSeveral: boolean
}

export class QuestionFailures {
  readonly #clock: Clock
  readonly #seen = new WeakMap<Carrier, Seen>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  noteAnswer(carrier: Carrier): void {
    this.#seen.set(carrier, { answeredAt: this.#clock.monotonic(), failedOf: null, isOfSeveral: false })
  }

  /** Notes that a question of the account failed. Returns whether the service failed. */
  isOfService(carrier: Carrier, accountId: AccountId): boolean {
    const seen = this.#seen.get(carrier) ?? { answeredAt: null, failedOf: null, isOfSeveral: false }
    this.#seen.set(carrier, seen)
    seen.failedOf ??= accountId
    seen.isOfSeveral ||= seen.failedOf !== accountId
    return seen.isOfSeveral || seen.answeredAt === null || this.#clock.monotonic() - seen.answeredAt > RECENT_MS
  }
}
