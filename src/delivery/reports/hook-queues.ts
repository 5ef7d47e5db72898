/** The hook queues, one per account and hook. */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { IdMap } from '../../domain/structures/id-map.ts'
import type { AccountHook, PendingReport } from '../../ports/records/pending-report.ts'
import { AgeList } from '../queues/age-list.ts'
import { HookQueue, type HookQueueSetup } from './hook-queue.ts'

/** Maximum of queues. Empty ones are kept for their state of failing hooks; above it the oldest are dropped. */
const MAX_QUEUES = 5_000

export class HookQueues {
  readonly #setup: HookQueueSetup
  readonly #ofAccount = new IdMap<AccountId, Map<string, HookQueue>>()
  /** The oldest first. */
  readonly #all = new AgeList<HookQueue>()

  constructor(setup: HookQueueSetup) {
    this.#setup = setup
  }

  find({ accountId, hook }: AccountHook): HookQueue | null {
    return this.#ofAccount.get(accountId)?.get(hook) ?? null
  }

  of(report: PendingReport): HookQueue {
    return this.open({ accountId: report.accountId, hook: hookOf(report.address) })
  }

  open({ accountId, hook }: AccountHook): HookQueue {
    let queues = this.#ofAccount.get(accountId)
    if (queues === undefined) {
      queues = new Map()
      this.#ofAccount.set(accountId, queues)
    }
    let queue = queues.get(hook)
    if (queue === undefined) {
      queue = new HookQueue(accountId, hook, this.#setup)
      queues.set(hook, queue)
      this.#all.add(queue)
    }
    return queue
  }

  /** Drops the queue if it has nothing to remember. */
  forget(queue: HookQueue): void {
    if (queue.isBlank) this.#drop(queue)
    if (this.#all.size <= MAX_QUEUES) return
    // A few per call, so as many go as come. Their parked reports are found by the next look at the store.
    for (const oldest of this.#all.first(4)) {
      if (oldest.isEmpty && !oldest.claiming) {
        this.#drop(oldest)
        oldest.cancelRest?.()
      } else {
        this.#all.remove(oldest)
        this.#all.add(oldest)
      }
    }
  }

  #drop(queue: HookQueue): void {
    this.#all.remove(queue)
    const queues = this.#ofAccount.get(queue.accountId)
    // Another one may have its place by now.
    if (queues?.get(queue.hook) === queue) queues.delete(queue.hook)
    if (queues?.size === 0) this.#ofAccount.delete(queue.accountId)
  }

  /** Ends all rests and returns the queues that rested. */
  endRests(): readonly HookQueue[] {
    return [...this.#all].filter((queue) => queue.endRest())
  }

  /** Ends all waits. */
  stop(): void {
    for (const queue of this.#all) queue.stop()
  }
}
