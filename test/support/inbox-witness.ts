/** An inbox that remembers what it was given, and refuses when a test wants it to. */
import type { CarrierReceipt, Inbox } from '../../src/ports/carrier.ts'

export class InboxWitness implements Inbox {
  readonly receipts: CarrierReceipt[] = []
  /** Calls that were refused so far. */
  refused = 0
  /** So many calls are still to be refused, as when the store is out of order. */
  refusals = 0

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    if (this.refusals > 0) {
      this.refusals -= 1
      this.refused += 1
      throw new Error('the store is out of order')
    }
    this.receipts.push(...receipts)
  }

  of(ref: string): readonly CarrierReceipt[] {
    return this.receipts.filter((receipt) => receipt.ref === ref)
  }
}
