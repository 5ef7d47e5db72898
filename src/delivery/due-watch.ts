/**
 * A watch over what waits in the store for its time: knows when the next of it is due and has it claimed then, at once
 * after the start, and whenever somebody says that there may be something.
 */
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** What is due within this time of each other is claimed together. */
const GATHER_MS = 20
const AFTER_FAILURE_MS = 1_000
/** The machine's clock may be set while a timer waits, so no timer waits for longer without looking at it. */
const MAX_WAIT_MS = 60_000

export interface Claimed {
  /** There may be more that is due already. */
  readonly more: boolean
  /** Milliseconds: when the next is due; null when nothing is known to wait. */
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

  /** `what` names what is due in the log; `claim` takes a bounded number of it in hand. */
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

  /** Something is or will be due at this time, milliseconds. */
  expect(at: number): void {
    if (this.#stopped || at >= this.#nextAt) return
    this.#nextAt = at
    this.#wait()
  }

  /** Something may be due now. */
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
        this.#log.error({ error: error as Error }, `${this.#what} cannot be claimed; trying again`)
        this.expect(this.#clock.now() + AFTER_FAILURE_MS)
      }
    }
    this.#claiming = false
  }
}
