/**
 * Reads and idempotent writes on a connection beside the lanes. Retries while the database is unavailable, up to the
 * store's patience.
 */
import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import { judgeFailure } from './judge-failure.ts'
import type { Line } from './line.ts'
import type { Link } from './link.ts'
import { Outage, type Patience } from './outage.ts'

/** A server that stops answering is given up after this time. */
const READ_WITHIN_MS = 8_000

export interface ReaderOptions {
  readonly clock: Clock
  /** How long calls wait while the database is unavailable. */
  readonly patienceMs: number
  /** Milliseconds for one try, READ_WITHIN_MS by default. */
  readonly withinMs?: number
}

export type Read = Reader['read']

export class Reader {
  readonly #line: Line
  readonly #outage: Outage
  readonly #clock: Clock
  readonly #withinMs: number

  constructor(line: Line, { clock, patienceMs, withinMs = READ_WITHIN_MS }: ReaderOptions) {
    this.#line = line
    this.#outage = new Outage(clock, patienceMs)
    this.#clock = clock
    this.#withinMs = withinMs
  }

  /** Rejects with a StoreError. */
  async read<Answer>(work: (link: Link) => Promise<Answer>): Promise<Answer> {
    const patience = this.#outage.begin()
    for (;;) {
      try {
        const answer = await this.#try(work, patience)
        this.#outage.over()
        return answer
      } catch (error) {
        const judgement = judgeFailure(error)
        if (judgement === 'again') continue
        if (judgement === 'command' || !(await patience.wait())) {
          if (error instanceof StoreError) throw error
          throw new StoreError(error instanceof Error ? error.message : String(error), { cause: error })
        }
      }
    }
  }

  close(): Promise<void> {
    return this.#line.close()
  }

  async #try<Answer>(work: (link: Link) => Promise<Answer>, patience: Patience): Promise<Answer> {
    const link = await this.#line.link()
    const silent = new Error('the database does not answer')
    const cancel = this.#clock.after(patience.limitOf(this.#withinMs), () => link.destroy(silent))
    try {
      return await work(link)
    } catch (error) {
      if (judgeFailure(error) === 'away') link.destroy(error)
      throw error
    } finally {
      cancel()
    }
  }
}
