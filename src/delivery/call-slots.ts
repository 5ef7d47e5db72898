/**
 * Shares out the calls to hooks: accounts take turns, and within an account its hooks take turns. The calls under way are
 * bounded, in all and for each account, and whoever wants another one must have fewer under way than are free. So a few
 * slow hooks, or accounts, can never fill all slots: something is left for the next one.
 */
import type { AccountId } from '../domain/account.ts'
import type { HookQueue } from './hook-queue.ts'

const MAX_CALLS = 1_024
const MAX_CALLS_OF_ACCOUNT = 128
/** Members that are looked at again when a slot becomes free. */
const UNBLOCKED_AT_ONCE = 4

/** Members that take turns for slots. */
class SlotRing<Member extends { readonly active: number }> {
  readonly #slots: number
  readonly #ready = new Set<Member>()
  /** Those that had as many slots as were free, or more. Each has one at least, so its release comes. */
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

  /** The next that may have a slot; null when there is none. */
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
    for (const member of this.#blocked.values().take(UNBLOCKED_AT_ONCE)) {
      this.#blocked.delete(member)
      this.#ready.add(member)
    }
  }
}

class Client {
  readonly id: AccountId
  readonly hooks = new SlotRing<HookQueue>(MAX_CALLS_OF_ACCOUNT)

  constructor(id: AccountId) {
    this.id = id
  }

  get active(): number {
    return this.hooks.active
  }
}

export class CallSlots {
  readonly #clients = new Map<AccountId, Client>()
  readonly #ring = new SlotRing<Client>(MAX_CALLS)

  get active(): number {
    return this.#ring.active
  }

  /** The queue may have something to send. */
  offer(queue: HookQueue): void {
    if (!queue.canStart) return
    let client = this.#clients.get(queue.accountId)
    if (client === undefined) {
      client = new Client(queue.accountId)
      this.#clients.set(client.id, client)
    }
    client.hooks.offer(queue)
    this.#ring.offer(client)
  }

  /** The queue that sends one report now; null when none may. `done` must be called for each when its call has ended. */
  next(): HookQueue | null {
    for (;;) {
      const client = this.#ring.next()
      if (client === null) return null
      const queue = client.hooks.next()
      if (queue?.canStart === true) {
        client.hooks.active += 1
        this.#ring.active += 1
      }
      if (client.hooks.hasReady) this.#ring.offer(client)
      else if (client.hooks.isUnused) this.#clients.delete(client.id)
      if (queue?.canStart === true) return queue
    }
  }

  /** A call of the queue has ended. */
  done(queue: HookQueue): void {
    const client = this.#clients.get(queue.accountId)
    if (client === undefined) return
    client.hooks.release()
    this.#ring.release()
    this.offer(queue)
    if (client.hooks.hasReady) this.#ring.offer(client)
    else if (client.hooks.isUnused) this.#clients.delete(client.id)
  }
}
