/** Reads a file that the user chose as a sheet, while the page stays usable. */
import { SheetError, type SheetFault } from '../../../../src/sheets/sheet-error.ts'
import { readSheetText, type SheetText } from '../../../../src/sheets/sheet-text.ts'
import { runBetweenFrames } from '../../parts/between-frames.ts'

const MAX_ROWS = 60_000
/** As the API takes, and as a workbook may have. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_CHARACTERS = 12 * 1024 * 1024

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
