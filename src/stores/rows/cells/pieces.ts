/**
 * Very many items on their way to or from a database, as JSON texts of a thousand each. A text is copied at once, but
 * an object or array takes microseconds: all of them would stop the event loop for seconds.
 */
import { SLICE_ITEMS, type SlicedWork } from '../../../ports/system/slices.ts'
import type { Cell } from './cell.ts'

/** JSON arrays of at most SLICE_ITEMS. */
export type Pieces = readonly string[]

export function* inPieces(items: readonly unknown[]): SlicedWork<Pieces> {
  const pieces: string[] = []
  for (let at = 0; at < items.length; at += SLICE_ITEMS) {
    pieces.push(JSON.stringify(items.slice(at, at + SLICE_ITEMS)))
    yield
  }
  return pieces
}

/** Reads rows. */
export function* readPieces<T>(pieces: Pieces, read: (row: readonly Cell[]) => T): SlicedWork<readonly T[]> {
  const items: T[] = []
  for (const piece of pieces) {
    for (const row of JSON.parse(piece) as readonly (readonly Cell[])[]) items.push(read(row))
    yield
  }
  return items
}
