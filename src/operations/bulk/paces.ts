/** The pace of each running bulk: one second's messages may be sent at once, and unused time is lost. */
import type { Bulk } from '../../domain/bulk/bulk.ts'
import type { BulkId } from '../../domain/ids/message-id.ts'
import type { Clock } from '../../ports/system/clock.ts'

interface Bucket {
  messages: number
  at: number
}

/** A pause of the process gives no more than this, milliseconds. */
const BURST_MS = 1_000

export class Paces {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #buckets = new Map<BulkId, Bucket>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Returns how many messages the bulk may send now. Its first look gives one. */
  available({ id, pace }: Pick<Bulk, 'id' | 'pace'>): number {
    const now = this.#clock.monotonic()
    const bucket = this.#buckets.get(id) ?? { messages: 1, at: now }
    const most = Math.max(1, (pace * BURST_MS) / 1_000)
    const messages = Math.min(most, bucket.messages + ((now - bucket.at) / 1_000) * pace)
    this.#buckets.set(id, { messages, at: now })
    return Math.floor(messages + 1e-6)
  }

  take(id: BulkId, messages: number): void {
    const bucket = this.#buckets.get(id)
    if (bucket !== undefined) bucket.messages -= messages
  }

  /** Forgets the bulks that are not among these. */
  keep(ids: ReadonlySet<BulkId>): void {
    for (const id of this.#buckets.keys()) if (!ids.has(id)) this.#buckets.delete(id)
  }
}
