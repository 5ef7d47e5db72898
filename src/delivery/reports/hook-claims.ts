/** Claims the reports that wait in the store for a hook, when it can take them and there is room for them in memory. */
import type { PendingReport } from '../../ports/records/pending-report.ts'
import type { ReportStore } from '../../ports/stores/report-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { HeldReports } from './held-reports.ts'
import type { HookQueue } from './hook-queue.ts'

/** Time until a claim that failed is retried. */
const CLAIM_AGAIN_MS = 1_000

export interface HookClaimTools {
  readonly store: ReportStore
  readonly clock: Clock
  readonly log: Log
  readonly held: HeldReports
  /** Takes what was claimed. */
  readonly onClaimed: (reports: readonly PendingReport[], queue: HookQueue) => void
}

export class HookClaims {
  readonly #tools: HookClaimTools
  #claims = 0
  /** Queues that found no room in memory for their parked reports. */
  readonly #starved = new Set<HookQueue>()
  #stopped = false

  constructor(tools: HookClaimTools) {
    this.#tools = tools
  }

  get idle(): boolean {
    return this.#claims === 0
  }

  stop(): void {
    this.#stopped = true
  }

  /** Claims reports of this hook, if it can take them and there is room. */
  claim(queue: HookQueue): void {
    if (this.#stopped) return
    const { wanted } = queue
    const limit = Math.min(wanted, this.#tools.held.roomFor(queue.accountId))
    if (wanted > 0 && limit === 0) this.#starved.add(queue)
    if (limit === 0) return
    const failedSince = queue.forwardSince
    queue.claiming = true
    this.#claims += 1
    void this.#claim(queue, failedSince, limit).finally(() => {
      this.#claims -= 1
    })
  }

  /** Claims again for queues that found no room, after room for so many reports became free. */
  freed(count: number): void {
    if (this.#starved.size === 0) return
    for (const queue of [...this.#starved.values().take(count)]) {
      this.#starved.delete(queue)
      this.claim(queue)
    }
  }

  async #claim(queue: HookQueue, failedSince: number | null, limit: number): Promise<void> {
    const { store, clock, log, onClaimed } = this.#tools
    const { accountId, hook } = queue
    try {
      const reports = await store.claimReportsOf({ accountId, hook, failedSince, limit })
      queue.claiming = false
      if (reports.length < limit) {
        queue.parked = false
        if (failedSince !== null) queue.forwarded()
      }
      onClaimed(reports, queue)
    } catch (error) {
      log.error({ error: error as Error }, 'could not claim the reports of a hook; retrying')
      clock.after(CLAIM_AGAIN_MS, () => {
        queue.claiming = false
        this.claim(queue)
      })
    }
  }
}
