/**
 * Shares out the calls to hooks: accounts take turns, and within an account its hooks take turns. The calls under way are
 * bounded, in all and for each account, and whoever wants another one must have fewer under way than are free. So a few
 * slow hooks, or accounts, can never fill all slots: something is left for the next one.
 */
import type { AccountId } from '../domain/account.ts'
import type { HookQueue } from './hook-queue.ts'
import { SlotRing } from './slot-ring.ts'

const MAX_CALLS = 1_024
const MAX_CALLS_OF_ACCOUNT = 128

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
