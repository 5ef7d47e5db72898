/** A page as it is found, before anything is made of its rows. */
import type { Cell } from './cell.ts'

/** Rows looked at for one page. */
export const MAX_SEEN = 20_000

export interface PageOfCells {
  /** The first cell of a row is where it stands. */
  readonly rows: readonly (readonly Cell[])[]
  readonly next: number | null
}

/** What a row takes, bytes. */
export function sizeOfCells(row: readonly Cell[]): number {
  return row.reduce<number>((sum, cell) => sum + (cell === null || typeof cell === 'number' ? 8 : cell.length), 0)
}

/** Leaves the last place to the next page, for some of its rows may be there. */
export function withoutCutOff(rows: PageOfCells['rows']): PageOfCells['rows'] {
  const last = rows.at(-1)?.[0]
  const whole = rows.filter(([key]) => key !== last)
  return whole.length > 0 ? whole : rows
}
