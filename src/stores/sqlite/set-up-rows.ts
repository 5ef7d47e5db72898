/**
 * Rows of the tables that operators change. Changes are rare, so their statements are prepared when they are needed; but
 * some come by the ten thousand, so they are kept.
 */
import { ChangeRefused } from '../../ports/store.ts'
import type { Cell, Row } from '../rows/cell.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

export class SetUpRows {
  readonly #session: Session
  readonly #statements = new Map<string, Statement>()

  constructor(session: Session) {
    this.#session = session
  }

  /** Inserts the row, or changes the one with the same primary key. */
  put(table: string, row: Row): null {
    const columns = Object.keys(row)
    const changed = columns.map((column) => `${column} = excluded.${column}`).join(', ')
    const places = columns.map(() => '?').join(', ')
    this.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO UPDATE SET ${changed}`,
      ...Object.values(row),
    )
    return null
  }

  /** Removes the rows with these values; the number of them. */
  remove(table: string, values: Row): number {
    const where = Object.keys(values).map((column) => `${column} = ?`)
    return this.run(`DELETE FROM ${table} WHERE ${where.join(' AND ')}`, ...Object.values(values))
  }

  run(sql: string, ...values: readonly Cell[]): number {
    return this.#prepared(sql).run(...values)
  }

  all(sql: string, ...values: readonly Cell[]): readonly (readonly Cell[])[] {
    return this.#prepared(sql).all(...values)
  }

  /** The first cell of the first row; null when there is none. */
  cell(sql: string, ...values: readonly Cell[]): Cell {
    return this.#prepared(sql).first(...values)?.[0] ?? null
  }

  needAccount(id: number): void {
    if (this.cell('SELECT 1 FROM account WHERE account_id = ?', id) === null) refuse(`there is no account ${id}`)
  }

  #prepared(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? new Statement(this.#session.database, sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

export function refuse(sentence: string): never {
  throw new ChangeRefused(sentence)
}
