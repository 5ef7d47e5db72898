/**
 * Reports of one hook that wait to share a POST, for accounts that ask for it. A batch has one address, and reports
 * that failed equally often: what failed once is retried in smaller batches and what failed again alone, so that one
 * report that a hook cannot take holds back the others only for a while. A batch leaves when it is full or when one of
 * its reports has waited long enough.
 */
import { hookIdOf } from '../../domain/reports/client-hook.ts'
import type { PendingReport } from '../../ports/records/pending-report.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'

export interface BatchRule {
  /** Maximum of reports in a batch. */
  readonly reports: number
  /** How old a report may get while it waits for others, milliseconds. */
  readonly waitMs: number
}

/** Reports of one POST, all to the same hook and address, with the same number of tries. */
export type ReportBatch = readonly [PendingReport, ...PendingReport[]]

/** Bytes of the body of a batch; a longer report leaves alone. */
export const MAX_BATCH_BYTES = 1_048_576
/** Bytes that a batch adds to each report: its `webhook_id` and a comma. */
const ADDED_BYTES = 64

interface Waiting {
  readonly report: PendingReport
  readonly bytes: number
  /** Monotonic. */
  readonly leavesAt: number
}

interface Group {
  readonly key: string
  readonly tries: number
  readonly hookId: number
  readonly address: string
  readonly waiting: Waiting[]
  bytes: number
  /** Monotonic: when the first of its reports has waited long enough. */
  leavesAt: number
}

export class ReportBatches {
  readonly #clock: Clock
  readonly #onReady: () => void
  readonly #groups = new Map<string, Group>()
  /** Groups with a batch that leaves now. */
  readonly #ready = new Set<Group>()
  /** All other groups. */
  readonly #open = new Set<Group>()
  #timer: { readonly at: number; readonly cancel: Cancel } | null = null
  /** The group that got the last report: most of a busy hook go to the same. */
  #last: Group | null = null
  #length = 0

  /** Calls `onReady` when reports have waited long enough. */
  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock
    this.#onReady = onReady
  }

  get length(): number {
    return this.#length
  }

  get isReady(): boolean {
    return this.#ready.size > 0
  }

  push(report: PendingReport, rule: BatchRule): void {
    const { body, createdAt } = report
    const group = this.#groupOf(report)
    const waitMs = Math.max(0, Math.min(rule.waitMs, createdAt + rule.waitMs - this.#clock.now()))
    const entry = { report, bytes: Buffer.byteLength(body) + ADDED_BYTES, leavesAt: this.#clock.monotonic() + waitMs }
    group.waiting.push(entry)
    group.bytes += entry.bytes
    group.leavesAt = Math.min(group.leavesAt, entry.leavesAt)
    this.#length += 1
    this.#place(group, rule)
  }

  #groupOf({ address, number, tries }: PendingReport): Group {
    const hookId = hookIdOf(number)
    const last = this.#last
    if (last !== null && last.address === address && last.hookId === hookId && last.tries === tries) return last
    const key = `${tries} ${hookId} ${address}`
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = { key, tries, hookId, address, waiting: [], bytes: 0, leavesAt: Number.POSITIVE_INFINITY }
      this.#groups.set(key, group)
    }
    this.#last = group
    return group
  }

  /** Forgets an empty group. */
  #remove(group: Group): void {
    this.#groups.delete(group.key)
    if (this.#last === group) this.#last = null
  }

  /** Lets one batch leave before it is full. */
  hurry(): void {
    const [oldest] = this.#open
    if (oldest === undefined) return
    this.#open.delete(oldest)
    this.#ready.add(oldest)
  }

  /** Removes the next batch; undefined if none is ready. */
  take(rule: BatchRule): ReportBatch | undefined {
    const [group] = this.#ready
    const first = group?.waiting[0]
    if (group === undefined || first === undefined) return undefined
    const limit = limitOf(group, rule)
    const batch: [PendingReport, ...PendingReport[]] = [first.report]
    let { bytes } = first
    while (batch.length < limit) {
      const next = group.waiting[batch.length]
      if (next === undefined || bytes + next.bytes > MAX_BATCH_BYTES) break
      batch.push(next.report)
      bytes += next.bytes
    }
    group.waiting.splice(0, batch.length)
    group.bytes -= bytes
    this.#length -= batch.length
    this.#ready.delete(group)
    if (group.waiting.length === 0) {
      this.#remove(group)
    } else {
      // A full batch needs no look at its times.
      if (!isFull(group, rule)) group.leavesAt = Math.min(...group.waiting.map(({ leavesAt }) => leavesAt))
      this.#place(group, rule)
    }
    if (this.#length === 0) this.stop()
    return batch
  }

  /** Keeps only so many reports and returns the others. */
  keep(count: number): readonly PendingReport[] {
    const surplus: PendingReport[] = []
    let left = count
    for (const group of [...this.#ready, ...this.#open]) {
      const removed = group.waiting.splice(left)
      left -= group.waiting.length
      for (const { report, bytes } of removed) {
        group.bytes -= bytes
        surplus.push(report)
      }
      if (group.waiting.length > 0) continue
      this.#remove(group)
      this.#ready.delete(group)
      this.#open.delete(group)
    }
    this.#length -= surplus.length
    if (this.#length === 0) this.stop()
    return surplus
  }

  /** Lets no batch leave because of its time any more. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = null
  }

  #place(group: Group, rule: BatchRule): void {
    if (this.#ready.has(group)) return
    if (isFull(group, rule) || group.leavesAt <= this.#clock.monotonic()) {
      this.#open.delete(group)
      this.#ready.add(group)
    } else {
      this.#open.add(group)
      this.#watch(group.leavesAt)
    }
  }

  #watch(at: number): void {
    if (this.#timer !== null && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => this.#fire())
    this.#timer = { at, cancel }
  }

  #fire(): void {
    this.#timer = null
    const now = this.#clock.monotonic()
    for (const group of this.#open) {
      if (group.leavesAt > now) continue
      this.#open.delete(group)
      this.#ready.add(group)
    }
    const next = this.#open.values().reduce((at, { leavesAt }) => Math.min(at, leavesAt), Number.POSITIVE_INFINITY)
    if (next < Number.POSITIVE_INFINITY) this.#watch(next)
    if (this.isReady) this.#onReady()
  }
}

function isFull(group: Group, rule: BatchRule): boolean {
  return group.waiting.length >= limitOf(group, rule) || group.bytes >= MAX_BATCH_BYTES
}

function limitOf({ tries }: Group, { reports }: BatchRule): number {
  if (tries === 0) return reports
  return tries === 1 ? Math.floor(Math.sqrt(reports)) : 1
}
