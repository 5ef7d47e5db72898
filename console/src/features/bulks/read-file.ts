/** Reads a file of recipients, CSV or XLSX, as CSV text, while the page stays usable. */
import { SheetError } from '../../../../src/sheets/sheet-error.ts'
import { readSheetText } from '../../../../src/sheets/sheet-text.ts'
import { runBetweenFrames } from '../../parts/between-frames.ts'

/** Of a text; a workbook has a smaller limit of its own. */
const MAX_BYTES = 128 * 1024 * 1024
/** With the header; of a workbook. */
const MAX_ROWS = 200_001

/** Rejects with SheetError. */
export async function readFileText(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new SheetError('size', 'the file is too large')
  const work = readSheetText(new Uint8Array(await file.arrayBuffer()), { maxRows: MAX_ROWS })
  return (await runBetweenFrames(work)).text
}
