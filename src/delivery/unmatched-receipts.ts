/**
 * Logs receipts without a message, one line per carrier and minute. An early receipt is matched a moment later, so one
 * sample per carrier is matched again after a minute before it is logged.
 */
import type { CarrierReceipt } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'

const MATCH_AGAIN_MS = 60_000

interface Sample {
  readonly receipt: CarrierReceipt
  count: number
}

export interface UnmatchedTools {
  readonly clock: Clock
  readonly log: Log
  match(receipts: readonly CarrierReceipt[]): Promise<readonly (ReceiptAddress | null)[]>
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
    const found = await this.#tools.match(samples.map(({ receipt }) => receipt)).catch(() => null)
    if (found === null) return
    for (const [index, { receipt, count }] of samples.entries()) {
      if ((found[index] ?? null) !== null) continue
      const { carrierId, ref, detail } = receipt
      this.#tools.log.warn({ carrier: carrierId, ref, detail, receipts: count }, 'receipts without a message')
    }
  }
}
