/**
 * Receipts with unknown ids beyond the parking limit. They wait in memory, because an early receipt comes milliseconds
 * before its id, and are matched once more. Those still without a message are dropped and counted, and logged in one
 * line per carrier and minute. A carrier that sends too many a second waits for its answers.
 */
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const SECOND_MS = 1_000
const MATCH_AGAIN_MS = 2_000
const LOG_EVERY_MS = 60_000
const DROPPED = 'receipts with unknown ids were dropped: too many of this carrier are kept already'
/** Receipts of one carrier that are taken a second; as many may come at once. */
const MAX_PER_SECOND = 2_000
/** Receipts of one carrier that wait; more only if the store takes long. */
const MAX_WAITING = 20_000
/** Receipts matched in one call, so that other work is not delayed. */
const MATCHED_TOGETHER = 1_000

export interface AwaitingTools {
  readonly clock: Clock
  readonly log: Log
  /** Applies the receipts whose ids are known by now; returns the others. */
  match(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]>
}

interface Waiting {
  receipts: CarrierReceipt[]
  /** They are about to be matched, or others are being matched. */
  isScheduled: boolean
  /** Until when the pace is used up, by the monotonic clock. */
  pacedTo: number
  dropped: number
  /** Those of `dropped` that were logged. */
  logged: number
}

export class ReceiptsAwaitingIds {
  readonly #tools: AwaitingTools
  readonly #waiting = new Map<string, Waiting>()

  constructor(tools: AwaitingTools) {
    this.#tools = tools
  }

  /** Resolves when the carriers may have their answers. */
  async add(receipts: readonly CarrierReceipt[]): Promise<void> {
    const { clock } = this.#tools
    const pacedTo = receipts.reduce((latest, receipt) => Math.max(latest, this.#add(receipt)), Number.NEGATIVE_INFINITY)
    const waitMs = pacedTo - clock.monotonic()
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve))
  }

  /** Returns how many receipts of the carrier were dropped since the start. */
  droppedOf(carrierId: string): number {
    return this.#waiting.get(carrierId)?.dropped ?? 0
  }

  /** Returns when the carrier may have its answer, by the monotonic clock. */
  #add(receipt: CarrierReceipt): number {
    const waiting = this.#waitingOf(receipt.carrierId)
    if (waiting.receipts.length < MAX_WAITING) waiting.receipts.push(receipt)
    else this.#drop(receipt, 1)
    this.#schedule(waiting)
    const burstFrom = this.#tools.clock.monotonic() - SECOND_MS
    waiting.pacedTo = Math.max(waiting.pacedTo, burstFrom) + SECOND_MS / MAX_PER_SECOND
    return waiting.pacedTo
  }

  #schedule(waiting: Waiting): void {
    if (waiting.isScheduled || waiting.receipts.length === 0) return
    waiting.isScheduled = true
    this.#tools.clock.after(MATCH_AGAIN_MS, () => void this.#match(waiting))
  }

  async #match(waiting: Waiting): Promise<void> {
    const { receipts } = waiting
    waiting.receipts = []
    for (let start = 0; start < receipts.length; start += MATCHED_TOGETHER) {
      const slice = receipts.slice(start, start + MATCHED_TOGETHER)
      // Other components log a failing store.
      const unmatched = await this.#tools.match(slice).catch(() => slice)
      const [first] = unmatched
      if (first !== undefined) this.#drop(first, unmatched.length)
    }
    waiting.isScheduled = false
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
    const waiting = { receipts: [], isScheduled: false, pacedTo: Number.NEGATIVE_INFINITY, dropped: 0, logged: 0 }
    this.#waiting.set(carrierId, waiting)
    return waiting
  }
}
