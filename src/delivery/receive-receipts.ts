/**
 * Receives receipts of parts, late answers and inbound messages. They are acknowledged to the carrier only once their
 * changes are on disk. A receipt whose message is not known yet waits in the store until the submit answer names it.
 */
import type { Directory } from '../domain/directory.ts'
import type { CarrierReceipt, InboundArrival, Inbox, LateAnswer, SettledKey } from '../ports/carrier.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeliveryStore } from '../ports/delivery-store.ts'
import type { Log } from '../ports/log.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'
import type { SetupStore } from '../ports/setup-store.ts'
import type { AddressedReceipt } from './addressed-receipt.ts'
import type { CarrierFleet } from './carrier-fleet.ts'
import { optOutChanges } from './opt-out-keywords.ts'
import type { Pump } from './pump.ts'
import { UnmatchedReceipts } from './unmatched-receipts.ts'

export interface ReceiptIntakeTools {
  readonly store: DeliveryStore & SetupStore
  readonly pump: Pump
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly refresh: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export class ReceiptIntake implements Inbox {
  readonly #tools: ReceiptIntakeTools
  readonly #unmatched: UnmatchedReceipts

  constructor(tools: ReceiptIntakeTools) {
    this.#tools = tools
    this.#unmatched = new UnmatchedReceipts({ ...tools, match: (receipts) => this.#match(receipts) })
  }

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    const { pump } = this.#tools
    const known: AddressedReceipt[] = []
    const unknown: CarrierReceipt[] = []
    for (const receipt of receipts) {
      const address = pump.addressOf(receipt)
      if (address === undefined) unknown.push(receipt)
      else known.push({ receipt, address })
    }
    await Promise.all([
      known.length > 0 ? pump.applyReceipts(known) : null,
      unknown.length > 0 ? this.#receiveUnknown(unknown) : null,
    ])
  }

  /** Applies opt-out keywords, which always fit one part, before the message is acknowledged. */
  async receiveInbound(arrivals: readonly InboundArrival[]): Promise<void> {
    const { store, directory, refresh } = this.#tools
    const whole = arrivals.filter(({ part }) => part === null)
    const changes = optOutChanges(whole, directory())
    if (changes.length > 0) {
      await store.change({ kind: 'change opt-outs', changes })
      const { guards } = directory()
      if (changes.some(({ optOut }) => !guards.mayBeOptedOut(optOut.accountId))) await refresh()
    }
    await store.recordInbound(arrivals, [])
  }

  /** Notes keys as settled. If this fails, they expire by themselves. */
  settle(keys: readonly SettledKey[]): void {
    const { store, log } = this.#tools
    store.recordInbound([], keys).catch((error: Error) => {
      log.warn({ error }, 'could not record which arrivals are settled')
    })
  }

  resolveUnclear(answer: LateAnswer): void {
    this.#tools.pump.applyLateAnswer(answer)
  }

  slowed(carrierId: string, reason: string): boolean {
    return this.#tools.fleet.breakerOf(carrierId)?.slow(reason) ?? false
  }

  async #receiveUnknown(receipts: readonly CarrierReceipt[]): Promise<void> {
    const addresses = await this.#match(receipts)
    const found = receipts.flatMap((receipt, index) => {
      const address = addresses[index] ?? null
      if (address === null) this.#unmatched.add(receipt)
      return address === null ? [] : [{ receipt, address }]
    })
    if (found.length > 0) await this.#tools.pump.applyReceipts(found)
  }

  /** Returns where the receipts belong; those without an address wait in the store. */
  #match(receipts: readonly CarrierReceipt[]): Promise<readonly (ReceiptAddress | null)[]> {
    return this.#tools.store.matchReceipts(receipts, this.#tools.clock.now())
  }
}
