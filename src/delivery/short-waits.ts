/** Reports that wait in memory for a few seconds, gathered into slots of a quarter of a second: one timer for all.
 * The slots are of monotonic time: a wall clock that is set changes no wait. */
import type { Cancel, Clock } from '../ports/clock.ts'
import type { PendingReport } from '../ports/pending-report.ts'

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

  /** Hands the report back at `dueAt` or up to a slot later, never before. */
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
    const cancel = this.#clock.after(slot * SLOT_MS - this.#clock.monotonic(), () => this.#ring())
    this.#timer = { slot, cancel }
  }

  #ring(): void {
    this.#timer = null
    const now = this.#clock.monotonic()
    const due = [...this.#slots.keys()].filter((slot) => slot * SLOT_MS <= now).sort((a, b) => a - b)
    const reports = due.flatMap((slot) => this.#slots.get(slot) ?? [])
    for (const slot of due) this.#slots.delete(slot)
    for (const slot of this.#slots.keys()) this.#watch(slot)
    this.#onDue(reports)
  }
}
