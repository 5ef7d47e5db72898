/** Reads a file that the user chose as a sheet, while the page stays usable. */
import { SheetError, type SheetFault } from '../../../../src/sheets/sheet-error.ts'
import { readSheetText, type SheetText } from '../../../../src/sheets/sheet-text.ts'

const MAX_ROWS = 60_000
/** As the API takes, and as a workbook may have. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_CHARACTERS = 12 * 1024 * 1024
const SLICE_MS = 20

/** Returns why it cannot be read. */
export async function readFile(file: File, sheet?: string): Promise<SheetText | SheetFault> {
  if (file.size > MAX_BYTES) return 'size'
  const options = sheet === undefined ? { maxRows: MAX_ROWS } : { maxRows: MAX_ROWS, sheet }
  try {
    const read = await runBetweenFrames(readSheetText(new Uint8Array(await file.arrayBuffer()), options))
    return read.text.length > MAX_CHARACTERS ? 'size' : read
  } catch (error) {
    return error instanceof SheetError ? error.fault : 'broken'
  }
}

/** Lets the browser draw and take input every few milliseconds. */
async function runBetweenFrames<T>(work: Generator<undefined, T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  let next = work.next()
  while (next.done !== true) {
    if (performance.now() > until) {
      await new Promise((resolve) => setTimeout(resolve))
      until = performance.now() + SLICE_MS
    }
    next = work.next()
  }
  return next.value
}
