/**
 * The statistics of messages on SQLite. A transaction adds its counts to a journal, as one row: with many accounts, the
 * rows of `message_total` would cost more than anything else that it writes. The journal is summed up before the
 * statistics are read, with each sweep, and when it is long. Each sum, and what it takes from the journal, are one
 * transaction: no count is lost or counts twice.
 */
import type { DatabaseSync } from 'node:sqlite'
import { type CountRun, CountRuns, divideRuns, mergeRuns, writeRuns } from '../../rows/statistics/count-runs.ts'
import {
  ALL_ACCOUNTS,
  type CountRow,
  type MessageTotalRow,
  recentRow,
  TOTAL_KEY,
  TOTAL_SUMS,
  TotalSums,
} from '../../rows/statistics/message-total.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Characters of the journal, of some 10,000 to 40,000 messages: dividing them takes 30 to 55 ms. */
const MAX_LENGTH = 1_500_000

/** Sums that one transaction writes: about 20 ms. */
const PART_ROWS = 8_000

interface Journal {
  entries: number
  /** Entries that are parts of a sum. */
  parts: number
  /** Characters. */
  length: number
}

export class SqliteTotals {
  readonly #runs = new CountRuns()
  readonly #sums = new TotalSums()
  readonly #add: SqlStatement
  readonly #append: SqlStatement
  readonly #measure: SqlStatement<[entries: number, parts: number, length: number]>
  readonly #takePart: SqlStatement<[counts: string]>
  readonly #takeAll: SqlStatement<[counts: string]>
  /** Null if unknown. Another process may have changed it since. */
  #journal: Journal | null = null

  constructor(database: DatabaseSync) {
    const columns = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`
    const sums = TOTAL_SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`)
    this.#add = new SqlStatement(
      database,
      `INSERT INTO message_total (${columns}) VALUES (${columns.replace(/\w+/g, '?')})
       ON CONFLICT DO UPDATE SET ${sums.join(', ')}`,
    )
    this.#append = new SqlStatement(database, 'INSERT INTO message_count (part, counts) VALUES (?, ?)')
    this.#measure = new SqlStatement(
      database,
      'SELECT count(*), coalesce(sum(part), 0), coalesce(sum(length(counts)), 0) FROM message_count',
    )
    this.#takePart = new SqlStatement(
      database,
      `DELETE FROM message_count WHERE entry_id = (SELECT min(entry_id) FROM message_count WHERE part = 1)
       RETURNING counts`,
    )
    this.#takeAll = new SqlStatement(database, 'DELETE FROM message_count RETURNING counts')
  }

  count(rows: readonly CountRow[], times?: number): void {
    this.#runs.count(rows, times)
  }

  /** Moves a row of the table to the next levels. */
  rollUp(row: MessageTotalRow): void {
    this.#sums.rollUp(row)
  }

  /** Writes the counts of the transaction, and what it has rolled up. */
  flush(): void {
    const counts = this.#runs.take()
    if (counts !== null) this.#keep(counts, 0)
    for (const row of this.#sums.take()) this.#add.run(...row)
  }

  /** Sums up a part of the journal if it is long. Called by each transaction that writes. */
  keepShort(): void {
    const { length, parts } = this.#state
    if (parts > 0 || length > MAX_LENGTH) this.sumUp()
  }

  /** Sums up a part of the journal; returns whether more is left. */
  sumUp(): boolean {
    this.#journal = null
    if (this.#state.parts > 0) {
      this.#write(mergeRuns(this.#takePart.all().flat()))
    } else {
      const parts = divideRuns(mergeRuns(this.#takeAll.all().flat()), PART_ROWS)
      if (parts.length > 1) for (const part of parts) this.#keep(writeRuns(part), 1)
      else this.#write(parts[0] ?? [])
    }
    this.#journal = null
    return this.#state.entries > 0
  }

  /** After a transaction that was rolled back: drops what it has not written, and the journal is another. */
  forget(): void {
    this.#runs.clear()
    this.#sums.clear()
    this.#journal = null
  }

  #keep(counts: string, part: 0 | 1): void {
    const state = this.#state
    this.#append.run(part, counts)
    state.entries += 1
    state.parts += part
    state.length += counts.length
  }

  #write(runs: readonly CountRun[]): void {
    for (const [count, shares] of runs) {
      let all = 0
      for (const [accountId, sender, times] of shares) {
        this.#add.run(...recentRow(count, accountId, sender, times))
        all += times
      }
      this.#sums.addToAll(recentRow(count, ALL_ACCOUNTS, '', all))
    }
    this.flush()
  }

  get #state(): Journal {
    if (this.#journal === null) {
      const [entries, parts, length] = this.#measure.first() ?? [0, 0, 0]
      this.#journal = { entries, parts, length }
    }
    return this.#journal
  }
}
