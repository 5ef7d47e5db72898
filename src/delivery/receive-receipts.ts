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
import type { ParkingLimit } from './parking-limit.ts'
import type { Pump } from './pump.ts'
import { UnmatchedReceipts } from './unmatched-receipts.ts'
import { UnparkedReceipts } from './unparked-receipts.ts'

export interface ReceiptIntakeTools {
  readonly store: DeliveryStore & SetupStore
  readonly pump: Pump
  readonly parking: ParkingLimit
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly refresh: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export class ReceiptIntake implements Inbox {
  readonly #tools: ReceiptIntakeTools
  readonly #unmatched: UnmatchedReceipts
  readonly #unparked: UnparkedReceipts

  constructor(tools: ReceiptIntakeTools) {
    this.#tools = tools
    this.#unmatched = new UnmatchedReceipts({ ...tools, match: (receipts) => tools.store.findAddresses(receipts) })
    this.#unparked = new UnparkedReceipts({ ...tools, match: (receipts) => this.#applyKnown(receipts) })
  }

  async receive(receipts: readonly CarrierReceipt[]): Promise<void> {
    const [cached, unknown] = this.#splitCached(receipts)
    const parked: CarrierReceipt[] = []
    const unparked: CarrierReceipt[] = []
    for (const receipt of unknown) (this.#tools.parking.take(receipt.carrierId) ? parked : unparked).push(receipt)
    await Promise.all([this.#apply(cached), this.#park(parked), this.#awaitIds(unparked)])
  }

  /** Returns how many receipts of the carrier were dropped since the start: their ids were unknown, and too many. */
  droppedOf(carrierId: string): number {
    return this.#unparked.droppedOf(carrierId)
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

  /** Those whose messages are unknown wait in the store. */
  async #park(receipts: readonly CarrierReceipt[]): Promise<void> {
    if (receipts.length === 0) return
    const { store, clock, parking } = this.#tools
    const addresses = await store.matchReceipts(receipts, clock.now()).catch((error: unknown) => {
      for (const { carrierId } of receipts) parking.giveBack(carrierId)
      throw error
    })
    const [found, unmatched] = split(receipts, (_, index) => addresses[index] ?? undefined)
    for (const { receipt } of found) parking.giveBack(receipt.carrierId)
    for (const receipt of unmatched) this.#unmatched.add(receipt)
    await this.#apply(found)
  }

  /** Those whose messages are unknown wait in memory, for a moment. */
  async #awaitIds(receipts: readonly CarrierReceipt[]): Promise<void> {
    await this.#unparked.add(await this.#applyStored(receipts))
  }

  /** Applies those whose messages are known, in memory or in the store; returns the others. */
  async #applyKnown(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]> {
    const [cached, unknown] = this.#splitCached(receipts)
    const [, unmatched] = await Promise.all([this.#apply(cached), this.#applyStored(unknown)])
    return unmatched
  }

  async #applyStored(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]> {
    if (receipts.length === 0) return []
    const addresses = await this.#tools.store.findAddresses(receipts)
    const [found, unmatched] = split(receipts, (_, index) => addresses[index] ?? undefined)
    await this.#apply(found)
    return unmatched
  }

  #splitCached(receipts: readonly CarrierReceipt[]): Split {
    return split(receipts, (receipt) => this.#tools.pump.addressOf(receipt))
  }

  async #apply(receipts: readonly AddressedReceipt[]): Promise<void> {
    if (receipts.length > 0) await this.#tools.pump.applyReceipts(receipts)
  }
}

type Split = readonly [known: readonly AddressedReceipt[], unknown: readonly CarrierReceipt[]]

function split(
  receipts: readonly CarrierReceipt[],
  addressOf: (receipt: CarrierReceipt, index: number) => ReceiptAddress | undefined,
): Split {
  const known: AddressedReceipt[] = []
  const unknown: CarrierReceipt[] = []
  for (const [index, receipt] of receipts.entries()) {
    const address = addressOf(receipt, index)
    if (address === undefined) unknown.push(receipt)
    else known.push({ receipt, address })
  }
  return [known, unknown]
}
