/**
 * Message ids without a round trip per message: counters are reserved from the store in blocks and the next block is
 * asked for before the last one is used up. What a stopped process had left over is never used.
 */
import type { AccountId } from '../domain/account.ts'
import { type MessageId, makeMessageId } from '../domain/message-id.ts'
import type { Store } from '../ports/store.ts'

/** Counters reserved at once. The smaller, the closer ids of several nodes follow the order of time. */
const BLOCK = 16_384
/** With fewer left, the next block is fetched beside the work. */
const LOW_WATER = BLOCK / 2

export class MessageIds {
  readonly #store: Pick<Store, 'reserveIds'>
  readonly #blocks: { next: number; readonly end: number }[] = []
  #left = 0
  #refill: Promise<void> | null = null

  constructor(store: Pick<Store, 'reserveIds'>) {
    this.#store = store
  }

  /** How many ids can be had at once. */
  get left(): number {
    return this.#left
  }

  /**
   * Fetches a block of at least `count`. Others may have taken of it when the caller goes on, so whoever needs several
   * ids asks `while (ids.left < count)` and then takes them without awaiting anything in between.
   */
  refill(count: number): Promise<void> {
    this.#refill ??= this.#fetch(Math.max(BLOCK, count))
    return this.#refill
  }

  next(account: AccountId): MessageId {
    const block = this.#blocks[0]
    if (block === undefined) throw new RangeError('no message ids were reserved')
    const counter = block.next
    block.next += 1
    if (block.next === block.end) this.#blocks.shift()
    this.#left -= 1
    if (this.#left < LOW_WATER && this.#refill === null) {
      this.#refill = this.#fetch(BLOCK)
      // A failure is met again, and told to a client, by whoever has to wait for ids.
      this.#refill.catch(() => {})
    }
    return makeMessageId(counter, account)
  }

  async #fetch(count: number): Promise<void> {
    try {
      const first = await this.#store.reserveIds(count)
      this.#blocks.push({ next: first, end: first + count })
      this.#left += count
    } finally {
      this.#refill = null
    }
  }
}
