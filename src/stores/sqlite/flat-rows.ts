/**
 * Rows laid one after the other in a single array. An array costs about a microsecond to hand to another thread, a cell
 * next to none, so the hot path hands over few arrays.
 */
import type { Cell } from '../rows/cell.ts'

/** Null for no rows. */
export type FlatRows = readonly Cell[] | null

export function flatten(rows: readonly (readonly Cell[])[]): FlatRows {
  if (rows.length === 0) return null
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first : rows.flat()
}

/** The rows again, each of `width` cells. */
export function rowsOf<Row extends readonly Cell[]>(flat: FlatRows, width: Row['length']): Row[] {
  const rows: Row[] = []
  for (let at = 0; flat !== null && at < flat.length; at += width) {
    rows.push(flat.slice(at, at + width) as unknown as Row)
  }
  return rows
}
