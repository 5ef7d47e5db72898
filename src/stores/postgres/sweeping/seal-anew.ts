/**
 * Walks everything sealed, table by table in key order, a slice at a time: to re-seal what is under an old key, or to
 * count. A cell is replaced only if it is unchanged since it was read, so that concurrent writes are kept; those use
 * the new key by then, because the leases of all nodes name it.
 */
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import {
  keyOfCell,
  oldKeyOfCell,
  placeAfter,
  type SealedColumn,
  type SealedTable,
  type SealPlace,
  type SealSlice,
  SLICE_OF_SEALS,
  sealedAgain,
  sealedIn,
  tableAt,
} from '../../rows/sealing/sealed-columns.ts'
import type { TableName } from '../../tables/all-tables.ts'
import type { ArrayType } from '../connection/binary-array.ts'
import type { Connection } from '../connection/connection.ts'
import { rare, type SqlStatement, typesOf, unnest } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'

const SEALED = sealedIn('postgres')

interface Walk {
  readonly width: number
  readonly first: SqlStatement
  readonly next: SqlStatement
  readonly writes: ReadonlyMap<SealedColumn, SqlStatement>
}

const WALKS: ReadonlyMap<string, Walk> = new Map(SEALED.map((sealed) => [sealed.table, walkOf(sealed)]))

export function countSeals(connection: Connection, vault: Vault, place: SealPlace): Promise<SealSlice> {
  return look(connection, place, async (_keys, column, cells) => {
    return cells.flatMap((cell) => keyOfCell(vault, column, cell) ?? [])
  })
}

/** Seals with this key. */
export function sealAnew(connection: Connection, vault: Vault, key: string, place: SealPlace): Promise<SealSlice> {
  const { table } = tableAt(SEALED, place)
  return look(connection, place, async (keys, column, cells, write) => {
    vault.use(key)
    const found = cells.flatMap((cell, at) => {
      const keyId = oldKeyOfCell(vault, key, column, cell)
      if (keyId === null) return []
      const row = keys[at] ?? []
      return [{ keyId, row: [...row, cell, sealedAgain(vault, { table, column, key: row }, cell)] }]
    })
    if (found.length > 0) await connection.query(write, ...columnsOf(found.map(({ row }) => row)))
    return found.map(({ keyId }) => keyId)
  })
}

type LookAtColumn = (
  keys: readonly (readonly Cell[])[],
  column: SealedColumn,
  cells: readonly Cell[],
  write: SqlStatement,
) => Promise<readonly string[]>

async function look(connection: Connection, place: SealPlace, lookAt: LookAtColumn): Promise<SealSlice> {
  const [, ...after] = place
  const { table, columns } = tableAt(SEALED, place)
  const { width, first, next, writes } = WALKS.get(table) as Walk
  const rows = await (after.length === 0 ? connection.query(first) : connection.query(next, ...after))
  const keys = rows.map((row) => row.slice(0, width))
  const keyIds: string[] = []
  for (const [index, column] of columns.entries()) {
    const cells = rows.map((row) => row[width + index] ?? null)
    keyIds.push(...(await lookAt(keys, column, cells, writes.get(column) as SqlStatement)))
  }
  return { keyIds, next: placeAfter(SEALED, place, keys) }
}

function walkOf({ table, key, columns }: SealedTable): Walk {
  const types = typesOf(table as TableName, key.join(', '))
  const select = `SELECT ${[...key, ...columns.map(({ name }) => name)].join(', ')} FROM ${table}`
  const order = `ORDER BY ${key.join(', ')} LIMIT ${SLICE_OF_SEALS}`
  const after = Object.values(types).map((type, index) => `$${index + 1}::${type}`)
  return {
    width: key.length,
    first: rare(`${select} ${order}`),
    next: rare(`${select} WHERE (${key.join(', ')}) > (${after.join(', ')}) ${order}`),
    writes: new Map(columns.map((column) => [column, writeOf(table, types, column)])),
  }
}

function writeOf(table: string, key: Readonly<Record<string, ArrayType>>, { name, kind }: SealedColumn): SqlStatement {
  const type: ArrayType = kind === 'bytes' ? 'bytea' : 'text'
  const isRead = [
    ...Object.keys(key).map((each) => `${table}.${each} = new.${each}`),
    `${table}.${name} = new.cell_read`,
  ]
  return rare(
    `UPDATE ${table} SET ${name} = new.cell_sealed
     FROM ${unnest({ ...key, cell_read: type, cell_sealed: type }, 1)} WHERE ${isRead.join(' AND ')}`,
  )
}
