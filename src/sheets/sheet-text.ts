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

/** So many characters show whether a file is a text. */
const SAMPLE_CHARACTERS = 1024
/** Control characters that no text has. Letters of other code pages than the one tried may look like higher ones. */
const BINARY = /[^\P{Cc}\t\n\v\f\r\x80-\x9f]/u

/** Lines of the text are rows of the sheet. Yields often: let other work run between. Throws SheetError. */
export function* readSheetText(bytes: Uint8Array, options: XlsxOptions): Generator<undefined, SheetText> {
  const read = isZip(bytes) || isOldWorkbook(bytes) ? yield* readWorkbookText(bytes, options) : readPlain(bytes)
  // A workbook may have another sheet.
  if (read.sheets.length < 2 && read.text.trim() === '') throw new SheetError('empty', 'the file is empty')
  return read
}

function readPlain(bytes: Uint8Array): SheetText {
  const text = decodeText(bytes)
  if (BINARY.test(text.slice(0, SAMPLE_CHARACTERS))) {
    throw new SheetError('format', 'the file is not a CSV or XLSX file')
  }
  return { text, sheets: [], sheet: null }
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
