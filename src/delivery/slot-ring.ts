/**
 * Members take turns for a bounded number of slots. A member may take one only while it has fewer than are free, so a
 * few members never take every slot.
 */

/** Members that are unblocked when a slot becomes free. */
const UNBLOCKED_AT_ONCE = 4

export class SlotRing<Member extends { readonly active: number }> {
  readonly #slots: number
  readonly #ready = new Set<Member>()
  /** Members that had at least as many slots as were free. Each has one, so `release` follows. */
  readonly #blocked = new Set<Member>()
  active = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  get hasReady(): boolean {
    return this.#ready.size > 0 && this.active < this.#slots
  }

  get isUnused(): boolean {
    return this.active + this.#ready.size + this.#blocked.size === 0
  }

  offer(member: Member): void {
    if (!this.#blocked.has(member)) this.#ready.add(member)
  }

  /** Returns the next member that may take a slot, or null. */
  next(): Member | null {
    if (this.active >= this.#slots) return null
    for (const member of this.#ready) {
      this.#ready.delete(member)
      if (member.active < this.#slots - this.active) return member
      this.#blocked.add(member)
    }
    return null
  }

  release(): void {
    this.active -= 1
    if (this.#blocked.size === 0) return
    for (const member of this.#blocked.values().take(UNBLOCKED_AT_ONCE)) {
      this.#blocked.delete(member)
      this.#ready.add(member)
    }
  }
}
