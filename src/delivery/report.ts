/**
 * HOME: brings reports to clients' hooks, signed, in order within each message, and tried again until they arrive or
 * are given up. A slow or dead hook never slows another account down: every hook has a lane of its own, calls are
 * shared out fairly, and what a hook cannot take goes back to the store instead of filling the memory.
 *
 * A report is sent at least once: one that was posted when the process died, and not yet settled in the store, is sent
 * again with the same `webhook-id`.
 */
import { signingSecrets } from '../domain/account.ts'
import type { Directory } from '../domain/directory.ts'
import type { Clock } from '../ports/clock.ts'
import type { HookAnswer, HookPost } from '../ports/hook-post.ts'
import type { Log } from '../ports/log.ts'
import type { PendingReport, ReportResult } from '../ports/pending-report.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import { BatchWriter } from './batch-writer.ts'
import { type Claimed, DueWatch } from './due-watch.ts'
import { FairTurns } from './fair-turns.ts'
import type { HookLane } from './hook-lane.ts'
import { HookLanes } from './hook-lanes.ts'
import {
  failureIn,
  giveUp,
  type HookFailure,
  type Judgement,
  judgeFailure,
  judgeFinal,
  postpone,
} from './judge-answer.ts'
import { ShortWaits } from './short-waits.ts'
import { signReport } from './sign-report.ts'

/** Reports in memory: in line, under way, waiting for a few seconds, or not yet settled. */
const MOST_HELD = 20_000
/** New reports are taken up to here; the rest is left to those that the store hands out, so that they never starve. */
const MOST_HELD_NEW = MOST_HELD * 0.75
/** Longer waits than this are spent in the store. */
const SHORT_WAIT_MS = 10_000
/** In a full memory, the longest line gives way when its first has waited for so long. */
const PATIENCE_MS = 5_000
const SETTLE_MOST = 1_000
const CLAIM_MOST = 500
/** How soon a claim that found no room is tried again. */
const WITHOUT_ROOM_MS = 1_000
/** The store is asked at least so often: another process may have made something due. */
const LOOK_AGAIN_MS = 60_000
const STOP_WITHIN_MS = 5_000

export interface ReporterTools {
  readonly store: Pick<Store, 'claimReports' | 'settleReports'>
  readonly hookPost: HookPost
  readonly directory: () => Directory
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

interface Settling {
  readonly report: PendingReport
  readonly result: ReportResult
}

export class Reporter {
  readonly #tools: ReporterTools
  readonly #lanes = new HookLanes()
  readonly #turns = new FairTurns()
  readonly #settler: BatchWriter<Settling>
  readonly #due: DueWatch
  readonly #shortWaits: ShortWaits
  readonly #gone = new GoneHooks()
  #held = 0
  #startsSoon = false
  #stopping = false
  #whenDrained: (() => void) | null = null

  constructor(tools: ReporterTools) {
    this.#tools = tools
    this.#settler = new BatchWriter(tools, 'what became of reports', SETTLE_MOST, (batch) => this.#settleBatch(batch))
    this.#due = new DueWatch(tools, 'reports that are due', () => this.#claim())
    this.#shortWaits = new ShortWaits(tools.clock, (reports) => this.#lineUp(reports))
  }

  /** Nothing is under way: what is left waits for its time. */
  get idle(): boolean {
    return this.#turns.active === 0 && this.#lanes.waiting === 0 && this.#settler.idle && this.#due.idle
  }

  get facts(): { readonly held: number; readonly inFlight: number } {
    return { held: this.#held, inFlight: this.#turns.active }
  }

  /** Whether so many new reports may be born held by this node. */
  hasRoom(count: number): boolean {
    return !this.#stopping && this.#held + count <= MOST_HELD_NEW
  }

  /** Takes reports that this node holds, each the first unsettled one of its message. */
  take(reports: readonly PendingReport[]): void {
    this.#held += reports.length
    this.#lineUp(reports)
  }

  /** Something may be due in the store. */
  wake(): void {
    this.#due.wake()
  }

  /** Starts nothing more and waits, for a bounded time, until what is under way is settled. The rest stays held. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#due.stop()
    this.#shortWaits.stop()
    await new Promise<void>((resolve) => {
      const cancel = this.#tools.clock.after(STOP_WITHIN_MS, resolve)
      void this.#drain().then(() => {
        cancel()
        resolve()
      })
    })
  }

  async #drain(): Promise<void> {
    if (this.#turns.active > 0) await new Promise<void>((resolve) => (this.#whenDrained = resolve))
    await this.#settler.close()
  }

  #lineUp(reports: readonly PendingReport[]): void {
    if (this.#stopping) return
    const now = this.#tools.clock.now()
    for (const report of reports) {
      const lane = this.#lanes.laneOf(report)
      const failure = lane.restsFor(now)
      if (failure === null) {
        this.#lanes.push(lane, report, now)
        this.#turns.offer(lane)
      } else {
        this.#settle(report, judgeFailure(report, failure, now, this.#jitter()))
      }
    }
    this.#startAll()
  }

  #startAll(): void {
    if (this.#stopping) return
    for (;;) {
      const lane = this.#turns.next()
      if (lane === null) return
      const report = this.#lanes.startNext(lane)
      this.#turns.offer(lane)
      this.#send(report, lane)
    }
  }

  #send(report: PendingReport, lane: HookLane): void {
    const directory = this.#tools.directory()
    const now = this.#tools.clock.now()
    if (this.#gone.has(report, directory)) {
      lane.ended()
      this.#settle(report, giveUp('not sent: the hook has said that it is gone', now))
      this.#ended(lane)
      return
    }
    const account = directory.account(report.accountId)
    const secrets = account === null ? [] : signingSecrets(account, now)
    const headers = signReport(report, secrets, now)
    void this.#tools.hookPost.post({ address: report.address, body: report.body, headers }).then((answer) => {
      this.#answered(report, lane, answer)
      this.#ended(lane)
      this.#startSoon()
    })
  }

  /** Once for all answers of one round of the event loop: their connections are free by then, and write together. */
  #startSoon(): void {
    if (this.#startsSoon) return
    this.#startsSoon = true
    setImmediate(() => {
      this.#startsSoon = false
      this.#startAll()
    })
  }

  #answered(report: PendingReport, lane: HookLane, answer: HookAnswer): void {
    const now = this.#tools.clock.now()
    const failure = failureIn(answer, now)
    if (failure !== null) {
      const rests = lane.failed(failure, now)
      this.#settle(report, judgeFailure(report, failure, now, this.#jitter()))
      if (rests) this.#rest(lane, failure, now)
    } else if (answer.kind !== 'failed') {
      const judgement = judgeFinal(answer, now)
      if (judgement.kind === 'sent') lane.succeeded()
      else lane.ended()
      if (judgement.kind === 'gone') this.#gone.add(report, this.#tools.directory())
      this.#settle(report, judgement)
    }
  }

  /** The try that has just failed stands for everything that waits for the hook, so that none of it fills the memory. */
  #rest(lane: HookLane, failure: HookFailure, now: number): void {
    const waiting = this.#lanes.clear(lane)
    for (const report of waiting) this.#settle(report, judgeFailure(report, failure, now, this.#jitter()))
    const { accountId, origin } = lane
    this.#tools.log.warn(
      { accountId, origin, reason: failure.detail, waiting: waiting.length },
      'a hook keeps failing and is tried less',
    )
  }

  #ended(lane: HookLane): void {
    this.#turns.done(lane)
    this.#lanes.forget(lane)
    if (this.#turns.active === 0) this.#whenDrained?.()
  }

  async #claim(): Promise<Claimed> {
    const { clock, store } = this.#tools
    if (this.#stopping) return { more: false, nextDueAt: null }
    if (this.#held + CLAIM_MOST > MOST_HELD) {
      this.#giveWay()
      return { more: false, nextDueAt: clock.now() + WITHOUT_ROOM_MS }
    }
    const { reports, nextDueAt } = await store.claimReports({ now: clock.now(), limit: CLAIM_MOST })
    this.take(reports)
    const lookAgainAt = clock.now() + LOOK_AGAIN_MS
    return { more: reports.length === CLAIM_MOST, nextDueAt: Math.min(nextDueAt ?? lookAgainAt, lookAgainAt) }
  }

  /** In a full memory a hook that is too slow for its reports makes room for the others. */
  #giveWay(): void {
    const now = this.#tools.clock.now()
    const lane = this.#lanes.longest()
    if (lane === null || now - (lane.waitsSince ?? now) <= PATIENCE_MS) return
    const failure = { detail: 'not tried: the hook is slower than its reports come', notBefore: 0 }
    for (const report of this.#lanes.clear(lane)) this.#settle(report, postpone(report, failure, now, this.#jitter()))
  }

  #settle(report: PendingReport, judgement: Judgement): void {
    const { messageId, number } = report
    const { at, dueAt } = judgement
    const held = dueAt !== null && dueAt - at <= SHORT_WAIT_MS && this.#held <= MOST_HELD / 2
    this.#settler.add({ report, result: { messageId, number, held, ...judgement } })
  }

  async #settleBatch(batch: readonly Settling[]): Promise<void> {
    const next = await this.#tools.store.settleReports(batch.map(({ result }) => result))
    for (const { report, result } of batch) {
      if (result.held && result.dueAt !== null && !this.#stopping) {
        this.#shortWaits.add({ ...report, tries: report.tries + 1 }, result.dueAt)
      } else {
        this.#held -= 1
        if (result.dueAt !== null) this.#due.expect(result.dueAt)
      }
    }
    this.take(next)
  }

  #jitter(): number {
    return this.#tools.random.below(1_000) / 1_000
  }
}

/** Hooks that take no more reports: those that the directory names, and those that said so since it was read. */
class GoneHooks {
  readonly #since = new Set<string>()
  #revision = 0

  has({ accountId, address }: PendingReport, directory: Directory): boolean {
    this.#keepUp(directory)
    return this.#since.has(`${accountId} ${address}`) || directory.isStoppedHook(accountId, address)
  }

  add({ accountId, address }: PendingReport, directory: Directory): void {
    this.#keepUp(directory)
    this.#since.add(`${accountId} ${address}`)
  }

  /** A directory read anew knows better: it names them, unless an operator has resumed them. */
  #keepUp(directory: Directory): void {
    if (directory.revision === this.#revision) return
    this.#revision = directory.revision
    this.#since.clear()
  }
}
