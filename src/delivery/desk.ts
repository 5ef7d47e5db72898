/**
 * The desk: the open messages that this node has in memory. Those it holds are here until they are recorded to wait or
 * to have ended; the others are kept only while there is room, for the receipts that will soon ask for them.
 */
import { CHANNELS, type Channel } from '../domain/channel.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import type { ReceiptAddress } from '../ports/store.ts'

export class Desk {
  readonly #held = new Map<MessageId, Message>()
  /** In the order of use, the longest unused first. */
  readonly #kept = new Map<MessageId, Message>()
  readonly #addresses = new Map<string, ReceiptAddress>()
  readonly #heldOf = new Map<Channel, number>(CHANNELS.map((channel) => [channel, 0]))
  readonly #mostHeld: number
  readonly #mostKept: number

  /** `mostHeld` counts per channel, `mostKept` over all. */
  constructor(limits: { readonly mostHeld: number; readonly mostKept: number }) {
    this.#mostHeld = limits.mostHeld
    this.#mostKept = limits.mostKept
  }

  get heldCount(): number {
    return this.#held.size
  }

  heldOf(channel: Channel): number {
    return this.#heldOf.get(channel) ?? 0
  }

  roomFor(channel: Channel): number {
    return Math.max(0, this.#mostHeld - this.heldOf(channel))
  }

  get(id: MessageId): Message | undefined {
    return this.#held.get(id) ?? this.#kept.get(id)
  }

  holds(id: MessageId): boolean {
    return this.#held.has(id)
  }

  heldIds(): MessageId[] {
    return [...this.#held.keys()]
  }

  /** Puts a message in, or a newer state of it; an older state than the one here is ignored. */
  put(message: Message, held: boolean): Message {
    const here = this.get(message.id)
    const newest = here !== undefined && here.journey.version > message.journey.version ? here : message
    this.#take(message.id)
    if (held) {
      this.#held.set(newest.id, newest)
      this.#count(newest, 1)
    } else {
      this.#kept.set(newest.id, newest)
      this.#makeRoom()
    }
    return newest
  }

  /** Forgets a message and the addresses of its parts. */
  drop(id: MessageId): void {
    const message = this.#take(id)
    if (message === undefined) return
    for (const step of message.journey.steps) {
      for (const { ref, carrierId = step.carrierId } of step.parts) {
        if (ref !== null && carrierId !== null) this.#addresses.delete(addressKey(carrierId, ref))
      }
    }
  }

  learnAddress(carrierId: string, ref: string, address: ReceiptAddress): void {
    this.#addresses.set(addressKey(carrierId, ref), address)
  }

  addressOf(carrierId: string, ref: string): ReceiptAddress | undefined {
    return this.#addresses.get(addressKey(carrierId, ref))
  }

  #take(id: MessageId): Message | undefined {
    const held = this.#held.get(id)
    if (held !== undefined) {
      this.#held.delete(id)
      this.#count(held, -1)
      return held
    }
    const kept = this.#kept.get(id)
    if (kept !== undefined) this.#kept.delete(id)
    return kept
  }

  #count(message: Message, change: 1 | -1): void {
    const channel = channelOf(message)
    this.#heldOf.set(channel, this.heldOf(channel) + change)
  }

  #makeRoom(): void {
    while (this.#kept.size > this.#mostKept) {
      const oldest = this.#kept.keys().next()
      if (oldest.done === true) return
      this.drop(oldest.value)
    }
  }
}

/** The channel of the step under way. */
export function channelOf(message: Message): Channel {
  const step = message.plan[message.journey.step]
  if (step === undefined) throw new RangeError('a journey stands on a step of its plan')
  return step.channel
}

function addressKey(carrierId: string, ref: string): string {
  return `${carrierId} ${ref}`
}
