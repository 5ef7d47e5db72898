/** Every sealed column, so that all of it can be counted and re-sealed, and how its cells are sealed. */
import { UNNAMED_KEY } from '../../../ports/records/sealing.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { TABLES } from '../../tables/all-tables.ts'
import type { SealKind, StoreKind, Table } from '../../tables/declaration.ts'
import type { Cell } from '../cells/cell.ts'
import { placeOf } from './seal-place.ts'

export interface SealedTable extends Pick<Table, 'key'> {
  readonly table: string
  readonly columns: readonly SealedColumn[]
}

export interface SealedColumn {
  readonly name: string
  readonly kind: SealKind
}

/** Returns the tables of a store with something sealed. Those that grow with the messages come last. */
export function sealedIn(store: StoreKind): readonly SealedTable[] {
  return TABLES[store].flatMap(({ name: table, key, columns }) => {
    const found = columns.flatMap(({ name, sealed }) => (sealed === null ? [] : [{ name, kind: sealed }]))
    return found.length === 0 ? [] : [{ table, key, columns: found }]
  })
}

/** Rows per transaction: few enough to hardly delay traffic. */
export const SLICE_OF_SEALS = 200

/** After the row with this key; at the beginning of the table if there is none. */
export type SealPlace = readonly [table: number, ...after: readonly Cell[]]

export const FIRST_SEALS: SealPlace = [0]

export interface SealSlice {
  /** The key name of each seal: of all, or of those that were re-sealed. */
  readonly keyIds: readonly string[]
  /** Where the next slice begins; null if this was the last. */
  readonly next: SealPlace | null
}

export function tableAt(tables: readonly SealedTable[], [number]: SealPlace): SealedTable {
  const table = tables[number]
  if (table === undefined) throw new RangeError('there is no such table')
  return table
}

/** `keys` are those of the rows of a slice. */
export function placeAfter(
  tables: readonly SealedTable[],
  [number]: SealPlace,
  keys: readonly (readonly Cell[])[],
): SealPlace | null {
  const last = keys.at(-1)
  if (keys.length === SLICE_OF_SEALS && last !== undefined) return [number, ...last]
  return number + 1 < tables.length ? [number + 1] : null
}

/** Returns the name of the key that a cell is sealed with; null if it is not sealed. */
export function keyOfCell(vault: Vault, { kind }: SealedColumn, cell: Cell): string | null {
  if (cell === null || typeof cell === 'number') return null
  if (isOfAddresses(kind)) return queryKeys(vault, kind, String(cell)).find((key) => key !== null) ?? null
  const keyId = vault.keyOf(cell)
  // Texts were never sealed before keys had names: this one only looks sealed.
  return kind === 'text' && keyId === UNNAMED_KEY ? null : keyId
}

/**
 * Returns the name of the key of a cell that has to be re-sealed with this key: one under another key, without its
 * place, or with an address whose query is not sealed, which has none.
 */
export function oldKeyOfCell(vault: Vault, key: string, column: SealedColumn, cell: Cell): string | null {
  if (isOfAddresses(column.kind)) {
    if (typeof cell !== 'string' || !vault.addresses.isSealing) return null
    const old = queryKeys(vault, column.kind, cell).find((each) => each !== key)
    return old === undefined ? null : (old ?? UNNAMED_KEY)
  }
  const keyId = keyOfCell(vault, column, cell)
  if (keyId !== key || column.kind !== 'bound') return keyId === key ? null : keyId
  return vault.isBound(String(cell)) ? null : keyId
}

/** Seals the cell with the current key. `key` is that of its row. */
export function sealedAgain(
  vault: Vault,
  { table, column: { name, kind }, key }: { table: string; column: SealedColumn; key: readonly Cell[] },
  cell: Cell,
): string | Uint8Array {
  if (kind === 'bytes') return vault.sealBytes(vault.openBytes(cell as Uint8Array))
  if (kind === 'text') return vault.seal(vault.openText(String(cell)))
  if (kind === 'address') return vault.addresses.seal(vault.addresses.open(String(cell)))
  if (kind === 'addresses') return vault.addresses.sealIn(vault.addresses.openIn(String(cell)))
  if (kind === 'secret') return vault.seal(vault.open(String(cell)))
  const place = placeOf(table, name, ...key)
  return vault.sealAt(vault.openAt(String(cell), place), place)
}

function isOfAddresses(kind: SealKind): kind is 'address' | 'addresses' {
  return kind === 'address' || kind === 'addresses'
}

/** Returns the name of the key of each query in a cell; null for one that is not sealed. */
function queryKeys({ addresses }: Vault, kind: 'address' | 'addresses', cell: string): readonly (string | null)[] {
  if (kind === 'addresses') return addresses.keysIn(cell)
  return cell.includes('?') ? [addresses.keyOf(cell)] : []
}
