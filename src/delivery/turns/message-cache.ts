/**
 * Caches open messages. Messages that this node holds stay until they are recorded as waiting or ended; others are
 * kept, for their receipts, while there is room.
 */
import { CHANNELS, type Channel } from '../../domain/channels/channel.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { PartRef } from '../../domain/journey/turn.ts'
import { type Message, tenantOf } from '../../domain/message/message.ts'
import { mayHold } from '../../domain/structures/fair-queue.ts'
import { IdMap } from '../../domain/structures/id-map.ts'
import type { ReceiptAddress } from '../../ports/carriers/receipt-address.ts'
import { type Aged, AgeList } from '../queues/age-list.ts'

/**
 * A cached message, emptied when it leaves. A map that has grown or was cleaned up leaves its old table behind, and the
 * collector keeps what that refers to alive if the table is older.
 */
interface Place extends Aged<Place> {
  message: Message | null
  weight: number
  isHeld: boolean
  /** Addresses that its parts do not name: of a part that was taken twice. Null if there are none. */
  others: Omit<PartRef, 'step' | 'part'>[] | null
}

export class MessageCache {
  readonly #places = new IdMap<MessageId, Place>()
  #heldCount = 0
  /** Kept messages, by their last use. */
  readonly #kept = new AgeList<Place>()
  /** By carrier and ref. */
  readonly #addresses = new Map<string, Map<string, ReceiptAddress>>()
  readonly #heldOf = new Map<Channel, number>(CHANNELS.map((channel) => [channel, 0]))
  readonly #heldBy = new Map<Channel, IdMap<number, number>>(CHANNELS.map((channel) => [channel, new IdMap()]))
  #keptWeight = 0
  #departures = 0
  readonly #maxHeld: number
  readonly #maxKept: number

  /** `maxHeld` is the weight of messages per channel, `maxKept` over all. */
  constructor(limits: { readonly maxHeld: number; readonly maxKept: number }) {
    this.#maxHeld = limits.maxHeld
    this.#maxKept = limits.maxKept
  }

  get heldCount(): number {
    return this.#heldCount
  }

  /** Their weight: a message counts as one, and with rich content as several (`weightOf`). */
  heldOf(channel: Channel): number {
    return this.#heldOf.get(channel) ?? 0
  }

  /** Counts the messages that were held and no longer are. */
  get departures(): number {
    return this.#departures
  }

  /** The weight of further messages of the channel that may be held. */
  freeFor(channel: Channel): number {
    return Math.max(0, this.#maxHeld - this.heldOf(channel))
  }

  /** Whether one more message of the tenant may be held within its share. */
  hasRoom(channel: Channel, tenant: number): boolean {
    return mayHold(this.#heldBy.get(channel)?.get(tenant) ?? 0, this.freeFor(channel))
  }

  /** Returns the tenants whose messages of the channel weigh at least `minHeld`. */
  tenantsWith(channel: Channel, minHeld: number): readonly (readonly [tenant: number, held: number])[] {
    return (this.#heldBy.get(channel)?.entries() ?? []).filter(([, held]) => held >= minHeld)
  }

  get(id: MessageId): Message | undefined {
    return this.#places.get(id)?.message ?? undefined
  }

  holds(id: MessageId): boolean {
    return this.#places.get(id)?.isHeld === true
  }

  heldIds(): MessageId[] {
    return this.#places.values().flatMap(({ message, isHeld }) => (message !== null && isHeld ? message.id : []))
  }

  /** Stores a message and returns its newest state: an older state than the cached one is ignored. */
  put(message: Message, held: boolean): Message {
    const place = this.#places.get(message.id)
    const before = place?.message ?? null
    if (place === undefined || before === null) {
      const weight = weightOf(message)
      const entered = { message, weight, isHeld: held, others: null, older: null, newer: null }
      this.#places.set(message.id, entered)
      this.#enter(entered, message)
      return message
    }
    const newest = before.journey.version > message.journey.version ? before : message
    if (held && place.isHeld && countsAs(before, newest)) {
      place.message = newest
      return newest
    }
    this.#leave(place, before)
    if (place.isHeld && !held) this.#departures += 1
    place.message = newest
    if (newest.plan !== before.plan) place.weight = weightOf(newest)
    place.isHeld = held
    this.#enter(place, newest)
    return newest
  }

  /** Removes a message and the addresses of its parts. */
  drop(id: MessageId): void {
    const place = this.#places.get(id)
    const message = place?.message ?? null
    if (place === undefined || message === null) return
    if (place.isHeld) this.#departures += 1
    this.#places.delete(id)
    this.#leave(place, message)
    place.message = null
    for (const { carrierId: ofStep, parts } of message.journey.steps) {
      for (const { ref, carrierId = ofStep } of parts) {
        if (ref !== null && carrierId !== null) this.#addresses.get(carrierId)?.delete(ref)
      }
    }
    for (const { carrierId, ref } of place.others ?? NO_OTHERS) this.#addresses.get(carrierId)?.delete(ref)
  }

  /** Of a message that is not cached, nothing is learned. */
  learnAddress(carrierId: string, ref: string, address: ReceiptAddress): void {
    const place = this.#places.get(address.messageId)
    const message = place?.message ?? null
    if (place === undefined || message === null) return
    const ofCarrier = this.#addresses.get(carrierId)
    if (ofCarrier === undefined) this.#addresses.set(carrierId, new Map([[ref, address]]))
    else ofCarrier.set(ref, address)
    const step = message.journey.steps[address.step]
    const part = step?.parts[address.part]
    if (part?.ref === ref && (part.carrierId ?? step?.carrierId) === carrierId) return
    place.others ??= []
    place.others.push({ carrierId, ref })
  }

  /** How many addresses are cached. */
  get addressCount(): number {
    return this.#addresses.values().reduce((sum, { size }) => sum + size, 0)
  }

  addressOf(carrierId: string, ref: string): ReceiptAddress | undefined {
    return this.#addresses.get(carrierId)?.get(ref)
  }

  #enter(place: Place, message: Message): void {
    if (place.isHeld) {
      this.#heldCount += 1
      this.#count(message, place.weight)
      return
    }
    this.#kept.add(place)
    this.#keptWeight += place.weight
    this.#makeRoom()
  }

  #leave(place: Place, message: Message): void {
    if (place.isHeld) {
      this.#heldCount -= 1
      this.#count(message, -place.weight)
      return
    }
    this.#kept.remove(place)
    this.#keptWeight -= place.weight
  }

  #count(message: Message, change: number): void {
    const channel = channelOf(message)
    this.#heldOf.set(channel, this.heldOf(channel) + change)
    const tenants = this.#heldBy.get(channel)
    const tenant = tenantOf(message)
    const held = (tenants?.get(tenant) ?? 0) + change
    if (held > 0) tenants?.set(tenant, held)
    else tenants?.delete(tenant)
  }

  #makeRoom(): void {
    while (this.#keptWeight > this.#maxKept) {
      const oldest = this.#kept.oldest?.message ?? null
      if (oldest === null) return
      this.drop(oldest.id)
    }
  }
}

const NO_OTHERS: NonNullable<Place['others']> = []

/** Characters of rich content that weigh as much as a message. */
const CHARACTERS_OF_WEIGHT = 1_024

/** Returns how many messages without rich content take as much memory. */
function weightOf({ plan }: Message): number {
  let characters = 0
  for (const { content } of plan) {
    if (content.kind === 'text' && content.rich !== undefined) characters += JSON.stringify(content.rich).length
  }
  return 1 + Math.floor(characters / CHARACTERS_OF_WEIGHT)
}

/** Whether two states of a message count for the same channel and tenant. */
function countsAs(before: Message, after: Message): boolean {
  return channelOf(before) === channelOf(after) && tenantOf(before) === tenantOf(after)
}

/** Returns the channel of the current step. */
export function channelOf(message: Message): Channel {
  const step = message.plan[message.journey.step]
  if (step === undefined) throw new RangeError('a journey stands on a step of its plan')
  return step.channel
}
