/**
 * The stopped hooks: those that answered 410, in memory and bounded as in the store. Answers to this process take
 * effect at once, changes by other nodes and operators after the next refresh from the store.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { isTestReport } from '../../domain/reports/report.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { HOOK_STOP_LASTS_MS, type HookStop, MAX_STOPPED_HOOKS } from '../../domain/reports/stopped-hook.ts'
import type { ReportStore } from '../../ports/stores/report-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { ReportBatch } from './report-batches.ts'

/** Clocks of several nodes differ by less. */
const OVERLAP_MS = 300_000

interface Stop {
  readonly at: number
  /** Only reports of test messages stop. */
  readonly test: boolean
}

export class GoneHooks {
  readonly #clock: Clock
  /** The oldest first. */
  readonly #ofAccount = new Map<AccountId, Map<string, Stop>>()
  #refreshedAt: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether these reports to one address may not be posted. */
  has(batch: ReportBatch): boolean {
    const [{ accountId, address }] = batch
    const stop = this.#ofAccount.get(accountId)?.get(hookOf(address))
    if (stop === undefined || this.#clock.now() - stop.at >= HOOK_STOP_LASTS_MS) return false
    return !stop.test || batch.every(isTestReport)
  }

  /** Adds the hook that answered 410 to these reports. */
  add(batch: ReportBatch): void {
    const [{ accountId, address }] = batch
    const test = batch.every(isTestReport)
    this.#change({ accountId, address: hookOf(address), stopped: true, test, changedAt: this.#clock.now() })
  }

  /** Reads the changes since the last call. */
  async refresh(store: Pick<ReportStore, 'stoppedHooks'>): Promise<void> {
    const now = this.#clock.now()
    const since = this.#refreshedAt === null ? now - HOOK_STOP_LASTS_MS : this.#refreshedAt - OVERLAP_MS
    const changes = await store.stoppedHooks({ accountId: null, since })
    for (const change of changes.toReversed()) this.#change(change)
    this.#refreshedAt = now
  }

  #change({ accountId, address, stopped, test, changedAt }: HookStop): void {
    const hooks = this.#ofAccount.get(accountId) ?? new Map<string, Stop>()
    this.#ofAccount.set(accountId, hooks)
    hooks.delete(address)
    if (stopped) hooks.set(address, { at: changedAt, test })
    const [oldest] = hooks.keys()
    if (hooks.size > MAX_STOPPED_HOOKS && oldest !== undefined) hooks.delete(oldest)
    if (hooks.size === 0) this.#ofAccount.delete(accountId)
  }
}
