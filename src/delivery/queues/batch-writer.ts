/**
 * Writes items to the store one batch at a time; items that arrive while a batch is written form the next one. Items of
 * a batch that fails are tried again, in batches half as large, until they are written: nothing is lost while the
 * process lives, and a batch that takes the store too long is not tried again as it was.
 */
import type { Cancel, Clock } from '../../ports/system/clock.ts'
import type { Log } from '../../ports/system/log.ts'

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

export interface BatchWriterTools {
  readonly clock: Clock
  readonly log: Log
}

export class BatchWriter<Item> {
  readonly #tools: BatchWriterTools
  readonly #what: string
  readonly #maxBatch: number
  /** Of the next batch: smaller after a failure, and then larger with each success. */
  #limit: number
  readonly #write: (batch: readonly Item[]) => Promise<void>
  #gathered: Item[] = []
  /** Of the batch under way. */
  #batchSize = 0
  #writing = false
  #closing = false
  readonly #givenUp = Promise.withResolvers<void>()
  #retries = 0
  #cutWaitShort: (() => void) | null = null
  #whenIdle: (() => void)[] = []

  /** `what` names the items in the log. */
  constructor(
    tools: BatchWriterTools,
    what: string,
    maxBatch: number,
    write: (batch: readonly Item[]) => Promise<void>,
  ) {
    this.#tools = tools
    this.#what = what
    this.#maxBatch = maxBatch
    this.#limit = maxBatch
    this.#write = write
  }

  get idle(): boolean {
    return !this.#writing
  }

  /** Items that are not written yet. */
  get size(): number {
    return this.#gathered.length + this.#batchSize
  }

  add(item: Item): void {
    this.#gathered.push(item)
    if (this.#writing) return
    this.#writing = true
    // Items of one round of the event loop go into the same batch.
    setImmediate(() => void this.#writeAll())
  }

  /** Gives up a batch that fails from now on. Resolves once one was given up, if ever. */
  hurry(): Promise<void> {
    this.#closing = true
    this.#cutWaitShort?.()
    return this.#givenUp.promise
  }

  /** As `hurry`, but resolves once every item is written or given up. */
  async close(): Promise<void> {
    void this.hurry()
    if (this.#writing) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  async #writeAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      const batch = this.#gathered.length <= this.#limit ? this.#gathered : this.#gathered.slice(0, this.#limit)
      this.#gathered = this.#gathered.slice(batch.length)
      this.#batchSize = batch.length
      const isDone = await this.#writeBatch(batch)
      this.#batchSize = 0
      if (isDone) continue
      this.#gathered = [...batch, ...this.#gathered]
      await this.#pause(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries))
      this.#retries += 1
    }
    this.#writing = false
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Returns false if the items are to be tried again. */
  async #writeBatch(batch: readonly Item[]): Promise<boolean> {
    try {
      await this.#write(batch)
      this.#retries = 0
      this.#limit = Math.min(this.#maxBatch, 2 * this.#limit)
      return true
    } catch (error) {
      const fields = { error: error as Error, count: batch.length }
      if (this.#closing) {
        this.#tools.log.error(fields, `the store failed for ${this.#what}; given up because the gateway is stopping`)
        this.#givenUp.resolve()
        return true
      }
      this.#tools.log.error(fields, `the store failed for ${this.#what}; retrying`)
      this.#limit = Math.max(1, batch.length >> 1)
      return false
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    let cancel: Cancel = () => {}
    await new Promise<void>((resolve) => {
      this.#cutWaitShort = resolve
      cancel = this.#tools.clock.after(milliseconds, resolve)
    })
    cancel()
    this.#cutWaitShort = null
  }
}
