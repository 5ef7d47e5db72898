/**
 * Distributes calls to hooks: accounts take turns, and the hooks of an account take turns. Concurrent calls are
 * bounded, in total and per account, and each account or hook may start another call only while it has fewer than are
 * free. So a few slow hooks or accounts never take every slot. All hooks of one origin share its calls: while it is
 * slow or does not answer, it gets fewer, however many hooks it has.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { IdMap } from '../../domain/structures/id-map.ts'
import { SlotRing } from '../queues/slot-ring.ts'
import { CallWidth, SLOW_MS } from './call-width.ts'
import type { HookQueue } from './hook-queue.ts'

const MAX_CALLS = 1_024
const MAX_CALLS_OF_ACCOUNT = 128
/** Calls to one origin at a time. */
const ORIGIN_WIDTH = { first: 32, max: 256 }

interface Origin {
  active: number
  readonly width: CallWidth
  /** Queues that wait until one of its calls ends. */
  readonly waiting: Set<HookQueue>
}

/** How a call ended that was made. */
export interface EndedCall {
  readonly isAnswered: boolean
  readonly tookMs: number
}

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

export class HookSlots {
  readonly #clients = new IdMap<AccountId, Client>()
  readonly #ring = new SlotRing<Client>(MAX_CALLS)
  /** Those with calls, or with queues that wait. */
  readonly #origins = new Map<string, Origin>()

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
      const isStarting = queue !== null && this.#takeOrigin(queue)
      if (isStarting) {
        client.hooks.active += 1
        this.#ring.active += 1
      }
      if (client.hooks.hasReady) this.#ring.offer(client)
      else if (client.hooks.isUnused) this.#clients.delete(client.id)
      if (isStarting) return queue
    }
  }

  /** Returns whether the queue has a call to start, and its origin has room for it. */
  #takeOrigin(queue: HookQueue): boolean {
    const origin = this.#origins.get(queue.origin)
    if (!queue.canStart) {
      if (origin !== undefined) this.#offerWaiting(origin)
      return false
    }
    if (origin === undefined) {
      this.#origins.set(queue.origin, { active: 1, width: new CallWidth(ORIGIN_WIDTH), waiting: new Set() })
    } else if (origin.active < origin.width.calls) {
      origin.active += 1
    } else {
      origin.waiting.add(queue)
      return false
    }
    return true
  }

  /** Those that find no room wait again. */
  #offerWaiting({ active, width, waiting }: Origin): void {
    let room = width.calls - active
    for (const queue of waiting) {
      if (room <= 0) return
      waiting.delete(queue)
      if (queue.canStart) room -= 1
      this.offer(queue)
    }
  }

  #freeOrigin(name: string, call: EndedCall | null): void {
    const origin = this.#origins.get(name)
    if (origin === undefined) return
    origin.active -= 1
    if (call?.isAnswered === true) origin.width.succeeded(call.tookMs)
    // One that refuses at once has enough room.
    else if (call !== null && call.tookMs >= SLOW_MS) origin.width.failed()
    this.#offerWaiting(origin)
    if (origin.active === 0 && origin.waiting.size === 0) this.#origins.delete(name)
  }

  /** Frees the slot of a call that has ended; `call` is null if none was made. */
  done(queue: HookQueue, call: EndedCall | null): void {
    this.#freeOrigin(queue.origin, call)
    const client = this.#clients.get(queue.accountId)
    if (client === undefined) return
    client.hooks.release()
    this.#ring.release()
    this.offer(queue)
    if (client.hooks.hasReady) this.#ring.offer(client)
    else if (client.hooks.isUnused) this.#clients.delete(client.id)
  }
}
