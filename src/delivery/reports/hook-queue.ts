/**
 * The queue of one hook: the reports of one account that wait for it, in order, and the health of the hook, by which
 * it gets more or fewer calls at a time (call-width.ts). After five failures in a row the hook rests, from one second
 * up to a minute, and after each rest one report is sent as a probe. Until then a few reports wait here and the others
 * in the store; after the first success all of them are sent.
 */
import type { AccountSettings } from '../../domain/accounts/account.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { formOf } from '../../domain/reports/report-target.ts'
import { Fifo } from '../../domain/structures/fifo.ts'
import type { PendingReport } from '../../ports/records/pending-report.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import { CallWidth } from './call-width.ts'
import { originOf } from './hook-origin.ts'
import type { HookFailure } from './judge-answer.ts'
import { type BatchRule, type ReportBatch, ReportBatches } from './report-batches.ts'

/** Calls at a time. */
const WIDTH = { first: 8, max: 64 }
const FAILURES_BEFORE_REST = 5
const FIRST_REST_MS = 1_000
const MAX_REST_MS = 60_000
/** Reports of one hook that wait in memory, or two batches if that is more; fewer while it fails. */
const MAX_WAITING = 1_024
const MAX_WAITING_WHILE_FAILING = 16
/** Above this share of them, reports no longer wait for others to share their POST. */
const CROWDED = 0.75
/** Reports are claimed from the store while fewer wait here, or less than a batch. */
const FEW_WAITING = 64
/** Failed reports are retried early at most this often, and less often each time they fail again. */
const FIRST_FORWARD_MS = 1_000
const MAX_FORWARD_MS = 3_600_000

export interface HookQueueSetup {
  readonly clock: Clock
  readonly settingsOf: (accountId: AccountId) => Pick<AccountSettings, 'reportsPerPost' | 'reportWaitMs'>
  /** Whether memory is short, so that no report should wait for others. */
  readonly isScarce: () => boolean
  /** Whether this node can call the hook now. */
  readonly reaches: (hook: string) => boolean
  /** Called when reports that waited for others are to be posted. */
  readonly onReady: (queue: HookQueue) => void
}

export class HookQueue {
  readonly accountId: AccountId
  readonly hook: string
  /** Protocol, host and port: hooks there share its calls (call-slots.ts). */
  readonly origin: string
  /** The store may have reports parked for this hook. */
  parked = false
  /** Reports are being claimed from the store. */
  claiming = false
  /** Kept by the ring of its account (call-slots.ts). */
  isWaiting = false
  /** Kept by the list of all queues (age-list.ts). */
  older: HookQueue | null = null
  newer: HookQueue | null = null
  /** Cancels the current rest; null if there is none. */
  cancelRest: Cancel | null = null
  readonly #setup: HookQueueSetup
  readonly #clock: Clock
  /** Reports that are posted alone. */
  readonly #alone = new Fifo<PendingReport>()
  /** Reports that may share a POST; null before the first. */
  #batches: ReportBatches | null = null
  /** Its form has one report in each call. */
  readonly #goesAlone: boolean
  #active = 0
  readonly #width = new CallWidth(WIDTH)
  #failures = 0
  #restMs = 0
  #lastFailure = ''
  /** When the failures in a row began, milliseconds since 1970. */
  #failingSince: number | null = null
  /** Reports that failed since then may be retried early, because the hook has answered since. */
  #forwardSince: number | null = null
  /** Monotonic. */
  #forwardNotBefore = Number.NEGATIVE_INFINITY
  #forwardMs = FIRST_FORWARD_MS

  constructor(accountId: AccountId, hook: string, setup: HookQueueSetup) {
    this.#setup = setup
    this.#clock = setup.clock
    this.accountId = accountId
    this.hook = hook
    this.origin = originOf(hook)
    this.#goesAlone = formOf(hook) !== null
  }

  get length(): number {
    return this.#alone.length + (this.#batches?.length ?? 0)
  }

  get active(): number {
    return this.#active
  }

  /** Why its reports wait in the store. */
  get whyParked(): string {
    if (!this.isReachable) return 'no connection of the login'
    return this.#lastFailure === '' ? 'the hook is too slow' : this.#lastFailure
  }

  get canStart(): boolean {
    if (this.cancelRest !== null || !this.isReachable || (this.#alone.length === 0 && this.#batches?.isReady !== true))
      return false
    return this.#active < (this.#isFailing ? 1 : this.#width.calls)
  }

  get isReachable(): boolean {
    return this.#setup.reaches(this.hook)
  }

  /** How many more reports may join. */
  get room(): number {
    if (!this.isReachable) return 0
    return Math.max(0, (this.#isFailing ? MAX_WAITING_WHILE_FAILING : this.#maxWaiting) - this.length)
  }

  /** Empty, with nothing to remember about the hook. */
  get isBlank(): boolean {
    return this.isEmpty && this.#failures === 0 && !this.parked && !this.claiming && this.#forwardSince === null
  }

  get isEmpty(): boolean {
    return this.#active === 0 && this.length === 0
  }

  push(report: PendingReport): void {
    if (this.#reportsPerPost === 1 || this.#goesAlone) {
      this.#alone.push(report)
      return
    }
    this.#batches ??= new ReportBatches(this.#clock, () => this.#setup.onReady(this))
    this.#batches.push(report, this.#batchRule)
    if (this.length > this.#maxWaiting * CROWDED) this.#batches.hurry()
  }

  /** Removes the first report, or batch, for a call. End each call with `succeeded`, `failed` or `ended`. */
  startNext(): ReportBatch {
    const alone = this.#alone.shift()
    const batch = alone !== undefined ? ([alone] as const) : this.#batches?.take(this.#batchRule)
    if (batch === undefined) throw new RangeError('the queue is empty')
    this.#active += 1
    return batch
  }

  /** Removes and returns the last reports, beyond the room of a failing hook; all of one that cannot be called. */
  removeSurplus(): readonly PendingReport[] {
    const kept = this.isReachable ? MAX_WAITING_WHILE_FAILING : 0
    let left = kept
    const surplus = this.#alone.remove(() => --left < 0)
    const batched = this.#batches?.keep(kept - this.#alone.length) ?? []
    return [...surplus, ...batched]
  }

  /** `tookMs`: the call. Returns true if the hook was failing until now. */
  succeeded(report: PendingReport, tookMs: number): boolean {
    this.#active -= 1
    this.#width.succeeded(tookMs)
    if (report.tries > 0) this.#forwardMs = FIRST_FORWARD_MS
    if (this.#failures === 0) return false
    const hasRested = this.#isFailing
    this.#failures = 0
    this.#restMs = 0
    this.endRest()
    this.#forwardSince = Math.min(this.#forwardSince ?? Number.POSITIVE_INFINITY, this.#failingSince ?? 0)
    this.#failingSince = null
    return hasRested
  }

  /** Returns how long the hook must rest, milliseconds; null if it need not, or rests already. */
  failed(report: PendingReport, failure: HookFailure): number | null {
    const now = this.#clock.now()
    this.#active -= 1
    // The hook takes other reports: the fault is in this one.
    if (report.tries > 0 && !this.#isFailing) this.#forwardLater()
    this.#failures += 1
    this.#failingSince ??= now
    this.#lastFailure = failure.detail
    this.#width.failed()
    if (!this.#isFailing || this.cancelRest !== null) return null
    this.#restMs = this.#restMs === 0 ? FIRST_REST_MS : Math.min(MAX_REST_MS, this.#restMs * 2)
    return Math.max(this.#restMs, failure.notBefore - now)
  }

  /** Ends the current rest. Returns false if there was none. */
  endRest(): boolean {
    if (this.cancelRest === null) return false
    this.cancelRest()
    this.cancelRest = null
    return true
  }

  /** Ends a call that says nothing about the health of the hook. */
  ended(): void {
    this.#active -= 1
  }

  /** Whether this is the first rest since the last success. */
  get hasJustFailed(): boolean {
    return this.#restMs === FIRST_REST_MS
  }

  /** Waits for nothing any more. */
  stop(): void {
    this.endRest()
    this.#batches?.stop()
  }

  /** How many reports to claim from the store now; 0 while enough are here or the hook rests. */
  get wanted(): number {
    if (this.claiming || this.cancelRest !== null || !this.isReachable || (!this.parked && this.forwardSince === null))
      return 0
    const few = this.#isFailing ? 1 : Math.max(FEW_WAITING, this.#reportsPerPost)
    return this.length < few ? this.room : 0
  }

  /** Reports that failed at this time or later may be retried early; null for none. */
  get forwardSince(): number | null {
    return this.#failures === 0 && this.#clock.monotonic() >= this.#forwardNotBefore ? this.#forwardSince : null
  }

  /** All reports to retry early have been claimed. */
  forwarded(): void {
    this.#forwardSince = null
    this.#forwardNotBefore = Math.max(this.#forwardNotBefore, this.#clock.monotonic() + FIRST_FORWARD_MS)
  }

  /** Reports failed before this process started: they are retried early once the hook answers. */
  suspect(): void {
    this.#failures = Math.max(1, this.#failures)
    this.#failingSince = 0
  }

  get #reportsPerPost(): number {
    return this.#setup.settingsOf(this.accountId).reportsPerPost
  }

  get #batchRule(): BatchRule {
    const { reportsPerPost, reportWaitMs } = this.#setup.settingsOf(this.accountId)
    return { reports: reportsPerPost, waitMs: this.#setup.isScarce() ? 0 : reportWaitMs }
  }

  get #maxWaiting(): number {
    return Math.max(MAX_WAITING, 2 * this.#reportsPerPost)
  }

  get #isFailing(): boolean {
    return this.#failures >= FAILURES_BEFORE_REST
  }

  #forwardLater(): void {
    const now = this.#clock.monotonic()
    if (now < this.#forwardNotBefore) return
    this.#forwardMs = Math.min(MAX_FORWARD_MS, this.#forwardMs * 4)
    this.#forwardNotBefore = now + this.#forwardMs
  }
}
