/**
 * Receipts with unknown ids beyond the parking limit. They wait in memory, because an early receipt comes milliseconds
 * before its id; then they are matched once more. Those still without a message are dropped and counted, and logged in
 * one line per carrier and minute.
 */
import type { CarrierReceipt } from '../ports/carrier.ts'
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

const MATCH_AGAIN_MS = 2_000
const LOG_EVERY_MS = 60_000
const DROPPED = 'receipts with unknown ids were dropped: too many of this carrier are kept already'
/** Receipts of one carrier that wait; a full batch is matched at once. */
const MAX_WAITING = 20_000
/** Receipts matched in one call, so that other work is not delayed. */
const MATCHED_TOGETHER = 1_000

export interface UnparkedTools {
  readonly clock: Clock
  readonly log: Log
  /** Applies the receipts whose ids are known by now; returns the others. */
  match(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]>
}

interface Waiting {
  receipts: CarrierReceipt[]
  timer: Cancel | null
  isMatching: boolean
  dropped: number
  /** Those of `dropped` that were logged. */
  logged: number
}

export class UnparkedReceipts {
  readonly #tools: UnparkedTools
  readonly #waiting = new Map<string, Waiting>()

  constructor(tools: UnparkedTools) {
    this.#tools = tools
  }

  add(receipt: CarrierReceipt): void {
    const { carrierId } = receipt
    const waiting = this.#waitingOf(carrierId)
    if (waiting.receipts.length >= MAX_WAITING) {
      this.#drop(receipt, 1)
      return
    }
    waiting.receipts.push(receipt)
    this.#schedule(waiting)
  }

  /** Returns how many receipts of the carrier were dropped since the start. */
  droppedOf(carrierId: string): number {
    return this.#waiting.get(carrierId)?.dropped ?? 0
  }

  #schedule(waiting: Waiting): void {
    const { isMatching, receipts } = waiting
    if (isMatching || receipts.length === 0) return
    if (receipts.length >= MAX_WAITING) void this.#match(waiting)
    else waiting.timer ??= this.#tools.clock.after(MATCH_AGAIN_MS, () => void this.#match(waiting))
  }

  async #match(waiting: Waiting): Promise<void> {
    const { receipts } = waiting
    waiting.timer?.()
    waiting.timer = null
    waiting.receipts = []
    waiting.isMatching = true
    for (let start = 0; start < receipts.length; start += MATCHED_TOGETHER) {
      const slice = receipts.slice(start, start + MATCHED_TOGETHER)
      // Other components log a failing store.
      const unmatched = await this.#tools.match(slice).catch(() => slice)
      const [first] = unmatched
      if (first !== undefined) this.#drop(first, unmatched.length)
    }
    waiting.isMatching = false
    this.#schedule(waiting)
  }

  #drop({ carrierId, ref, detail }: CarrierReceipt, count: number): void {
    const waiting = this.#waitingOf(carrierId)
    if (waiting.dropped === waiting.logged) {
      this.#tools.clock.after(LOG_EVERY_MS, () => {
        const receipts = waiting.dropped - waiting.logged
        waiting.logged = waiting.dropped
        this.#tools.log.warn({ carrier: carrierId, ref, detail, receipts }, DROPPED)
      })
    }
    waiting.dropped += count
  }

  #waitingOf(carrierId: string): Waiting {
    const known = this.#waiting.get(carrierId)
    if (known !== undefined) return known
    const waiting = { receipts: [], timer: null, isMatching: false, dropped: 0, logged: 0 }
    this.#waiting.set(carrierId, waiting)
    return waiting
  }
}
