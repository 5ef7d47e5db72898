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
  SEALED_TABLES,
  type SealedColumn,
  type SealedTable,
  type SealPlace,
  type SealSlice,
  SLICE_OF_SEALS,
  sealedAgain,
  tableAt,
} from '../../rows/sealing/sealed-columns.ts'
import type { ArrayType } from '../connection/binary-array.ts'
import type { Link } from '../connection/link.ts'
import { rare, type Statement, unnest } from '../connection/statement.ts'
import { columnsOf } from '../session/session.ts'

/** Primary keys that differ in PostgreSQL. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  sms_template: ['bucket', 'account_id', 'name'],
  idempotency: ['bucket', 'account_id', 'key'],
  inbound_part: ['bucket', 'carrier_id', 'sender', 'recipient', 'reference', 'total', 'number'],
  inbound_message: ['bucket', 'inbound_id'],
  link: ['bucket', 'msg_id', 'code'],
  link_total: ['bucket', 'account_id', 'day', 'bulk_id', 'target'],
  report: ['bucket', 'msg_id', 'number'],
  message_text: ['bucket', 'msg_id'],
  bulk: ['bucket', 'bulk_id'],
  bulk_lines: ['bucket', 'bulk_id', 'last_line'],
}

/** Key columns that are not text. */
const TYPES: Readonly<Record<string, ArrayType>> = {
  one: 'smallint',
  bucket: 'smallint',
  account_id: 'bigint',
  day: 'integer',
  template_id: 'bigint',
  inbound_id: 'bigint',
  msg_id: 'bigint',
  bulk_id: 'bigint',
  last_line: 'bigint',
  reference: 'bigint',
  total: 'integer',
  number: 'integer',
}

interface Walk {
  readonly width: number
  readonly first: Statement
  readonly next: Statement
  readonly writes: ReadonlyMap<SealedColumn, Statement>
}

const WALKS: ReadonlyMap<string, Walk> = new Map(SEALED_TABLES.map((sealed) => [sealed.table, walkOf(sealed)]))

export function countSeals(link: Link, vault: Vault, place: SealPlace): Promise<SealSlice> {
  return look(link, place, async (_keys, column, cells) => {
    return cells.flatMap((cell) => keyOfCell(vault, column, cell) ?? [])
  })
}

/** Seals with this key. */
export function sealAnew(link: Link, vault: Vault, key: string, place: SealPlace): Promise<SealSlice> {
  const { table } = tableAt(SEALED_TABLES, place)
  return look(link, place, async (keys, column, cells, write) => {
    vault.use(key)
    const found = cells.flatMap((cell, at) => {
      const keyId = oldKeyOfCell(vault, key, column, cell)
      if (keyId === null) return []
      const row = keys[at] ?? []
      return [{ keyId, row: [...row, cell, sealedAgain(vault, { table, column, key: row }, cell)] }]
    })
    if (found.length > 0) await link.query(write, ...columnsOf(found.map(({ row }) => row)))
    return found.map(({ keyId }) => keyId)
  })
}

type LookAtColumn = (
  keys: readonly (readonly Cell[])[],
  column: SealedColumn,
  cells: readonly Cell[],
  write: Statement,
) => Promise<readonly string[]>

async function look(link: Link, place: SealPlace, lookAt: LookAtColumn): Promise<SealSlice> {
  const [, ...after] = place
  const { table, columns } = tableAt(SEALED_TABLES, place)
  const { width, first, next, writes } = WALKS.get(table) as Walk
  const rows = await (after.length === 0 ? link.query(first) : link.query(next, ...after))
  const keys = rows.map((row) => row.slice(0, width))
  const keyIds: string[] = []
  for (const [index, column] of columns.entries()) {
    const cells = rows.map((row) => row[width + index] ?? null)
    keyIds.push(...(await lookAt(keys, column, cells, writes.get(column) as Statement)))
  }
  return { keyIds, next: placeAfter(SEALED_TABLES, place, keys) }
}

function walkOf({ table, key, columns }: SealedTable): Walk {
  const names = KEYS[table] ?? key
  const select = `SELECT ${[...names, ...columns.map(({ name }) => name)].join(', ')} FROM ${table}`
  const order = `ORDER BY ${names.join(', ')} LIMIT ${SLICE_OF_SEALS}`
  const after = names.map((name, index) => `$${index + 1}::${TYPES[name] ?? 'text'}`)
  return {
    width: names.length,
    first: rare(`${select} ${order}`),
    next: rare(`${select} WHERE (${names.join(', ')}) > (${after.join(', ')}) ${order}`),
    writes: new Map(columns.map((column) => [column, writeOf(table, names, column)])),
  }
}

function writeOf(table: string, key: readonly string[], { name, kind }: SealedColumn): Statement {
  const type: ArrayType = kind === 'bytes' ? 'bytea' : 'text'
  const types = Object.fromEntries(key.map((each) => [each, TYPES[each] ?? 'text']))
  const isRead = [...key.map((each) => `${table}.${each} = new.${each}`), `${table}.${name} = new.cell_read`]
  return rare(
    `UPDATE ${table} SET ${name} = new.cell_sealed
     FROM ${unnest({ ...types, cell_read: type, cell_sealed: type }, 1)} WHERE ${isRead.join(' AND ')}`,
  )
}
