/** An inbox that records what it receives, and refuses calls when a test asks for it. */
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { CarrierReceipt, InboundArrival, Inbox, LateAnswer, SettledKey } from '../../src/ports/carriers/carrier.ts'
import type { CarrierUser, CarrierUserId } from '../../src/ports/carriers/user-store.ts'

export class InboxWitness implements Inbox {
  readonly receipts: CarrierReceipt[] = []
  /** Arrivals whose keys were unknown or settled, as a store keeps them. */
  readonly arrivals: InboundArrival[] = []
  readonly settled: SettledKey[] = []
  readonly users = new Map<string, Phone>()
  /** Phones whose opt-outs hold for others too. */
  readonly copied: [from: Phone, to: Phone][] = []
  readonly lateAnswers: LateAnswer[] = []
  readonly slowedBy: string[] = []
  /** The answer to a carrier that reports throttling. */
  isDegraded = false
  /** Calls refused so far. */
  refused = 0
  /** Until when the key is kept. */
  readonly #keys = new Map<string, number>()
  /** Number of calls still to be refused, as if the store were out of order. */
  refusals = 0

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    this.#mayRefuse()
    this.receipts.push(...receipts)
  }

  async receiveInbound(arrivals: readonly InboundArrival[]): Promise<void> {
    this.#mayRefuse()
    for (const arrival of arrivals) {
      if ((this.#keys.get(arrival.key) ?? Number.NEGATIVE_INFINITY) > arrival.at) continue
      this.#keys.set(arrival.key, arrival.keyUntil)
      this.arrivals.push(arrival)
    }
  }

  settle(keys: readonly SettledKey[]): void {
    this.settled.push(...keys)
    for (const { key, at } of keys) this.#keys.set(key, at)
  }

  resolveUnclear(answer: LateAnswer): void {
    this.lateAnswers.push(answer)
  }

  async rememberUsers(users: readonly CarrierUser[]): Promise<void> {
    this.#mayRefuse()
    for (const { userId, phone } of users) this.users.set(userId, phone)
  }

  async findUsers(ids: readonly CarrierUserId[]): Promise<readonly (Phone | null)[]> {
    this.#mayRefuse()
    return ids.map(({ userId }) => this.users.get(userId) ?? null)
  }

  async copyOptOuts(from: Phone, to: Phone): Promise<void> {
    this.#mayRefuse()
    this.copied.push([from, to])
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
