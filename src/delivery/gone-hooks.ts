/**
 * The stopped hooks: those that answered 410, in memory and bounded as in the store. Answers to this process take
 * effect at once, changes by other nodes and operators after the next refresh from the store.
 */
import type { AccountId } from '../domain/account.ts'
import { hookOf } from '../domain/report-schedule.ts'
import { HOOK_STOP_LASTS_MS, type HookStop, MAX_STOPPED_HOOKS, type StoppedHook } from '../domain/stopped-hook.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReportStore } from '../ports/report-store.ts'

/** Clocks of several nodes differ by less. */
const OVERLAP_MS = 300_000

export class GoneHooks {
  readonly #clock: Clock
  /** When each hook was stopped, the oldest first. */
  readonly #ofAccount = new Map<AccountId, Map<string, number>>()
  #refreshedAt: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  has({ accountId, address }: StoppedHook): boolean {
    const at = this.#ofAccount.get(accountId)?.get(hookOf(address))
    return at !== undefined && this.#clock.now() - at < HOOK_STOP_LASTS_MS
  }

  add({ accountId, address }: StoppedHook): void {
    this.#change({ accountId, address: hookOf(address), stopped: true, changedAt: this.#clock.now() })
  }

  /** Reads the changes since the last call. */
  async refresh(store: Pick<ReportStore, 'stoppedHooks'>): Promise<void> {
    const now = this.#clock.now()
    const since = this.#refreshedAt === null ? now - HOOK_STOP_LASTS_MS : this.#refreshedAt - OVERLAP_MS
    const changes = await store.stoppedHooks({ accountId: null, since })
    for (const change of changes.toReversed()) this.#change(change)
    this.#refreshedAt = now
  }

  #change({ accountId, address, stopped, changedAt }: HookStop): void {
    const hooks = this.#ofAccount.get(accountId) ?? new Map<string, number>()
    this.#ofAccount.set(accountId, hooks)
    hooks.delete(address)
    if (stopped) hooks.set(address, changedAt)
    const [oldest] = hooks.keys()
    if (hooks.size > MAX_STOPPED_HOOKS && oldest !== undefined) hooks.delete(oldest)
    if (hooks.size === 0) this.#ofAccount.delete(accountId)
  }
}
