/** The sealed cells of a statement, by the declared columns. Only runners open and seal them. */
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell, Value } from '../../rows/cells/cell.ts'
import { placeOf } from '../../rows/sealing/seal-place.ts'
import { type SealedColumn, sealedIn } from '../../rows/sealing/sealed-columns.ts'

/** Keys without the bucket, which is no part of a place. */
const SEALED = sealedIn('sqlite')

/** A sealed cell among others: its place, and those of the key of its row. */
export interface Seal {
  readonly table: string
  readonly column: SealedColumn
  readonly at: number
  readonly key: readonly number[]
}

/** Throws if a cell is bound to the key of its row and the key is not among the columns. */
export function sealsIn(table: string, names: readonly string[]): readonly Seal[] {
  const sealed = SEALED.find((each) => each.table === table)
  const key = sealed?.key.map((name) => names.indexOf(name)) ?? []
  return (sealed?.columns ?? []).flatMap((column): readonly Seal[] => {
    const at = names.indexOf(column.name)
    if (at < 0) return []
    if (column.kind === 'bound' && key.includes(-1)) throw new Error(`${table}.${column.name} needs the key of its row`)
    return [{ table, column, at, key }]
  })
}

/** Returns a row with its sealed cells opened. */
export function openCells(vault: Vault, seals: readonly Seal[], cells: readonly Cell[]): readonly Cell[] {
  return replace(seals, cells, (seal, cell) => {
    if (cell instanceof Uint8Array) return vault.openBytes(cell)
    switch (seal.column.kind) {
      case 'text':
        return vault.openText(cell)
      case 'address':
        return vault.addresses.open(cell)
      case 'addresses':
        return vault.addresses.openIn(cell)
      case 'bound':
        return vault.openAt(cell, placeIn(seal, cells))
      default:
        return vault.open(cell)
    }
  })
}

/** Returns the values of a statement with those of sealed columns sealed. */
export function sealCells(vault: Vault, seals: readonly Seal[], cells: readonly Value[]): readonly Value[] {
  return replace(seals, cells, (seal, cell) => {
    switch (seal.column.kind) {
      case 'bytes':
        return vault.sealBytes(String(cell))
      case 'address':
        return vault.addresses.seal(String(cell))
      case 'addresses':
        return vault.addresses.sealIn(String(cell))
      case 'bound':
        return vault.sealAt(String(cell), placeIn(seal, cells))
      default:
        return vault.seal(String(cell))
    }
  })
}

function replace<Of extends Value>(
  seals: readonly Seal[],
  cells: readonly Of[],
  by: (seal: Seal, cell: string | Uint8Array) => Cell,
): readonly (Of | Cell)[] {
  if (seals.length === 0) return cells
  const replaced: (Of | Cell)[] = [...cells]
  for (const seal of seals) {
    const cell = cells[seal.at]
    if (typeof cell === 'string' || cell instanceof Uint8Array) replaced[seal.at] = by(seal, cell)
  }
  return replaced
}

function placeIn({ table, column, key }: Seal, cells: readonly Value[]): string {
  return placeOf(table, column.name, ...key.map((at) => String(cells[at])))
}
