/**
 * Logs receipts without a message, one line per carrier and minute. An early receipt is matched a moment later, so one
 * sample per carrier is matched again after a minute before it is logged.
 */
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const MATCH_AGAIN_MS = 60_000
const UNMATCHED =
  'receipts without a message: another system probably uses the same account of the carrier, or ids in receipts have ' +
  'another form (setting receiptIds)'

interface Sample {
  readonly receipt: CarrierReceipt
  count: number
}

export interface UnmatchedTools {
  readonly clock: Clock
  readonly log: Log
  /** Returns, for each receipt, whether its message is known. */
  areKnown(receipts: readonly CarrierReceipt[]): Promise<readonly boolean[]>
}

export class UnmatchedReceipts {
  readonly #tools: UnmatchedTools
  /** The first receipt of each carrier since the last check, and their number. */
  #samples = new Map<string, Sample>()

  constructor(tools: UnmatchedTools) {
    this.#tools = tools
  }

  add(receipt: CarrierReceipt): void {
    const sample = this.#samples.get(receipt.carrierId)
    if (sample !== undefined) {
      sample.count += 1
      return
    }
    if (this.#samples.size === 0) this.#tools.clock.after(MATCH_AGAIN_MS, () => void this.#matchAgain())
    this.#samples.set(receipt.carrierId, { receipt, count: 1 })
  }

  async #matchAgain(): Promise<void> {
    const samples = [...this.#samples.values()]
    this.#samples = new Map()
    // Other components log a failing store; the next receipt is another sample.
    const known = await this.#tools.areKnown(samples.map(({ receipt }) => receipt)).catch(() => null)
    if (known === null) return
    for (const [index, { receipt, count }] of samples.entries()) {
      if (known[index] === true) continue
      const { carrierId, ref, detail } = receipt
      this.#tools.log.warn({ carrier: carrierId, ref, detail, receipts: count }, UNMATCHED)
    }
  }
}
