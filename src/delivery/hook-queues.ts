/** All queues, one for each account and hook. */
import { hookOf } from '../domain/report-schedule.ts'
import type { Clock } from '../ports/clock.ts'
import type { AccountHook, PendingReport } from '../ports/pending-report.ts'
import { HookQueue } from './hook-queue.ts'

/** Empty queues are kept up to here, for what they remember of failing hooks; then the oldest are forgotten. */
const MAX_QUEUES = 5_000

export class HookQueues {
  readonly #clock: Clock
  readonly #queues = new Map<string, HookQueue>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find({ accountId, hook }: AccountHook): HookQueue | null {
    return this.#queues.get(keyOf(accountId, hook)) ?? null
  }

  of(report: PendingReport): HookQueue {
    return this.open({ accountId: report.accountId, hook: hookOf(report.address) })
  }

  open({ accountId, hook }: AccountHook): HookQueue {
    const key = keyOf(accountId, hook)
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new HookQueue(accountId, hook, this.#clock)
      this.#queues.set(key, queue)
    }
    return queue
  }

  /** Forgets the queue when nothing of it is left to remember. */
  forget(queue: HookQueue): void {
    if (queue.isBlank) this.#queues.delete(keyOf(queue.accountId, queue.hook))
    if (this.#queues.size <= MAX_QUEUES) return
    // A few each time: as many go as come. What waits for them in the store is found again by the next look.
    for (const [key, oldest] of [...this.#queues.entries().take(4)]) {
      this.#queues.delete(key)
      if (oldest.isEmpty && !oldest.claiming) oldest.cancelRest?.()
      else this.#queues.set(key, oldest)
    }
  }

  /** Ends all rests; the queues that rested. */
  endRests(): readonly HookQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.endRest())
  }
}

function keyOf(accountId: number, hook: string): string {
  return `${accountId} ${hook}`
}
