/** An inbox that remembers what it was given, and refuses when a test wants it to. */
import type { CarrierReceipt, InboundMessage, Inbox, LateAnswer } from '../../src/ports/carrier.ts'

export class InboxWitness implements Inbox {
  readonly receipts: CarrierReceipt[] = []
  readonly heard: InboundMessage[] = []
  readonly learnt: LateAnswer[] = []
  /** Calls that were refused so far. */
  refused = 0
  /** So many calls are still to be refused, as when the store is out of order. */
  refusals = 0

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    this.#mayRefuse()
    this.receipts.push(...receipts)
  }

  async hear(messages: readonly InboundMessage[]): Promise<void> {
    this.#mayRefuse()
    this.heard.push(...messages)
  }

  learn(answer: LateAnswer): void {
    this.learnt.push(answer)
  }

  of(ref: string): readonly CarrierReceipt[] {
    return this.receipts.filter((receipt) => receipt.ref === ref)
  }

  #mayRefuse(): void {
    if (this.refusals === 0) return
    this.refusals -= 1
    this.refused += 1
    throw new Error('the store is out of order')
  }
}
