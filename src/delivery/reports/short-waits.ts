/** Holds reports that wait a few seconds, in slots of 250 ms of monotonic time with one timer for all. */
import type { PendingReport } from '../../ports/records/pending-report.ts'
import type { Cancel, Clock } from '../../ports/system/clock.ts'

const SLOT_MS = 250

export class ShortWaits {
  readonly #clock: Clock
  readonly #onDue: (reports: readonly PendingReport[]) => void
  /** By monotonic time. */
  readonly #slots = new Map<number, PendingReport[]>()
  #timer: { readonly slot: number; readonly cancel: Cancel } | null = null

  constructor(clock: Clock, onDue: (reports: readonly PendingReport[]) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  /** Passes the report to `onDue` at `dueAt` or up to 250 ms later, never before. */
  add(report: PendingReport, dueAt: number): void {
    const slot = Math.ceil((this.#clock.monotonic() + dueAt - this.#clock.now()) / SLOT_MS)
    const waiting = this.#slots.get(slot)
    if (waiting === undefined) this.#slots.set(slot, [report])
    else waiting.push(report)
    this.#watch(slot)
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#slots.clear()
  }

  #watch(slot: number): void {
    if (this.#timer !== null && this.#timer.slot <= slot) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(slot * SLOT_MS - this.#clock.monotonic(), () => this.#fire())
    this.#timer = { slot, cancel }
  }

  #fire(): void {
    this.#timer = null
    const now = this.#clock.monotonic()
    const due = [...this.#slots.keys()].filter((slot) => slot * SLOT_MS <= now).sort((a, b) => a - b)
    const reports = due.flatMap((slot) => this.#slots.get(slot) ?? [])
    for (const slot of due) this.#slots.delete(slot)
    for (const slot of this.#slots.keys()) this.#watch(slot)
    this.#onDue(reports)
  }
}
