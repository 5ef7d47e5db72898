/** Claims due items from the store: when the next one is due, and on every `wake`. */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

/** Items due within this time of each other are claimed together. */
const GATHER_MS = 20
const AFTER_FAILURE_MS = 1_000
/** The longest timer: the wall clock may be set while it runs. */
const MAX_WAIT_MS = 60_000

export interface Claimed {
  /** More items may be due already. */
  readonly more: boolean
  /** When the next item is due, milliseconds since 1970; null if none is known. */
  readonly nextDueAt: number | null
}

export class DueWatch {
  readonly #clock: Clock
  readonly #log: Log
  readonly #what: string
  readonly #claim: () => Promise<Claimed>
  #nextAt = Number.POSITIVE_INFINITY
  #timer: Cancel | null = null
  #claiming = false
  #again = false
  #stopped = false

  /** `what` names the items in the log; `claim` claims a bounded number of them. */
  constructor(tools: { readonly clock: Clock; readonly log: Log }, what: string, claim: () => Promise<Claimed>) {
    this.#clock = tools.clock
    this.#log = tools.log
    this.#what = what
    this.#claim = claim
  }

  /** No claim is under way. */
  get idle(): boolean {
    return !this.#claiming
  }

  /** Notes that something is due at this time, milliseconds since 1970. */
  expect(at: number): void {
    if (this.#stopped || at >= this.#nextAt) return
    this.#nextAt = at
    this.#wait()
  }

  /** Claims now. */
  wake(): void {
    if (this.#stopped) return
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#timer?.()
    this.#timer = null
    this.#again = true
    if (!this.#claiming) void this.#claimAll()
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.()
  }

  #wait(): void {
    this.#timer?.()
    const wait = Math.max(this.#nextAt - this.#clock.now(), GATHER_MS)
    this.#timer = this.#clock.after(Math.min(wait, MAX_WAIT_MS), () => {
      if (wait <= MAX_WAIT_MS) this.wake()
      else this.#wait()
    })
  }

  async #claimAll(): Promise<void> {
    this.#claiming = true
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        const { more, nextDueAt } = await this.#claim()
        if (more) this.#again = true
        else if (nextDueAt !== null) this.expect(nextDueAt)
      } catch (error) {
        this.#log.error({ error: error as Error }, `could not claim ${this.#what}; retrying`)
        this.expect(this.#clock.now() + AFTER_FAILURE_MS)
      }
    }
    this.#claiming = false
  }
}
