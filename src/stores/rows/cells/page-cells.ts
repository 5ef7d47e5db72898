/** A page as read, before its rows are converted. */
import type { Cell } from './cell.ts'

/** Maximum of rows read for one page. */
export const MAX_SEEN = 20_000

export interface PageOfCells {
  /** The first cell of a row is its key. */
  readonly rows: readonly (readonly Cell[])[]
  readonly next: number | null
}

/** Returns the bytes of a row. */
export function sizeOfCells(row: readonly Cell[]): number {
  return row.reduce<number>((sum, cell) => sum + (cell === null || typeof cell === 'number' ? 8 : cell.length), 0)
}

/** Leaves the last key to the next page, because more of its rows may follow. */
export function withoutCutOff(rows: PageOfCells['rows']): PageOfCells['rows'] {
  const last = rows.at(-1)?.[0]
  const whole = rows.filter(([key]) => key !== last)
  return whole.length > 0 ? whole : rows
}
