/**
 * Reads and idempotent writes on a connection beside the lanes. Retries while the database is unavailable, up to the
 * store's patience.
 */
import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Clock } from '../../../ports/system/clock.ts'
import type { Connection } from './connection.ts'
import { judgeStatementFailure } from './judge-failure.ts'
import type { LastingConnection } from './lasting-connection.ts'
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
  readonly #lasting: LastingConnection
  readonly #outage: Outage
  readonly #clock: Clock
  readonly #withinMs: number

  constructor(lasting: LastingConnection, { clock, patienceMs, withinMs = READ_WITHIN_MS }: ReaderOptions) {
    this.#lasting = lasting
    this.#outage = new Outage(clock, patienceMs)
    this.#clock = clock
    this.#withinMs = withinMs
  }

  /** Rejects with a StoreError. */
  async read<Answer>(work: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const patience = this.#outage.begin()
    for (;;) {
      try {
        const answer = await this.#try(work, patience)
        this.#outage.over()
        return answer
      } catch (error) {
        const judgement = judgeStatementFailure(error)
        if (judgement === 'again') continue
        if (judgement === 'command' || !(await patience.wait())) {
          if (error instanceof StoreError) throw error
          throw new StoreError(error instanceof Error ? error.message : String(error), { cause: error })
        }
      }
    }
  }

  close(): Promise<void> {
    return this.#lasting.close()
  }

  async #try<Answer>(work: (connection: Connection) => Promise<Answer>, patience: Patience): Promise<Answer> {
    const connection = await this.#lasting.connection()
    const silent = new Error('the database does not answer')
    const cancel = this.#clock.after(patience.limitOf(this.#withinMs), () => connection.destroy(silent))
    try {
      return await work(connection)
    } catch (error) {
      if (judgeStatementFailure(error) === 'away') connection.destroy(error)
      throw error
    } finally {
      cancel()
    }
  }
}
