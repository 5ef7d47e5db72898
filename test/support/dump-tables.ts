/** All rows of a database as text, bytes included: what can be read in a copy of it. */

import { TABLES } from '../../src/stores/tables/all-tables.ts'
import type { StoreKind } from '../../src/stores/tables/declaration.ts'

type Query = (sql: string) => Promise<readonly object[]> | readonly object[]

export async function dumpTables(store: StoreKind, query: Query): Promise<string> {
  const dumped: string[] = []
  for (const { name } of TABLES[store]) {
    for (const row of await query(`SELECT * FROM ${name}`)) {
      const cells = Object.values(row).map((cell) =>
        cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell),
      )
      dumped.push(`${name}: ${cells.join(' | ')}`)
    }
  }
  return dumped.join('\n')
}
