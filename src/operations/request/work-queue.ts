/**
 * Divides the work of all requests into slices, so that one turn of the event loop never works for longer than a slice,
 * however many requests are under way. Accounts take turns by the time that their work takes, then the requests of an
 * account. Work begins at once while nothing waits and the slice of the turn is not used up.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { FairQueue } from '../../domain/structures/fair-queue.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Milliseconds of work in one turn of the event loop. */
const SLICE_MS = 5
/** Milliseconds of work for one account before the next one has its turn. */
const ACCOUNT_TURN_MS = 1
/** What a step counts as at least: a slice has at most 250 steps, the turn of an account 50. */
const MIN_STEP_MS = 0.02

/** Does one small piece of work; returns whether more is left. */
export type WorkStep = () => boolean

interface Job {
  readonly account: AccountId
  readonly step: WorkStep
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Milliseconds that its last steps took. */
  tookMs: number
}

export class WorkQueue {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #waiting = new FairQueue<Job>({
    tenantOf: ({ account }) => account,
    costOf: ({ tookMs }) => tookMs,
    turnOf: () => ACCOUNT_TURN_MS,
  })
  /** Milliseconds left of the slice. */
  #leftMs = SLICE_MS
  #scheduled = false

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Repeats the step until it returns false; returns a promise only if the work has to wait. Throws what it throws. */
  run(account: AccountId, step: WorkStep): Promise<void> | undefined {
    this.#schedule()
    if (this.#waiting.length === 0 && this.#leftMs > 0 && !this.#work(step, 0)) return undefined
    return new Promise((resolve, reject) => this.#waiting.push({ account, step, resolve, reject, tookMs: 0 }))
  }

  /** Does work of a single step; resolves with its result. */
  async once<T>(account: AccountId, work: () => T): Promise<T> {
    let result: T | undefined
    await this.run(account, () => {
      result = work()
      return false
    })
    return result as T
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#finishSlice)
  }

  /** Uses what is left of the slice of this turn of the event loop, then begins the next one. */
  readonly #finishSlice = (): void => {
    this.#scheduled = false
    while (this.#leftMs > 0 && this.#waiting.first !== undefined) this.#serve(this.#waiting.first)
    this.#leftMs = SLICE_MS
    if (this.#waiting.length > 0) this.#schedule()
  }

  #serve(job: Job): void {
    const before = this.#leftMs
    const until = Math.max(0, before - ACCOUNT_TURN_MS)
    let more = true
    try {
      more = this.#work(job.step, until)
      if (!more) job.resolve()
    } catch (error) {
      more = false
      job.reject(error)
    }
    job.tookMs = before - this.#leftMs
    this.#waiting.shift()
    if (more) this.#waiting.push(job)
  }

  /** Repeats the step until it returns false, or `untilMs` are left of the slice; returns whether more is left. */
  #work(step: WorkStep, untilMs: number): boolean {
    let more = true
    for (let startedAt = this.#clock.monotonic(); more && this.#leftMs > untilMs; ) {
      try {
        more = step()
      } finally {
        const now = this.#clock.monotonic()
        this.#leftMs -= Math.max(MIN_STEP_MS, now - startedAt)
        startedAt = now
      }
    }
    return more
  }
}
