/**
 * Members take turns for a bounded number of slots. A member may take one only while it has fewer than are free, so a
 * few members never take every slot.
 */

import { Fifo } from '../../domain/structures/fifo.ts'

/** Members that are unblocked when a slot becomes free. */
const UNBLOCKED_AT_ONCE = 4

export interface RingMember {
  /** The slots that it has. */
  readonly active: number
  /** Whether it waits in the ring: kept by the ring. */
  isWaiting: boolean
}

export class SlotRing<Member extends RingMember> {
  readonly #slots: number
  readonly #ready = new Fifo<Member>()
  /** Members that had at least as many slots as were free. Each has one, so `release` follows. */
  readonly #blocked = new Fifo<Member>()
  active = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  get hasReady(): boolean {
    return this.#ready.length > 0 && this.active < this.#slots
  }

  get isUnused(): boolean {
    return this.active + this.#ready.length + this.#blocked.length === 0
  }

  offer(member: Member): void {
    if (member.isWaiting) return
    member.isWaiting = true
    this.#ready.push(member)
  }

  /** Returns the next member that may take a slot, or null. */
  next(): Member | null {
    if (this.active >= this.#slots) return null
    for (let member = this.#ready.shift(); member !== undefined; member = this.#ready.shift()) {
      if (member.active < this.#slots - this.active) {
        member.isWaiting = false
        return member
      }
      this.#blocked.push(member)
    }
    return null
  }

  release(): void {
    this.active -= 1
    for (let count = 0; count < UNBLOCKED_AT_ONCE; count += 1) {
      const member = this.#blocked.shift()
      if (member === undefined) return
      this.#ready.push(member)
    }
  }
}
