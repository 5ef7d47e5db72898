/**
 * A prepared statement with typed rows. Rows come as arrays in the order of the SELECT, which is cheaper than objects
 * and crosses to another thread as it is. Booleans are 0 and 1.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Cell } from '../rows/cell.ts'

export class Statement<Row extends readonly Cell[] = readonly Cell[]> {
  readonly #statement: StatementSync

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql)
    this.#statement.setReturnArrays(true)
  }

  /** Rows changed. */
  run(...values: readonly Cell[]): number {
    return Number(this.#statement.run(...values).changes)
  }

  first(...values: readonly Cell[]): Row | undefined {
    return this.#statement.get(...values) as unknown as Row | undefined
  }

  /** The same one by one, for as long as the caller goes on. */
  iterate(...values: readonly Cell[]): IterableIterator<Row> {
    return this.#statement.iterate(...values) as unknown as IterableIterator<Row>
  }

  all(...values: readonly Cell[]): Row[] {
    return this.#statement.all(...values) as unknown as Row[]
  }
}
