/** Turns a file as carriers and customers send it, CSV or XLSX, into CSV text in UTF-8, which is what the API takes. */
import { isOldWorkbook, isZip, readXlsx, type XlsxOptions } from './read-xlsx.ts'
import { SheetError } from './sheet-error.ts'

export interface SheetText {
  readonly text: string
  /** Names of the sheets of a workbook; none for a text file. */
  readonly sheets: readonly string[]
  /** The one that was read. */
  readonly sheet: string | null
}

/** Lines of the text are rows of the sheet. Yields often: let other work run between. Throws SheetError. */
export function* readSheetText(bytes: Uint8Array, options: XlsxOptions): Generator<undefined, SheetText> {
  const read = isZip(bytes) || isOldWorkbook(bytes) ? yield* readWorkbookText(bytes, options) : readPlain(bytes)
  // A workbook may have another sheet.
  if (read.sheets.length < 2 && read.text.trim() === '') throw new SheetError('empty', 'the file is empty')
  return read
}

function readPlain(bytes: Uint8Array): SheetText {
  return { text: decodeText(bytes), sheets: [], sheet: null }
}

function* readWorkbookText(bytes: Uint8Array, options: XlsxOptions): Generator<undefined, SheetText> {
  const { rows, ...names } = yield* readXlsx(bytes, options)
  return { text: writeRows(rows), ...names }
}

/** UTF-8, UTF-16 with a mark, or else the Windows characters that spreadsheets of western Europe write. */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A cell stays in its line: breaks within it become spaces. */
function writeRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\n`).join('')
}

function writeCell(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ')
  return /[",;\t]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line
}
