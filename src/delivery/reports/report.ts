/**
 * Posts signed reports to clients' hooks, in order within each message, and retries them until they are delivered or
 * given up. A slow or dead hook delays no other hook or account: every hook has its own queue, calls and memory are
 * shared fairly, and reports that a hook cannot take are parked in the store.
 *
 * A report is sent at least once: one that was posted but not settled in the store when the process died is sent again
 * with the same `webhook-id`.
 */
import { DEFAULT_ACCOUNT_SETTINGS } from '../../domain/accounts/account.ts'
import type { AccountHooks } from '../../domain/reports/client-hook.ts'
import { CountedHooks } from '../../domain/reports/counted-hooks.ts'
import { isFeed } from '../../domain/reports/event-feed.ts'
import type { Report } from '../../domain/reports/report.ts'
import { hookOf } from '../../domain/reports/report-schedule.ts'
import { formOf } from '../../domain/reports/report-target.ts'
import type { HookAnswer, HookCall } from '../../ports/hooks/hook-post.ts'
import type { HookReply } from '../../ports/hooks/hook-reply.ts'
import type { AccountHook, PendingReport, ReportResult } from '../../ports/records/pending-report.ts'
import type { ReportPlace } from '../../ports/stores/delivery-store.ts'
import { BatchWriter } from '../queues/batch-writer.ts'
import { type Claimed, DueWatch } from '../queues/due-watch.ts'
import type { ReportTaker } from '../turns/transitions.ts'
import { type EndedCall, HookSlots } from './call-slots.ts'
import { GoneHooks } from './gone-hooks.ts'
import { HeldReports } from './held-reports.ts'
import { HookClaims } from './hook-claims.ts'
import { originOf } from './hook-origin.ts'
import type { HookQueue } from './hook-queue.ts'
import { HookQueues } from './hook-queues.ts'
import {
  failureIn,
  giveUp,
  type HookFailure,
  hasReply,
  type Judgement,
  judgedFor,
  judgeFailure,
  judgeFinal,
  judgeUnasked,
  obstacleTo,
  park,
} from './judge-answer.ts'
import type { ReportBatch } from './report-batches.ts'
import type { ReporterTools } from './reporter-tools.ts'
import { ShortWaits } from './short-waits.ts'
import { writeCall } from './write-call.ts'

/** Reports that wait longer than this do so in the store. */
const SHORT_WAIT_MS = 10_000
const MAX_SETTLED = 1_000
const MAX_CLAIMED = 500
/** Time until a claim that found no room is retried. */
const CLAIM_AGAIN_MS = 1_000
/** Longest time between two claims: another process may have made reports due, or died with them. */
const LOOK_AGAIN_MS = 60_000
const STOP_WITHIN_MS = 5_000
/** Nothing is posted without the secret that signs it. */
const HOOK_NOT_KNOWN: HookAnswer = { kind: 'failed', reason: 'not sent: the hook is too new' }
/** The report is sent again, and the reply is accepted once. */
const REPLY_FAILED: HookAnswer = { kind: 'failed', reason: 'the reply in the answer could not be stored' }
const FORBIDDEN = 'a report was given up: hooks must not have this address'

interface Settling {
  readonly report: PendingReport
  readonly result: ReportResult
}

export class Reporter implements ReportTaker {
  /** Accepts the reply that a program answers an inbound message with; null until it is set. */
  onReply: ((reply: HookReply) => Promise<void>) | null = null
  readonly #tools: ReporterTools
  readonly #queues: HookQueues
  readonly #slots = new HookSlots()
  readonly #held = new HeldReports()
  readonly #counted = new CountedHooks()
  readonly #settler: BatchWriter<Settling>
  readonly #due: DueWatch
  readonly #shortWaits: ShortWaits
  readonly #gone: GoneHooks
  /** When to read the hooks with waiting reports again, monotonic; null before the first time. */
  #lookAt: number | null = null
  readonly #claims: HookClaims
  #startsSoon = false
  #stopping = false
  #whenDrained: (() => void) | null = null

  constructor(tools: ReporterTools) {
    this.#tools = tools
    this.#queues = new HookQueues({
      clock: tools.clock,
      settingsOf: (accountId) => tools.directory().account(accountId)?.settings ?? DEFAULT_ACCOUNT_SETTINGS,
      isScarce: () => this.#held.isScarce,
      reaches: (hook) => this.#reaches(hook),
      onReady: (queue) => {
        this.#slots.offer(queue)
        this.#startAll()
      },
    })
    this.#claims = new HookClaims({
      ...tools,
      held: this.#held,
      onClaimed: (reports, queue) => {
        this.take(reports)
        this.#queues.forget(queue)
      },
    })
    this.#gone = new GoneHooks(tools.clock)
    this.#settler = new BatchWriter(tools, 'results of reports', MAX_SETTLED, (batch) => this.#settleBatch(batch))
    this.#due = new DueWatch(tools, 'due reports', () => this.#claimDue())
    this.#shortWaits = new ShortWaits(tools.clock, (reports) => this.#enqueue(reports))
  }

  /** True if no call, claim or write is in progress; reports may still wait for their time or hook. */
  get idle(): boolean {
    const isSending = this.#slots.active > 0 || this.#startsSoon
    return !isSending && this.#claims.idle && this.#settler.idle && this.#due.idle
  }

  get facts(): { readonly held: number; readonly inFlight: number } {
    return { held: this.#held.count, inFlight: this.#slots.active }
  }

  /** Decides where the new reports of one message to one hook go. */
  placeFor(reports: readonly Report[]): ReportPlace {
    const [first] = reports
    if (this.#stopping || first === undefined) return 'due'
    const hook = hookOf(first.address)
    if (!this.#reaches(hook)) return 'parked'
    const queue = this.#queues.find({ accountId: first.accountId, hook })
    // Reports that are in the store already go first.
    if (queue !== null && (queue.parked || queue.room < reports.length)) return 'parked'
    return this.#held.roomFor(first.accountId) < reports.length ? 'parked' : 'held'
  }

  /** Takes reports that this node holds, each the first unsettled one of its message. */
  take(reports: readonly PendingReport[]): void {
    for (const { accountId } of reports) this.#held.add(accountId)
    this.#enqueue(reports)
  }

  /** Notes that these reports wait in the store for their hooks. */
  noteParked(reports: readonly Report[]): void {
    for (const { accountId, address } of reports) {
      this.expect({ accountId, hook: hookOf(address) })
    }
  }

  /** The hook can be called from this node from now on. */
  opened(hook: AccountHook): void {
    const queue = this.#queues.open(hook)
    queue.parked = true
    queue.endRest()
    this.#resume(queue)
  }

  /** Other nodes may have left reports for the hook in the store. */
  expect(hook: AccountHook): void {
    const queue = this.#queues.open(hook)
    queue.parked = true
    this.#claims.claim(queue)
  }

  /** The hook can no longer be called from this node: its reports wait in the store. */
  closed(hook: AccountHook): void {
    const queue = this.#queues.find(hook)
    if (queue === null) return
    for (const report of queue.removeSurplus()) this.#park(queue, report)
  }

  /** Checks the store for due reports. */
  wake(): void {
    this.#due.wake()
  }

  /** Follows a change by an operator: ends all rests and checks the store now. */
  refresh(): void {
    for (const queue of this.#queues.endRests()) this.#resume(queue)
    if (this.#lookAt !== null) this.#lookAt = Number.NEGATIVE_INFINITY
    this.#due.wake()
  }

  /** Reads which hooks were stopped or resumed since. */
  refreshStops(): Promise<void> {
    return this.#gone.refresh(this.#tools.store)
  }

  /** Starts nothing more and waits, for a bounded time, until current calls are settled. Other reports stay held. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#due.stop()
    this.#shortWaits.stop()
    this.#claims.stop()
    this.#queues.stop()
    await new Promise<void>((resolve) => {
      const cancel = this.#tools.clock.after(STOP_WITHIN_MS, resolve)
      void this.#drain().then(() => {
        cancel()
        resolve()
      })
    })
  }

  async #drain(): Promise<void> {
    if (this.#slots.active > 0) await new Promise<void>((resolve) => (this.#whenDrained = resolve))
    await this.#settler.close()
  }

  #enqueue(reports: readonly PendingReport[]): void {
    if (this.#stopping) return
    for (const report of reports) {
      const queue = this.#queues.of(report)
      if (queue.room === 0) {
        this.#park(queue, report)
      } else {
        queue.push(report)
        this.#slots.offer(queue)
      }
    }
    this.#startAll()
  }

  #startAll(): void {
    if (this.#stopping) return
    for (;;) {
      const queue = this.#slots.next()
      if (queue === null) return
      const batch = queue.startNext()
      this.#slots.offer(queue)
      this.#send(batch, queue)
      this.#claims.claim(queue)
    }
  }

  #send(batch: ReportBatch, queue: HookQueue): void {
    const hooks = this.#tools.hooksOf(batch[0].accountId)
    const obstacle = obstacleTo(batch, { gone: this.#gone, hooks })
    if (obstacle !== null) {
      this.#endWithoutCall(batch, queue, giveUp(obstacle, this.#tools.clock.now()))
      return
    }
    const unasked = judgeUnasked(batch, this.#tools.clock.now())
    if (unasked !== null) {
      this.#endWithoutCall(batch, queue, unasked)
      return
    }
    const { clock } = this.#tools
    const call = this.#callFor(batch, hooks)
    const startedAt = clock.monotonic()
    const answered = call === null ? Promise.resolve(HOOK_NOT_KNOWN) : this.#post(call, batch)
    void answered.then((answer) => {
      const tookMs = clock.monotonic() - startedAt
      this.#answered(batch, queue, answer, tookMs)
      this.#ended(queue, { isAnswered: answer.kind === 'answered', tookMs })
      this.#startSoon()
    })
  }

  #post(call: HookCall, batch: ReportBatch): Promise<HookAnswer> {
    const answered = this.#tools.hookPost.post(call)
    return formOf(call.address) === 'kannel' ? answered.then((answer) => this.#passReply(answer, batch)) : answered
  }

  /** Passes the text of an answer on as the reply to an inbound message, before its report is settled. */
  async #passReply(answer: HookAnswer, [{ accountId, messageId }]: ReportBatch): Promise<HookAnswer> {
    if (!hasReply(answer)) return answer
    if (this.onReply === null) return REPLY_FAILED
    try {
      await this.onReply({ accountId, inboundId: messageId, text: answer.text })
      return answer
    } catch {
      return REPLY_FAILED
    }
  }

  #endWithoutCall(batch: ReportBatch, queue: HookQueue, judgement: Judgement): void {
    queue.ended()
    this.#settleAll(batch, judgement)
    this.#ended(queue, null)
  }

  /** Returns null for a hook that another node knows already. */
  #callFor(batch: ReportBatch, hooks: AccountHooks): HookCall | null {
    const { clock, directory, random } = this.#tools
    return writeCall(batch, { account: directory().account(batch[0].accountId), hooks, at: clock.now(), random })
  }

  /** Runs once for all answers of one round of the event loop, when their connections are free again. */
  #startSoon(): void {
    if (this.#startsSoon) return
    this.#startsSoon = true
    setImmediate(() => {
      this.#startsSoon = false
      this.#startAll()
    })
  }

  #answered(batch: ReportBatch, queue: HookQueue, answer: HookAnswer, tookMs: number): void {
    const [first] = batch
    const now = this.#tools.clock.now()
    const failure = failureIn(batch, answer, now)
    if (failure !== null) {
      const restMs = queue.failed(first, failure)
      // The same for all, so that they may share a POST again.
      const jitter = this.#tools.random.below(1_000) / 1_000
      for (const report of batch) this.#settle(report, { ...judgeFailure(report, failure, now, jitter), tookMs })
      if (restMs !== null && !this.#stopping) this.#rest(queue, failure, restMs)
    } else if (answer.kind !== 'failed') {
      const judgement = judgeFinal(answer, now)
      if (judgement.kind !== 'sent') queue.ended()
      else if (queue.succeeded(first, tookMs)) this.#log('info', queue, 'a hook answers again')
      if (answer.kind === 'forbidden') this.#log('warn', queue, FORBIDDEN, { reason: answer.reason })
      if (judgement.kind === 'gone') this.#gone.add(batch)
      this.#settleAll(batch, answer.kind === 'forbidden' ? judgement : { ...judgement, tookMs })
    }
  }

  #rest(queue: HookQueue, { detail }: HookFailure, restMs: number): void {
    queue.cancelRest = this.#tools.clock.after(restMs, () => {
      queue.cancelRest = null
      this.#resume(queue)
    })
    if (queue.hasJustFailed) this.#log('warn', queue, 'a hook keeps failing; its reports wait', { reason: detail })
    for (const report of queue.removeSurplus()) this.#park(queue, report)
  }

  /** Continues after a rest. */
  #resume(queue: HookQueue): void {
    this.#slots.offer(queue)
    this.#claims.claim(queue)
    this.#startAll()
  }

  #ended(queue: HookQueue, call: EndedCall | null): void {
    this.#slots.done(queue, call)
    this.#claims.claim(queue)
    this.#queues.forget(queue)
    if (this.#slots.active === 0) this.#whenDrained?.()
  }

  async #claimDue(): Promise<Claimed> {
    const { clock, store } = this.#tools
    if (this.#stopping) return { more: false, nextDueAt: null }
    await this.#findHooks()
    const limit = Math.min(MAX_CLAIMED, this.#held.free)
    if (limit === 0) return { more: false, nextDueAt: clock.now() + CLAIM_AGAIN_MS }
    const { reports, nextDueAt } = await store.claimReports({ now: clock.now(), limit })
    this.take(reports)
    const lookAgainAt = clock.now() + LOOK_AGAIN_MS
    return { more: reports.length === limit, nextDueAt: Math.min(nextDueAt ?? lookAgainAt, lookAgainAt) }
  }

  /** Finds the hooks with reports in the store that another process left there or an operator resumed. */
  async #findHooks(): Promise<void> {
    const now = this.#tools.clock.monotonic()
    if (this.#lookAt !== null && now < this.#lookAt) return
    await this.#gone.refresh(this.#tools.store)
    const hooks = await this.#tools.store.waitingHooks()
    const isFirst = this.#lookAt === null
    this.#lookAt = now + LOOK_AGAIN_MS
    for (const hook of hooks) {
      if ((!hook.parked && !isFirst) || isFeed(hook.hook)) continue
      const queue = this.#queues.open(hook)
      if (isFirst) queue.suspect()
      if (hook.parked) queue.parked = true
      this.#claims.claim(queue)
    }
  }

  #reaches(hook: string): boolean {
    return this.#tools.hookPost.reaches?.(hook) ?? true
  }

  #park(queue: HookQueue, report: PendingReport): void {
    this.#settle(report, park(report, queue.whyParked, this.#tools.clock.now()))
  }

  #settleAll(batch: ReportBatch, judgement: Judgement): void {
    for (const report of batch) this.#settle(report, judgedFor(report, judgement))
  }

  #settle(report: PendingReport, judgement: Judgement): void {
    const { messageId, number } = report
    const { kind, at, dueAt } = judgement
    const held = kind === 'later' && dueAt !== null && dueAt - at <= SHORT_WAIT_MS && this.#held.free > 0
    const hook = this.#counted.nameOf(report, at)
    this.#settler.add({ report, result: { ...judgement, messageId, number, held, hook } })
  }

  async #settleBatch(batch: readonly Settling[]): Promise<void> {
    const next = await this.#tools.store.settleReports(batch.map(({ result }) => result))
    for (const { report, result } of batch) {
      this.#tools.onReport?.(report, result)
      if (result.held && result.dueAt !== null && !this.#stopping) {
        this.#shortWaits.add({ ...report, tries: report.tries + 1 }, result.dueAt)
        continue
      }
      this.#held.remove(report.accountId)
      if (result.dueAt !== null) this.#due.expect(result.dueAt)
      if (result.kind === 'parked') this.noteParked([report])
    }
    this.take(next)
    this.#claims.freed(batch.length)
  }

  #log(level: 'info' | 'warn', { accountId, hook }: HookQueue, text: string, more: object = {}): void {
    // Paths and queries may contain secrets.
    this.#tools.log[level]({ accountId, origin: originOf(hook), ...more }, text)
  }
}
