/**
 * Allocates message ids without a round trip for each: reserves blocks of counters from the store and requests the next
 * one before the last is used up. Unused counters of a stopped process and old counters are dropped, because ids follow
 * the time of their messages.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../domain/ids/message-id.ts'
import type { IntakeStore } from '../../ports/stores/intake-store.ts'
import type { Clock } from '../../ports/system/clock.ts'

/** Counters per block. Smaller blocks keep ids of several nodes closer to the order of time. */
const BLOCK = 16_384
/** Fetches the next block in the background when fewer are left. */
const LOW_WATER = BLOCK / 2
/** Lifetime of counters. Sweeping follows the order of ids and may be late by this time. */
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

  /** Number of ids available at once. */
  get left(): number {
    this.#dropOld()
    return this.#left
  }

  /**
   * Fetches a block of at least `count`. Other callers may take ids before the caller continues, so a caller of several
   * ids loops `while (ids.left < count)` and then takes them without awaiting.
   */
  refill(count: number): Promise<void> {
    this.#refill ??= this.#fetch(Math.max(BLOCK, count))
    return this.#refill
  }

  /** Takes one id, also if none is available at once. Rejects if the store is unavailable. */
  async draw(account: AccountId): Promise<MessageId> {
    while (this.left === 0) await this.refill(1)
    return this.next(account)
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
      // Callers that wait for ids see the failure.
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
