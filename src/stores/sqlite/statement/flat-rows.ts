/**
 * Rows concatenated in a single array. Transferring an array to another thread costs about a microsecond, a cell next
 * to nothing, so the hot path transfers few arrays.
 */
import type { Cell } from '../../rows/cells/cell.ts'

/** Cells of rows before texts are sealed. */
type PlainCell = Exclude<Cell, Uint8Array>
/** Null for no rows. */
export type FlatRows = readonly PlainCell[] | null

export function flatten(rows: readonly (readonly PlainCell[])[]): FlatRows {
  if (rows.length === 0) return null
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first : rows.flat()
}

/** Splits it into rows of `width` cells. */
export function rowsOf<Row extends readonly Cell[]>(flat: FlatRows, width: Row['length']): Row[] {
  if (flat?.length === width) return [flat as unknown as Row]
  const rows: Row[] = []
  for (let at = 0; flat !== null && at < flat.length; at += width) {
    rows.push(flat.slice(at, at + width) as unknown as Row)
  }
  return rows
}
