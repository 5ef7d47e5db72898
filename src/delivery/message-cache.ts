/**
 * Caches open messages. Messages that this node holds stay until they are recorded as waiting or ended; others are
 * kept, for their receipts, while there is room.
 */
import { CHANNELS, type Channel } from '../domain/channel.ts'
import { mayHold } from '../domain/memory-share.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { tenantOf } from '../domain/tenant.ts'
import type { ReceiptAddress } from '../ports/receipt-address.ts'

/**
 * A message in one of the maps, emptied when it leaves. A map that has grown or was cleaned up leaves its old table
 * behind, and the collector keeps what that refers to alive if the table is older.
 */
interface Place {
  message: Message | null
  readonly weight: number
  /** Keys of addresses that its parts do not name: of a part that was taken twice. Absent if there are none. */
  others?: Set<string>
}

export class MessageCache {
  readonly #held = new Map<MessageId, Place>()
  /** Least recently used first. */
  readonly #kept = new Map<MessageId, Place>()
  readonly #addresses = new Map<string, ReceiptAddress>()
  readonly #heldOf = new Map<Channel, number>(CHANNELS.map((channel) => [channel, 0]))
  readonly #heldBy = new Map<Channel, Map<number, number>>(CHANNELS.map((channel) => [channel, new Map()]))
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
    return this.#held.size
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
    return [...(this.#heldBy.get(channel) ?? [])].filter(([, held]) => held >= minHeld)
  }

  get(id: MessageId): Message | undefined {
    return (this.#held.get(id) ?? this.#kept.get(id))?.message ?? undefined
  }

  holds(id: MessageId): boolean {
    return this.#held.has(id)
  }

  heldIds(): MessageId[] {
    return [...this.#held.keys()]
  }

  /** Stores a message and returns its newest state: an older state than the cached one is ignored. */
  put(message: Message, held: boolean): Message {
    const { id } = message
    const place = this.#held.get(id)
    const before = place?.message
    const here = before ?? this.#kept.get(id)?.message
    const newest = here && here.journey.version > message.journey.version ? here : message
    if (held && place && before && countsAs(before, newest)) {
      place.message = newest
      return newest
    }
    const others = this.#placeOf(id)?.others
    this.#take(id)
    if (before && !held) this.#departures += 1
    const weight = weightOf(newest)
    const next: Place = others === undefined ? { message: newest, weight } : { message: newest, weight, others }
    if (held) {
      this.#held.set(id, next)
      this.#count(newest, weight)
    } else {
      this.#kept.set(id, next)
      this.#keptWeight += weight
      this.#makeRoom()
    }
    return newest
  }

  /** Removes a message and the addresses of its parts. */
  drop(id: MessageId): void {
    if (this.holds(id)) this.#departures += 1
    const others = this.#placeOf(id)?.others ?? []
    const message = this.#take(id)
    if (message === null) return
    for (const key of keysOf(message)) this.#addresses.delete(key)
    for (const key of others) this.#addresses.delete(key)
  }

  /** Of a message that is not cached, nothing is learned. */
  learnAddress(carrierId: string, ref: string, address: ReceiptAddress): void {
    const place = this.#placeOf(address.messageId)
    const message = place?.message ?? null
    if (place === undefined || message === null) return
    const key = addressKey(carrierId, ref)
    this.#addresses.set(key, address)
    const part = message.journey.steps[address.step]?.parts[address.part]
    if (part?.ref === ref && (part.carrierId ?? message.journey.steps[address.step]?.carrierId) === carrierId) return
    place.others ??= new Set()
    place.others.add(key)
  }

  /** How many addresses are cached. */
  get addressCount(): number {
    return this.#addresses.size
  }

  #placeOf(id: MessageId): Place | undefined {
    return this.#held.get(id) ?? this.#kept.get(id)
  }

  addressOf(carrierId: string, ref: string): ReceiptAddress | undefined {
    return this.#addresses.get(addressKey(carrierId, ref))
  }

  #take(id: MessageId): Message | null {
    const held = this.#held.get(id)
    const place = held ?? this.#kept.get(id)
    const message = place?.message ?? null
    if (place === undefined || message === null) return null
    place.message = null
    if (held === undefined) {
      this.#kept.delete(id)
      this.#keptWeight -= place.weight
    } else {
      this.#held.delete(id)
      this.#count(message, -place.weight)
    }
    return message
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
      const oldest = this.#kept.keys().next()
      if (oldest.done === true) return
      this.drop(oldest.value)
    }
  }
}

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

/** Returns the keys of the addresses that its parts name. */
function keysOf({ journey }: Message): readonly string[] {
  return journey.steps.flatMap((step) =>
    step.parts.flatMap(({ ref, carrierId = step.carrierId }) =>
      ref === null || carrierId === null ? [] : addressKey(carrierId, ref),
    ),
  )
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

function addressKey(carrierId: string, ref: string): string {
  return `${carrierId} ${ref}`
}
