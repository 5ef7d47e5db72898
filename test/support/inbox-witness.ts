/** An inbox that records what it receives, and refuses calls when a test asks for it. */
import type { CarrierReceipt, InboundArrival, InboundKey, Inbox, LateAnswer } from '../../src/ports/carrier.ts'

export class InboxWitness implements Inbox {
  readonly receipts: CarrierReceipt[] = []
  /** Arrivals whose keys were unknown or settled, as a store keeps them. */
  readonly arrivals: InboundArrival[] = []
  readonly settled: InboundKey[] = []
  readonly lateAnswers: LateAnswer[] = []
  readonly slowedBy: string[] = []
  /** The answer to a carrier that reports throttling. */
  isDegraded = false
  /** Calls refused so far. */
  refused = 0
  readonly #keys = new Set<string>()
  /** Number of calls still to be refused, as if the store were out of order. */
  refusals = 0

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    this.#mayRefuse()
    this.receipts.push(...receipts)
  }

  async receiveInbound(arrivals: readonly InboundArrival[]): Promise<void> {
    this.#mayRefuse()
    for (const arrival of arrivals) {
      if (this.#keys.has(arrival.key)) continue
      this.#keys.add(arrival.key)
      this.arrivals.push(arrival)
    }
  }

  settle(keys: readonly InboundKey[]): void {
    this.settled.push(...keys)
    for (const { key } of keys) this.#keys.delete(key)
  }

  resolveUnclear(answer: LateAnswer): void {
    this.lateAnswers.push(answer)
  }

  slowed(_carrierId: string, reason: string): boolean {
    this.slowedBy.push(reason)
    return this.isDegraded
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
