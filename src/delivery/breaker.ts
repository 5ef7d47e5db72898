/**
 * The breaker of one carrier: after five failures in a row it opens, and nothing is tried for a while; then it lets one
 * probe through. The first answer of the carrier closes it; a probe that fails opens it for twice as long.
 */
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

const FAILURES_TO_OPEN = 5
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000

export interface BreakerTools {
  readonly clock: Clock
  readonly random: Random
  /** The carrier may be tried again, or no longer. */
  readonly onChange: () => void
}

export class Breaker {
  readonly #tools: BreakerTools
  #state: BreakerState = 'closed'
  #failures = 0
  #waits = 0
  #probing = false
  #wakeUp: Cancel | null = null

  constructor(tools: BreakerTools) {
    this.#tools = tools
  }

  get state(): BreakerState {
    return this.#state
  }

  /** Whether an attempt may begin now: while it is closed, or as the probe. */
  get mayTry(): boolean {
    return this.#state === 'closed' || (this.#state === 'half-open' && !this.#probing)
  }

  /** An attempt begins. While the breaker is half-open it is the probe. */
  begin(): void {
    this.#probing = this.#state === 'half-open'
  }

  /** The carrier answered, whatever it said. */
  succeed(): void {
    this.#failures = 0
    this.#waits = 0
    this.#probing = false
    this.#enter('closed')
  }

  /** The carrier could not be reached, or nobody knows what it did. What began before the breaker opened says nothing new. */
  fail(): void {
    if (this.#state === 'open') return
    this.#failures += 1
    if (this.#state === 'closed' && this.#failures < FAILURES_TO_OPEN) return
    this.#probing = false
    this.#enter('open')
    const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#waits, 20))
    this.#waits += 1
    const wait = full - this.#tools.random.below(full / 5)
    this.#wakeUp = this.#tools.clock.after(wait, () => this.#enter('half-open'))
  }

  /** For a carrier that is gone: rings no more. */
  close(): void {
    this.#wakeUp?.()
  }

  #enter(state: BreakerState): void {
    if (state === this.#state) return
    this.#wakeUp?.()
    this.#wakeUp = null
    this.#state = state
    this.#tools.onChange()
  }
}
