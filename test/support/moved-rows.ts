/** What the file of an installation holds, for tests that move it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CROSSINGS } from '../../src/stores/move/crossings.ts'

export function tamper(folder: string, sql: string): void {
  const file = new DatabaseSync(join(folder, 'posthorn.db'))
  file.exec(sql)
  file.close()
}

/** Counts that are not summed up, and messages. */
export function countsOf(folder: string): { readonly entries: number; readonly messages: number } {
  const file = new DatabaseSync(join(folder, 'posthorn.db'), { readOnly: true })
  const count = (table: string) => Number(file.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'])
  const counts = { entries: count('message_count'), messages: count('message') }
  file.close()
  return counts
}

/** A move takes short texts out of the rows of messages. */
const ALL_TEXTS = `(SELECT * FROM message_text
  UNION ALL SELECT msg_id, contents FROM message WHERE contents IS NOT NULL)`

/** The rows of every table but those that say how the database is run; without numbers that are given anew. */
export function rowsOf(folder: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(join(folder, 'posthorn.db'), { readOnly: true })
  const rows = tablesOf(database).map((table) => {
    const found = database.prepare(`SELECT * FROM ${table === 'message_text' ? ALL_TEXTS : `"${table}"`}`).all()
    const kept = found.map(({ posting_id: _, ...row }) => {
      return table === 'meta' ? { ...row, node: 0 } : { ...row, ...(table === 'message' && { contents: null }) }
    })
    return [table, kept.map((row) => JSON.stringify(row)).sort()] as const
  })
  database.close()
  return Object.fromEntries(rows)
}

function tablesOf(database: DatabaseSync): readonly string[] {
  const moved: readonly string[] = CROSSINGS.map(({ table }) => table)
  const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1`).all()
  return rows.map(({ name }) => String(name)).filter((name) => moved.includes(name))
}

/** What no story of this file brings about is there too, with two rows, or one where an account has only one. */
export function fillEmptyTables(file: string): void {
  const database = new DatabaseSync(file)
  for (const table of tablesOf(database)) {
    if (database.prepare(`SELECT 1 FROM "${table}"`).get() !== undefined) continue
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
    for (const round of [1, 2]) {
      const cells = columns.map(({ name, type }) => fill(String(name), String(type), round))
      const places = cells.map(() => '?').join(', ')
      database.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (${places})`).run(...cells)
    }
  }
  database.close()
}

function fill(column: string, type: string, round: number): string | number | Uint8Array {
  const known: Readonly<Record<string, string | number>> = { account_id: 1, user: 'eve', carrier_id: 'sandbox-sms' }
  if (known[column] !== undefined) return known[column]
  // After `valid_from`.
  if (column === 'valid_until') return round + 1
  if (type === 'INTEGER') return round
  if (type === 'REAL') return round / 3
  return type === 'BLOB' ? Uint8Array.of(round) : `{"words": "of \\\\ ${column} ${round}, \u00e4\n"}`
}
