/**
 * Receipts: news from carriers about parts that they took. A receipt is told to its carrier as arrived only once what
 * it changes is on disk; one whose message nobody knows yet is parked in the store until the submit answer names it.
 */
import type { CarrierReceipt, InboundArrival, Inbox, LateAnswer, SettledKey } from '../ports/carrier.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'
import { UnmatchedReceipts, type UnmatchedTools } from './unmatched-receipts.ts'

export interface ReceiptTools extends UnmatchedTools {
  /** Where a ref belongs, as far as memory knows. */
  addressOf(receipt: CarrierReceipt): ReceiptAddress | undefined
  /** Where refs belong that memory does not know; null is parked. On disk when it resolves. */
  match(receipts: readonly CarrierReceipt[]): Promise<readonly (ReceiptAddress | null)[]>
  /** Tells the messages; resolves once it is on disk. */
  tell(news: readonly AddressedReceipt[]): Promise<void>
  /** On disk when it resolves. */
  keep(arrivals: readonly InboundArrival[]): Promise<void>
  settle(keys: readonly SettledKey[]): void
  learn(answer: LateAnswer): void
  slowed(carrierId: string, reason: string): boolean
}

export interface AddressedReceipt {
  readonly receipt: CarrierReceipt
  readonly address: ReceiptAddress
}

export class ReceiptDesk implements Inbox {
  readonly #tools: ReceiptTools
  readonly #unmatched: UnmatchedReceipts

  constructor(tools: ReceiptTools) {
    this.#tools = tools
    this.#unmatched = new UnmatchedReceipts(tools)
  }

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    const known: AddressedReceipt[] = []
    const strangers: CarrierReceipt[] = []
    for (const receipt of receipts) {
      const address = this.#tools.addressOf(receipt)
      if (address === undefined) strangers.push(receipt)
      else known.push({ receipt, address })
    }
    await Promise.all([
      known.length > 0 ? this.#tools.tell(known) : null,
      strangers.length > 0 ? this.#receiveStrangers(strangers) : null,
    ])
  }

  hear(arrivals: readonly InboundArrival[]): Promise<void> {
    return this.#tools.keep(arrivals)
  }

  settle(keys: readonly SettledKey[]): void {
    this.#tools.settle(keys)
  }

  learn(answer: LateAnswer): void {
    this.#tools.learn(answer)
  }

  slowed(carrierId: string, reason: string): boolean {
    return this.#tools.slowed(carrierId, reason)
  }

  async #receiveStrangers(receipts: readonly CarrierReceipt[]): Promise<void> {
    const addresses = await this.#tools.match(receipts)
    const found = receipts.flatMap((receipt, index) => {
      const address = addresses[index] ?? null
      if (address === null) this.#unmatched.add(receipt)
      return address === null ? [] : [{ receipt, address }]
    })
    if (found.length > 0) await this.#tools.tell(found)
  }
}
