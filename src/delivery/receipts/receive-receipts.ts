/**
 * Receives receipts of parts, late answers and inbound messages. They are acknowledged to the carrier only once their
 * changes are on disk. A receipt whose message is not known yet waits in the store until the submit answer names it.
 * A receipt may belong to a message of a peer (receipt-peers.ts); it is then treated as a receipt of that carrier.
 */
import type { Directory } from '../../domain/directory/directory.ts'
import { type Phone, readUserId } from '../../domain/numbers/phone.ts'
import {
  type CarrierReceipt,
  INBOUND_TOGETHER,
  type InboundArrival,
  type Inbox,
  type LateAnswer,
  type SettledKey,
} from '../../ports/carriers/carrier.ts'
import type { ReceiptAddress, ReceiptCopy } from '../../ports/carriers/receipt-address.ts'
import type { CarrierUser, CarrierUserId, UserStore } from '../../ports/carriers/user-store.ts'
import type { DeliveryStore } from '../../ports/stores/delivery-store.ts'
import type { QueryStore } from '../../ports/stores/query-store.ts'
import type { SetupStore } from '../../ports/stores/setup-store.ts'
import type { Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'
import type { CarrierFleet } from '../carriers/carrier-fleet.ts'
import type { ReceiptPeers } from '../carriers/receipt-peers.ts'
import { KeywordConsent } from '../consent/keyword-consent.ts'
import { LostKeywordCount } from '../consent/lost-keywords.ts'
import { consentMeaning, optOutChanges } from '../consent/opt-out-keywords.ts'
import type { AddressedReceipt } from '../intake/addressed-receipt.ts'
import type { ParkingLimit } from '../intake/parking-limit.ts'
import type { Pump } from '../intake/pump.ts'
import { storableArrival, storableId, storableKey, storableReceipt } from '../submit/storable.ts'
import { endArrivedChecks } from './check-arrivals.ts'
import { ReceiptsAwaitingIds } from './receipts-awaiting-ids.ts'
import { SettledKeys } from './settled-keys.ts'
import { UnmatchedReceipts } from './unmatched-receipts.ts'

export interface ReceiptIntakeTools {
  readonly store: DeliveryStore & SetupStore & Pick<QueryStore, 'page'> & UserStore
  readonly pump: Pump
  readonly parking: ParkingLimit
  readonly peers: ReceiptPeers
  readonly fleet: CarrierFleet
  readonly directory: () => Directory
  readonly refresh: () => Promise<void>
  /** There may be new reports in the store. */
  readonly onReports: () => void
  readonly clock: Clock
  readonly log: Log
}

export class ReceiptIntake implements Inbox {
  readonly #tools: ReceiptIntakeTools
  readonly #unmatched: UnmatchedReceipts
  readonly #awaiting: ReceiptsAwaitingIds
  readonly #settled: SettledKeys
  readonly #consent: KeywordConsent
  readonly lostKeywords: LostKeywordCount

  constructor(tools: ReceiptIntakeTools) {
    this.#tools = tools
    this.#settled = new SettledKeys(tools)
    this.lostKeywords = new LostKeywordCount(tools)
    this.#consent = new KeywordConsent(tools)
    this.#unmatched = new UnmatchedReceipts({ ...tools, areKnown: (receipts) => this.#areKnown(receipts) })
    this.#awaiting = new ReceiptsAwaitingIds({ ...tools, match: (receipts) => this.#applyKnown(receipts) })
  }

  async receive(received: readonly CarrierReceipt[]): Promise<void> {
    const { peers } = this.#tools
    const [cached, unknown] = this.#splitCached(received.map(storableReceipt))
    if (unknown.length === 0) {
      await this.#apply(cached)
      return
    }
    const lone = unknown.filter(({ carrierId }) => peers.of(carrierId) === null)
    // Most are of known messages; only the others are parked under several carriers.
    const shared = unknown.filter(({ carrierId }) => peers.of(carrierId) !== null)
    const unmatched = this.#applyStored(shared).then((rest) => this.#keep(rest))
    await Promise.all([this.#apply(cached), this.#keep(lone), unmatched])
  }

  /** Returns how many receipts of the carrier were dropped since the start: their ids were unknown, and too many. */
  droppedOf(carrierId: string): number {
    return this.#awaiting.droppedOf(carrierId)
  }

  /** Applies opt-out keywords, which always fit one part, before the message is acknowledged. */
  async receiveInbound(received: readonly InboundArrival[]): Promise<void> {
    const { store, directory } = this.#tools
    const arrivals = received.map(storableArrival)
    const { changes, lost } = optOutChanges(await this.#keywordsIn(arrivals), directory())
    if (changes.length > 0) await this.#consent.applySaid(changes)
    for (let start = 0; start < arrivals.length; start += INBOUND_TOGETHER) {
      const together = arrivals.slice(start, start + INBOUND_TOGETHER)
      const settled = this.#settled.of(together)
      await store.recordInbound(together, settled)
      this.#settled.written(settled)
    }
    await endArrivedChecks(arrivals, this.#tools)
    this.lostKeywords.add(lost)
    if (directory().inboundNumbers.length > 0) this.#tools.onReports()
  }

  /** Returns the arrivals that opt out or in for the first time: a repeat must not undo what was written since. */
  async #keywordsIn(arrivals: readonly InboundArrival[]): Promise<readonly InboundArrival[]> {
    const { directory, clock } = this.#tools
    const found = arrivals.filter((each) => each.part === null && consentMeaning(each, directory()) !== null)
    const first = await this.#settled.withoutRepeats(found)
    return first.map((each) => ({ ...each, at: Math.min(each.at, clock.now()) }))
  }

  /** Notes keys as settled. */
  settle(keys: readonly SettledKey[]): void {
    this.#settled.add(keys.map(storableKey))
  }

  resolveUnclear(answer: LateAnswer): void {
    this.#tools.pump.applyLateAnswer({ ...answer, ref: storableId(answer.ref) })
  }

  async rememberUsers(users: readonly CarrierUser[]): Promise<void> {
    await this.#tools.store.rememberUsers(users, this.#tools.clock.now())
    await this.#consent.join(
      users.flatMap(({ userId, phone }) => {
        const name = readUserId(userId)
        return name === null ? [] : [[name, phone] as const]
      }),
    )
  }

  findUsers(ids: readonly CarrierUserId[]): Promise<readonly (Phone | null)[]> {
    return this.#tools.store.findUsers(ids)
  }

  copyOptOuts(from: Phone, to: Phone): Promise<void> {
    return this.#consent.copy(from, to)
  }

  slowed(carrierId: string, reason: string): boolean {
    return this.#tools.fleet.breakerOf(carrierId)?.slow(reason) ?? false
  }

  async #keep(receipts: readonly CarrierReceipt[]): Promise<void> {
    const parked: CarrierReceipt[] = []
    const others: CarrierReceipt[] = []
    for (const receipt of receipts) (this.#tools.parking.take(receipt.carrierId) ? parked : others).push(receipt)
    await Promise.all([this.#park(parked), this.#awaitIds(others)])
  }

  /**
   * Those whose messages are unknown wait in the store: under their carrier and its peers, because the submit answer
   * may come from any of them.
   */
  async #park(receipts: readonly CarrierReceipt[]): Promise<void> {
    if (receipts.length === 0) return
    const { store, clock, parking } = this.#tools
    const copies = receipts.map((receipt) => {
      const ofPeers = this.#copiesOf(receipt).slice(1)
      return [receipt, ...ofPeers.filter(({ carrierId }) => parking.take(carrierId))] as const
    })
    const giveBack = (all: readonly CarrierReceipt[]) => {
      for (const { carrierId } of all) parking.giveBack(carrierId)
    }
    const addresses = await store.matchReceipts(copies.flatMap(withPeers), clock.now()).catch((error: unknown) => {
      giveBack(copies.flat())
      throw error
    })
    const [found, unmatched] = split(copies, addresses)
    const parked = new Set(unmatched)
    giveBack(copies.filter(([receipt]) => !parked.has(receipt)).flat())
    for (const receipt of unmatched) this.#unmatched.add(receipt)
    await this.#apply(found)
  }

  /** Those whose messages are unknown wait in memory, for a moment. */
  async #awaitIds(receipts: readonly CarrierReceipt[]): Promise<void> {
    await this.#awaiting.add(await this.#applyStored(receipts))
  }

  /** Applies those whose messages are known, in memory or in the store; returns the others. */
  async #applyKnown(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]> {
    const [cached, unknown] = this.#splitCached(receipts)
    const [, unmatched] = await Promise.all([this.#apply(cached), this.#applyStored(unknown)])
    return unmatched
  }

  async #applyStored(receipts: readonly CarrierReceipt[]): Promise<readonly CarrierReceipt[]> {
    if (receipts.length === 0) return []
    const copies = receipts.map((receipt) => this.#copiesOf(receipt))
    const [found, unmatched] = split(copies, await this.#tools.store.findAddresses(copies.flat()))
    await this.#apply(found)
    return unmatched
  }

  /** Returns, for each receipt, whether its message is known. */
  async #areKnown(receipts: readonly CarrierReceipt[]): Promise<readonly boolean[]> {
    const copies = receipts.map((receipt) => this.#copiesOf(receipt))
    const [, unmatched] = split(copies, await this.#tools.store.findAddresses(copies.flat()))
    return receipts.map((receipt) => !unmatched.includes(receipt))
  }

  #splitCached(receipts: readonly CarrierReceipt[]): Split {
    const known: AddressedReceipt[] = []
    const unknown: CarrierReceipt[] = []
    for (const receipt of receipts) {
      const found = this.#findCached(receipt)
      if (found === null) unknown.push(receipt)
      else known.push(found)
    }
    return [known, unknown]
  }

  #findCached(receipt: CarrierReceipt): AddressedReceipt | null {
    const { pump, peers } = this.#tools
    const address = pump.addressOf(receipt)
    if (address !== undefined) return { receipt, address }
    for (const carrierId of peers.of(receipt.carrierId) ?? []) {
      const copy = { ...receipt, carrierId }
      const ofPeer = pump.addressOf(copy)
      if (ofPeer !== undefined) return { receipt: copy, address: ofPeer }
    }
    return null
  }

  /** Returns the receipt, and what it would be as a receipt of each peer of its carrier. */
  #copiesOf(receipt: CarrierReceipt): Copies {
    const peers = this.#tools.peers.of(receipt.carrierId) ?? []
    return [receipt, ...peers.map((carrierId) => ({ ...receipt, carrierId }))]
  }

  async #apply(receipts: readonly AddressedReceipt[]): Promise<void> {
    if (receipts.length > 0) await this.#tools.pump.applyReceipts(receipts)
  }
}

/** A receipt of the carrier that received it, then of its peers. */
type Copies = readonly [receipt: CarrierReceipt, ...ofPeers: CarrierReceipt[]]

/** Names to each copy the carriers of the others. */
function withPeers(copies: Copies): readonly ReceiptCopy[] {
  const carriers = copies.map(({ carrierId }) => carrierId)
  if (carriers.length === 1) return copies
  return copies.map((copy) => ({ ...copy, peers: carriers.filter((id) => id !== copy.carrierId) }))
}

type Split = readonly [known: readonly AddressedReceipt[], unknown: readonly CarrierReceipt[]]

/** Chooses of each receipt the first copy with an address; `addresses` are those of all copies, in their order. */
function split(receipts: readonly Copies[], addresses: readonly (ReceiptAddress | null)[]): Split {
  const known: AddressedReceipt[] = []
  const unknown: CarrierReceipt[] = []
  let start = 0
  for (const copies of receipts) {
    const from = start
    const index = copies.findIndex((_, place) => (addresses[from + place] ?? null) !== null)
    const [receipt, address] = [copies[index], addresses[from + index] ?? null]
    if (receipt === undefined || address === null) unknown.push(copies[0])
    else known.push({ receipt, address })
    start += copies.length
  }
  return [known, unknown]
}
