/**
 * Distributes calls to hooks: accounts take turns, and the hooks of an account take turns. Concurrent calls are
 * bounded, in total and per account, and each account or hook may start another call only while it has fewer than are
 * free. So a few slow hooks or accounts never take every slot.
 */
import type { AccountId } from '../domain/account.ts'
import { IdMap } from '../domain/id-map.ts'
import type { HookQueue } from './hook-queue.ts'
import { SlotRing } from './slot-ring.ts'

const MAX_CALLS = 1_024
const MAX_CALLS_OF_ACCOUNT = 128

class Client {
  readonly id: AccountId
  isWaiting = false
  readonly hooks = new SlotRing<HookQueue>(MAX_CALLS_OF_ACCOUNT)

  constructor(id: AccountId) {
    this.id = id
  }

  get active(): number {
    return this.hooks.active
  }
}

export class CallSlots {
  readonly #clients = new IdMap<AccountId, Client>()
  readonly #ring = new SlotRing<Client>(MAX_CALLS)

  get active(): number {
    return this.#ring.active
  }

  /** Registers a queue that may have something to send. */
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

  /** Returns the queue that may send one report now, or null. Call `done` when its call has ended. */
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

  /** Frees the slot of a call that has ended. */
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
