/**
 * Walks everything sealed, table by table in key order, a slice at a time: to re-seal what is under an old key, or to
 * count. Concurrent writes are sealed with the current key, wherever they are stored, so one walk visits everything
 * under other keys.
 */
import type { Cell } from '../../rows/cells/cell.ts'
import {
  keyOfCell,
  oldKeyOfCell,
  placeAfter,
  type SealedColumn,
  type SealPlace,
  type SealSlice,
  SLICE_OF_SEALS,
  sealedAgain,
  sealedIn,
  tableAt,
} from '../../rows/sealing/sealed-columns.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Everything sealed in a SQLite file. */
export const SEALED_IN_FILE = sealedIn('sqlite')

export function countSeals({ database, vault }: Session): (place: SealPlace) => SealSlice {
  return (place) => {
    const keyIds: string[] = []
    const next = walk(database, place, (_row, column, cell) => {
      const keyId = keyOfCell(vault, column, cell)
      if (keyId !== null) keyIds.push(keyId)
    })
    return { keyIds, next }
  }
}

export function sealAnew({ database, vault }: Session): (place: SealPlace) => SealSlice {
  return (place) => {
    const keyIds: string[] = []
    const { table, key, columns } = tableAt(SEALED_IN_FILE, place)
    const write = new Map(
      columns.map((column) => {
        const sql = `UPDATE ${table} SET ${column.name} = ? WHERE ${tuple(key)} = ${places(key)}`
        return [column, new SqlStatement(database, sql)]
      }),
    )
    const next = walk(database, place, (row, column, cell) => {
      const keyId = oldKeyOfCell(vault, vault.keyId, column, cell)
      if (keyId === null) return
      keyIds.push(keyId)
      write.get(column)?.run(sealedAgain(vault, { table, column, key: row }, cell), ...row)
    })
    return { keyIds, next }
  }
}

/** Visits every sealed cell of one slice. Returns where the next one begins. */
function walk(
  database: Session['database'],
  place: SealPlace,
  look: (key: readonly Cell[], column: SealedColumn, cell: Cell) => void,
): SealPlace | null {
  const { table, key, columns } = tableAt(SEALED_IN_FILE, place)
  const [, ...after] = place
  const where = after.length === 0 ? '' : `WHERE ${tuple(key)} > ${places(key)}`
  const names = [...key, ...columns.map(({ name }) => name)].join(', ')
  const sql = `SELECT ${names} FROM ${table} ${where} ORDER BY ${key.join(', ')} LIMIT ${SLICE_OF_SEALS}`
  const rows = new SqlStatement(database, sql).all(...after)
  const keys = rows.map((row) => row.slice(0, key.length))
  for (const [at, row] of rows.entries()) {
    for (const [index, column] of columns.entries()) look(keys[at] ?? [], column, row[key.length + index] ?? null)
  }
  return placeAfter(SEALED_IN_FILE, place, keys)
}

function tuple(names: readonly string[]): string {
  return `(${names.join(', ')})`
}

function places(names: readonly string[]): string {
  return tuple(names.map(() => '?'))
}
