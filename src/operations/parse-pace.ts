/**
 * How fast the large bodies of an account are parsed. While one is parsed nothing else of the process runs, so an account
 * that sends more than this waits, and beyond a wait is refused: the requests of others come in between.
 */
import { tooManyBytes } from '../contract/error-texts.ts'
import { Refused } from '../contract/refused.ts'
import type { AccountId } from '../domain/account.ts'
import type { Clock } from '../ports/clock.ts'

const BYTES_PER_SECOND = 8 * 1024 * 1024
/** So much is parsed at once: two of the largest bodies. */
const BURST_MS = 2_000
const MAX_WAIT_MS = 5_000

export class ParsePace {
  readonly #clock: Clock
  /** When all that an account has sent is paid off at that pace, monotonic milliseconds. */
  readonly #paidAt = new Map<AccountId, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when so many bytes may be parsed. Throws a Refused when that is further ahead than a client waits. */
  async take(account: AccountId, bytes: number): Promise<void> {
    const now = this.#clock.monotonic()
    const paidAt = Math.max(now, this.#paidAt.get(account) ?? 0) + (bytes / BYTES_PER_SECOND) * 1_000
    const waitMs = Math.ceil(paidAt - now - BURST_MS)
    if (waitMs > MAX_WAIT_MS) throw new Refused(tooManyBytes(BYTES_PER_SECOND))
    this.#paidAt.set(account, paidAt)
    if (waitMs > 0) await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve))
  }
}
