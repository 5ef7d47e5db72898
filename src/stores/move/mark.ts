/** The mark of a move in a database: both ends have it, with the same id. */
import { StoreError } from '../../ports/records/store-errors.ts'
import type { Cell } from '../rows/cells/cell.ts'

export interface MoveMark {
  readonly id: string
  /** `in`: the installation is being moved here. `out`: it is being moved away, or was. `undone`: it was moved back. */
  readonly direction: 'in' | 'out' | 'undone'
  /** The name of the other end, for messages to operators. */
  readonly other: string
  readonly place: MovePlace
}

/** How far a move has come. */
export interface MovePlace {
  /** The index of the table in the list of crossings. */
  readonly table: number
  /** The key of the last copied row of the table, as in the source; null before the first. */
  readonly after: readonly Cell[] | null
  /** Rows of all tables. */
  readonly rows: number
  /** In the mark of the source of a finished move: the last node number of the target before anything worked there. */
  readonly targetNode?: number
}

export const BEGINNING: MovePlace = { table: 0, after: null, rows: 0 }

export type MarkRow = [moveId: string, direction: string, other: string, place: string]

export const MARK_COLUMNS = 'move_id, direction, other, place'

export function readMark(row: readonly Cell[] | undefined): MoveMark | null {
  if (row === undefined) return null
  const [id, direction, other, place] = row as unknown as MarkRow
  const known = direction === 'in' || direction === 'undone' ? direction : 'out'
  return { id, direction: known, other, place: JSON.parse(place) as MovePlace }
}

export function markRow({ id, direction, other, place }: MoveMark): MarkRow {
  return [id, direction, other, JSON.stringify(place)]
}

/** Throws a StoreError if work on a database with this mark is not allowed. */
export function refuseToWork(mark: MoveMark | null): void {
  if (mark === null) return
  throw new StoreError(REFUSALS[mark.direction](mark.other))
}

const REFUSALS: Readonly<Record<MoveMark['direction'], (other: string) => string>> = {
  in: (other) => `a move from ${other} to here is not finished: stop Posthorn there and repeat the same posthorn move`,
  out: (other) =>
    `the installation was moved from here to ${other}, or is being moved: use it there, or undo the move with ` +
    'posthorn move --undo, after which the copy there must not be used',
  undone: (other) => `the move from ${other} to here was undone: use the installation there; this is an old copy`,
}
