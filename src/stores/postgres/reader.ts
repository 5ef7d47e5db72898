/**
 * Where the database is only read, or where doing the same again does no harm: a connection of its own beside the lanes.
 * What cannot be done now is tried again for as long as the store is patient.
 */
import type { Clock } from '../../ports/clock.ts'
import { StoreError } from '../../ports/store.ts'
import { judgeFailure } from './judge-failure.ts'
import type { Line } from './line.ts'
import type { Link } from './link.ts'
import type { Outage } from './outage.ts'

/** A server that stops answering is given up after so long. */
const READ_WITHIN_MS = 8_000

export type Read = Reader['read']

export class Reader {
  readonly #line: Line
  readonly #outage: Outage
  readonly #clock: Clock

  constructor(line: Line, outage: Outage, clock: Clock) {
    this.#line = line
    this.#outage = outage
    this.#clock = clock
  }

  /** Rejects with a StoreError. */
  async read<Answer>(work: (link: Link) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        const answer = await this.#try(work)
        this.#outage.over()
        return answer
      } catch (error) {
        const judgement = judgeFailure(error)
        if (judgement === 'again') continue
        if (judgement === 'command' || !(await this.#outage.wait())) {
          if (error instanceof StoreError) throw error
          throw new StoreError(error instanceof Error ? error.message : String(error), { cause: error })
        }
      }
    }
  }

  close(): Promise<void> {
    return this.#line.close()
  }

  async #try<Answer>(work: (link: Link) => Promise<Answer>): Promise<Answer> {
    const link = await this.#line.link()
    const cancel = this.#clock.after(READ_WITHIN_MS, () => link.destroy(new Error('the database does not answer')))
    try {
      return await work(link)
    } catch (error) {
      if (judgeFailure(error) === 'away') link.destroy(error as Error)
      throw error
    } finally {
      cancel()
    }
  }
}
