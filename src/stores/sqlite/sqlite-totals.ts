/** What a transaction on SQLite adds to the statistics of messages: written once, before the commit. */
import type { DatabaseSync } from 'node:sqlite'
import { TOTAL_KEY, TOTAL_SUMS, TotalSums } from '../rows/message-total.ts'
import { Statement } from './statement.ts'

export class SqliteTotals extends TotalSums {
  readonly #add: Statement

  constructor(database: DatabaseSync) {
    super()
    const columns = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`
    const sums = TOTAL_SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`)
    this.#add = new Statement(
      database,
      `INSERT INTO message_total (${columns}) VALUES (${columns.replace(/\w+/g, '?')})
       ON CONFLICT DO UPDATE SET ${sums.join(', ')}`,
    )
  }

  /** Writes the counts of the transaction. */
  flush(): void {
    for (const row of this.take()) this.#add.run(...row)
  }
}
