/**
 * Writes things to the store one batch at a time: what comes while a batch is being written forms the next. A batch
 * that fails is kept and tried again until it works, so that nothing is lost while the process lives.
 */
import type { Cancel, Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

export interface BatchWriterTools {
  readonly clock: Clock
  readonly log: Log
}

export class BatchWriter<Item> {
  readonly #tools: BatchWriterTools
  readonly #what: string
  readonly #most: number
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

  /** `what` names the things in the log; a batch has at most `most` of them. */
  constructor(tools: BatchWriterTools, what: string, most: number, write: (batch: readonly Item[]) => Promise<void>) {
    this.#tools = tools
    this.#what = what
    this.#most = most
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
    // Whatever the same round of the event loop brings goes into the same batch.
    setImmediate(() => void this.#writeAll())
  }

  /** A batch that fails from now on is given up. Resolves when one was, if ever. */
  hurry(): Promise<void> {
    this.#closing = true
    this.#cutWaitShort?.()
    return this.#givenUp.promise
  }

  /** The same; resolves once nothing is gathered any more. */
  async close(): Promise<void> {
    void this.hurry()
    if (this.#writing) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  async #writeAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      const batch = this.#gathered.length <= this.#most ? this.#gathered : this.#gathered.slice(0, this.#most)
      this.#gathered = this.#gathered.slice(batch.length)
      this.#batchSize = batch.length
      await this.#writeBatch(batch)
      this.#batchSize = 0
    }
    this.#writing = false
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  async #writeBatch(batch: readonly Item[]): Promise<void> {
    for (;;) {
      try {
        await this.#write(batch)
        this.#retries = 0
        return
      } catch (error) {
        const fields = { error: error as Error, count: batch.length }
        if (this.#closing) {
          this.#tools.log.error(fields, `the store does not take ${this.#what}; given up, for the gateway stops`)
          this.#givenUp.resolve()
          return
        }
        this.#tools.log.error(fields, `the store does not take ${this.#what}; trying again`)
        await this.#pause(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retries))
        this.#retries += 1
      }
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
