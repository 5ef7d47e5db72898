/** The hook queues, one per account and hook. */
import { hookOf } from '../domain/report-schedule.ts'
import type { AccountHook, PendingReport } from '../ports/pending-report.ts'
import { HookQueue, type HookQueueSetup } from './hook-queue.ts'

/** Maximum of queues. Empty ones are kept for their state of failing hooks; above it the oldest are dropped. */
const MAX_QUEUES = 5_000

export class HookQueues {
  readonly #setup: HookQueueSetup
  readonly #queues = new Map<string, HookQueue>()

  constructor(setup: HookQueueSetup) {
    this.#setup = setup
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
      queue = new HookQueue(accountId, hook, this.#setup)
      this.#queues.set(key, queue)
    }
    return queue
  }

  /** Drops the queue if it has nothing to remember. */
  forget(queue: HookQueue): void {
    if (queue.isBlank) this.#queues.delete(keyOf(queue.accountId, queue.hook))
    if (this.#queues.size <= MAX_QUEUES) return
    // A few per call, so as many go as come. Their parked reports are found by the next look at the store.
    for (const [key, oldest] of [...this.#queues.entries().take(4)]) {
      this.#queues.delete(key)
      if (oldest.isEmpty && !oldest.claiming) oldest.cancelRest?.()
      else this.#queues.set(key, oldest)
    }
  }

  /** Ends all rests and returns the queues that rested. */
  endRests(): readonly HookQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.endRest())
  }

  /** Ends all waits. */
  stop(): void {
    for (const queue of this.#queues.values()) queue.stop()
  }
}

function keyOf(accountId: number, hook: string): string {
  return `${accountId} ${hook}`
}
