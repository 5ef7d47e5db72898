/**
 * A prepared statement with typed rows. Rows are arrays in SELECT order, which are cheaper than objects and are sent to
 * another thread unchanged. Booleans are 0 and 1.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Cell } from '../rows/cell.ts'

export class Statement<Row extends readonly Cell[] = readonly Cell[]> {
  readonly #statement: StatementSync

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql)
    this.#statement.setReturnArrays(true)
  }

  /** Returns the number of changed rows. */
  run(...values: readonly Cell[]): number {
    return Number(this.#statement.run(...values).changes)
  }

  first(...values: readonly Cell[]): Row | undefined {
    return this.#statement.get(...values) as unknown as Row | undefined
  }

  /** Returns the rows one by one, as long as the caller continues. */
  iterate(...values: readonly Cell[]): IterableIterator<Row> {
    return this.#statement.iterate(...values) as unknown as IterableIterator<Row>
  }

  all(...values: readonly Cell[]): Row[] {
    return this.#statement.all(...values) as unknown as Row[]
  }
}
