/** Rows of the tables that operators change. Changes are rare: each of their statements is made when it is first needed. */
import { ChangeRefused } from '../../ports/store.ts'
import type { Cell, Row } from '../rows/cell.ts'
import type { Asked } from './link.ts'
import type { Session } from './session.ts'
import { rare, type Statement } from './statement.ts'

/** What tells one row from another, where rows are replaced. */
const KEYS: Readonly<Record<string, string>> = {
  api_key: 'hash',
  sender: 'account_id, channel, name',
  carrier: 'carrier_id',
  pool: 'pool_id',
  route: 'channel, prefix, carrier_id, account_id, sender',
  cost: 'carrier_id, category, prefix, operator',
  operators: 'one',
  chat_template: 'template_id',
  guard_settings: 'one',
  listed_number: 'list, digits, whole',
  traffic_alarm: 'account_id, kind, prefix',
  admin_user: 'name',
  admin_token: 'hash',
  login_tally: 'name',
}

const statements = new Map<string, Statement>()

export class SetUpRows {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  /** Inserts the row, or changes the one with the same primary key. */
  async put(table: string, row: Row): Promise<null> {
    const columns = Object.keys(row).map(quoted)
    const changed = columns.map((column) => `${column} = excluded.${column}`).join(', ')
    const places = columns.map(() => '?').join(', ')
    await this.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})
       ON CONFLICT (${KEYS[table]}) DO UPDATE SET ${changed}`,
      ...Object.values(row),
    )
    return null
  }

  /** Removes the rows with these values; the number of them. */
  remove(table: string, values: Row): Promise<number> {
    const where = Object.keys(values).map((column) => `${quoted(column)} = ?`)
    return this.run(`DELETE FROM ${table} WHERE ${where.join(' AND ')}`, ...Object.values(values))
  }

  /** Question marks stand for the values. Answers with how many rows were changed. */
  async run(sql: string, ...values: readonly Cell[]): Promise<number> {
    return (await this.#ask(sql, values)).count
  }

  /** The rows. */
  async all(sql: string, ...values: readonly Cell[]): Promise<readonly (readonly Cell[])[]> {
    return (await this.#ask(sql, values)).rows
  }

  /** The first cell of the first row; null when there is none. */
  async cell(sql: string, ...values: readonly Cell[]): Promise<Cell> {
    return (await this.#ask(sql, values)).rows[0]?.[0] ?? null
  }

  async needAccount(id: number): Promise<void> {
    const known = await this.cell('SELECT 1 FROM account WHERE account_id = ?', id)
    if (known === null) refuse(`there is no account ${id}`)
  }

  #ask(sql: string, values: readonly Cell[]): Promise<Asked<readonly Cell[]>> {
    let place = 0
    const text = sql.replace(/\?/g, () => `$${++place}`)
    const statement = statements.get(text) ?? rare(text)
    statements.set(text, statement)
    return this.#session.tell(statement, ...values)
  }
}

export function refuse(sentence: string): never {
  throw new ChangeRefused(sentence)
}

/** One of our columns is named as a word of SQL. */
function quoted(column: string): string {
  return column === 'user' ? '"user"' : column
}
