/** Reads a file that the user chose as a sheet, while the page stays usable. */
import { SheetError, type SheetFault } from '../../../../src/sheets/sheet-error.ts'
import { readSheetText, type SheetText } from '../../../../src/sheets/sheet-text.ts'
import { runBetweenFrames } from '../../parts/between-frames.ts'

const MAX_ROWS = 60_000
/** As the API takes, and as a workbook may have. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_CHARACTERS = 12 * 1024 * 1024

/** As the API takes. */
const MAX_FILE_NAME = 200

/** Returns the name for the audit log. */
export function fileNameOf({ name }: File): string {
  return name.slice(0, MAX_FILE_NAME)
}

export interface NamedSheet extends SheetText {
  readonly name: string
}

/** Returns why it cannot be read. */
export async function readFile(file: File, sheet?: string): Promise<NamedSheet | SheetFault> {
  if (file.size > MAX_BYTES) return 'size'
  const options = sheet === undefined ? { maxRows: MAX_ROWS } : { maxRows: MAX_ROWS, sheet }
  try {
    const read = await runBetweenFrames(readSheetText(new Uint8Array(await file.arrayBuffer()), options))
    return read.text.length > MAX_CHARACTERS ? 'size' : { ...read, name: fileNameOf(file) }
  } catch (error) {
    return error instanceof SheetError ? error.fault : 'broken'
  }
}
