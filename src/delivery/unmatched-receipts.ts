/**
 * Notices receipts whose message nobody knows. One that comes early is matched a moment later, so a sample of each carrier
 * is looked for once more after a minute; what is still unknown then is logged, one line per carrier and minute.
 */
import type { CarrierReceipt } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'

const LOOK_AGAIN_MS = 60_000

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
  /** The first of each carrier since the last look, and how many there were. */
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
    if (this.#samples.size === 0) this.#tools.clock.after(LOOK_AGAIN_MS, () => void this.#look())
    this.#samples.set(receipt.carrierId, { receipt, count: 1 })
  }

  async #look(): Promise<void> {
    const samples = [...this.#samples.values()]
    this.#samples = new Map()
    // A store that does not answer is logged by others; the next receipt is another sample.
    const found = await this.#tools.match(samples.map(({ receipt }) => receipt)).catch(() => null)
    if (found === null) return
    for (const [index, { receipt, count }] of samples.entries()) {
      if ((found[index] ?? null) !== null) continue
      const { carrierId, ref, detail } = receipt
      this.#tools.log.warn(
        { carrier: carrierId, ref, detail, receipts: count },
        'receipts of messages that nobody knows',
      )
    }
  }
}
