/**
 * Limits how fast large bodies of an account are parsed, because parsing blocks the process. Accounts that exceed the
 * rate wait, and after a maximum wait are refused, so that requests of others get through.
 */
import { tooManyBytes } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Smaller bodies are not counted. */
const MIN_BYTES = 64 * 1024
const BYTES_PER_SECOND = 8 * 1024 * 1024
/** Parsing time allowed in a burst: two of the largest bodies. */
const BURST_MS = 2_000
const MAX_WAIT_MS = 5_000

export class ParsePace {
  readonly #clock: Clock
  /** When the account's bytes are paid off at this rate, monotonic milliseconds. */
  readonly #paidAt = new Map<AccountId, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when this many bytes may be parsed. Throws Refused if the wait would be too long. */
  async take(account: AccountId, bytes: number): Promise<void> {
    if (bytes <= MIN_BYTES) return
    const now = this.#clock.monotonic()
    const paidAt = Math.max(now, this.#paidAt.get(account) ?? 0) + (bytes / BYTES_PER_SECOND) * 1_000
    const waitMs = Math.ceil(paidAt - now - BURST_MS)
    if (waitMs > MAX_WAIT_MS) throw new Refused(tooManyBytes(BYTES_PER_SECOND))
    this.#paidAt.set(account, paidAt)
    if (waitMs > 0) await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve))
  }
}
