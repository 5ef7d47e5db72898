/** Reads one entry of a ZIP file, piece by piece, within limits that are counted while unpacking. */
import { Unzip, UnzipInflate } from 'fflate'
import { SheetError } from './sheet-error.ts'

/** Compressed bytes of a piece: unpacked at most a thousand times as long, before its bytes are counted. */
const PIECE_BYTES = 4 * 1024
const MAX_ENTRIES = 1_000

/** Bytes that may still be unpacked, of all entries together. */
export interface UnpackBudget {
  bytes: number
}

/**
 * Passes the pieces of the first entry with the name to `take`. Returns whether there is one. Yields after each
 * piece of the file. Throws SheetError, or what `take` throws.
 */
export function* readEntry(
  file: Uint8Array,
  name: string,
  budget: UnpackBudget,
  take: (piece: Uint8Array, isLast: boolean) => void,
): Generator<undefined, boolean> {
  let [entries, found, isDone] = [0, false, false]
  const unzip = new Unzip((entry) => {
    entries += 1
    if (entries > MAX_ENTRIES) throw new SheetError('size', `the file has more than ${MAX_ENTRIES} parts`)
    if (found || entry.name !== name) return
    found = true
    entry.ondata = (error, piece, isLast) => {
      if (error !== null) throw error
      budget.bytes -= piece.length
      if (budget.bytes < 0) throw new SheetError('size', 'the unpacked file is too large')
      take(piece, isLast)
      isDone = isLast
    }
    entry.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < file.length && !isDone; at += PIECE_BYTES) {
    unzip.push(file.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= file.length)
    yield
  }
  if (found && !isDone) throw new SheetError('broken', 'the file is incomplete')
  return found
}
