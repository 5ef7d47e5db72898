/**
 * How often somebody may try to log in. After a few failures a name has to wait, longer each time; codes are good for one
 * login. Bounded: with too many names under attack, all wait.
 */

interface Failures {
  count: number
  /** Milliseconds: not before. */
  until: number
}

const FREE_FAILURES = 5
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000
const MOST_NAMES = 10_000

export class LoginAttempts {
  readonly #failures = new Map<string, Failures>()
  readonly #usedSteps = new Map<string, number>()

  /** Milliseconds until the next attempt; 0 when one may be made. */
  waitOf(name: string, now: number): number {
    const failures = this.#failures.get(name)
    if (failures === undefined) return this.#failures.size < MOST_NAMES ? 0 : FIRST_WAIT_MS
    return Math.max(0, failures.until - now)
  }

  /** Counted before the password is checked, so that attempts made at one time count too. */
  begin(name: string, now: number): void {
    const { count } = this.#failures.get(name) ?? { count: 0 }
    const over = count + 1 - FREE_FAILURES
    const wait = over < 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** over)
    this.#failures.set(name, { count: count + 1, until: now + wait })
    if (this.#failures.size >= MOST_NAMES) this.#forgetOld(now)
  }

  succeeded(name: string): void {
    this.#failures.delete(name)
  }

  /** Whether the code of this time step was not used before; it is from now on. */
  takeCode(name: string, step: number): boolean {
    if ((this.#usedSteps.get(name) ?? -1) >= step) return false
    this.#usedSteps.set(name, step)
    return true
  }

  #forgetOld(now: number): void {
    for (const [name, { until }] of this.#failures) if (until + LONGEST_WAIT_MS < now) this.#failures.delete(name)
  }
}
