/**
 * Message ids without a round trip per message: counters are reserved from the store in blocks and the next block is
 * asked for before the last one is used up. What a stopped process had left over is never used, nor is what is old: ids
 * follow the time of their messages.
 */
import type { AccountId } from '../domain/account.ts'
import { type MessageId, makeMessageId } from '../domain/message-id.ts'
import type { Clock } from '../ports/clock.ts'
import type { IntakeStore } from '../ports/intake-store.ts'

/** Counters reserved at once. The smaller, the closer ids of several nodes follow the order of time. */
const BLOCK = 16_384
/** With fewer left, the next block is fetched beside the work. */
const LOW_WATER = BLOCK / 2
/** For how long counters are used. Sweeping goes by the order of ids and may be that much late. */
const GOOD_FOR_MS = 600_000

interface Block {
  next: number
  readonly end: number
  readonly until: number
}

export class MessageIds {
  readonly #store: Pick<IntakeStore, 'reserveIds'>
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #blocks: Block[] = []
  #left = 0
  #refill: Promise<void> | null = null

  constructor(store: Pick<IntakeStore, 'reserveIds'>, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
  }

  /** How many ids can be had at once. */
  get left(): number {
    this.#dropOld()
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

  #dropOld(): void {
    const now = this.#clock.monotonic()
    for (let block = this.#blocks[0]; block !== undefined && block.until <= now; block = this.#blocks[0]) {
      this.#left -= block.end - block.next
      this.#blocks.shift()
    }
  }

  async #fetch(count: number): Promise<void> {
    const until = this.#clock.monotonic() + GOOD_FOR_MS
    try {
      const first = await this.#store.reserveIds(count)
      this.#blocks.push({ next: first, end: first + count, until })
      this.#left += count
    } finally {
      this.#refill = null
    }
  }
}
