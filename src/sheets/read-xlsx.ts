/**
 * Reads a sheet of an XLSX workbook as rows of texts. It runs where the file is chosen, in the browser or the command,
 * so that no gateway unpacks files of others. Values of formulas are read as they were saved.
 */
import { plainText, showNumber } from './cell-value.ts'
import { SheetError } from './sheet-error.ts'
import { keep, type OpenFile, readPart, readWorkbook, type Workbook } from './workbook.ts'

export interface XlsxOptions {
  /** The sheet to read; the first one that is shown by default. */
  readonly sheet?: string
  /** Blank rows between others count. */
  readonly maxRows: number
}

export interface XlsxSheet {
  /** All names, those of hidden sheets last. */
  readonly sheets: readonly string[]
  readonly sheet: string
  /** Blank rows are empty, so that the place of a row is its number less one. Without blank rows at the end. */
  readonly rows: readonly (readonly string[])[]
}

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 32 * MIB
const MAX_UNPACKED_BYTES = 512 * MIB
const MAX_CHARACTERS = 128 * MIB
/** As in a CSV file. */
const MAX_CELLS = 100
/** Rows without a value with their cells, and cells beyond MAX_CELLS: so many are read in about a second. */
const MAX_BLANK = 300_000

/** Returns whether the bytes begin as a ZIP file, as every XLSX workbook does. */
export function isZip(bytes: Uint8Array): boolean {
  return begins(bytes, [0x50, 0x4b, 0x03, 0x04])
}

/** Whether they begin as files of old spreadsheets do, and as new ones with a password. */
export function isOldWorkbook(bytes: Uint8Array): boolean {
  return begins(bytes, [0xd0, 0xcf, 0x11, 0xe0])
}

function begins(bytes: Uint8Array, first: readonly number[]): boolean {
  return first.every((byte, at) => bytes[at] === byte)
}

/** Yields often: let other work run between. Throws SheetError. */
export function* readXlsx(bytes: Uint8Array, { sheet, maxRows }: XlsxOptions): Generator<undefined, XlsxSheet> {
  if (bytes.length > MAX_FILE_BYTES) {
    throw new SheetError('size', `the file has more than ${MAX_FILE_BYTES / MIB} MiB`)
  }
  if (isOldWorkbook(bytes)) {
    throw new SheetError('locked', 'the file is an old XLS workbook, or has a password: save it as XLSX without one')
  }
  if (!isZip(bytes)) throw new SheetError('format', 'the file is not an XLSX workbook')
  const file = { bytes, budget: { bytes: MAX_UNPACKED_BYTES }, characters: MAX_CHARACTERS }
  const workbook = yield* readWorkbook(file)
  const sheets = workbook.sheets.map(({ name }) => name)
  const chosen = workbook.sheets.find(({ name }) => sheet === undefined || name === sheet)
  if (chosen === undefined) {
    const names = sheets.slice(0, 20).join(', ')
    throw new SheetError('sheet', sheets.length === 0 ? 'the workbook has no sheet' : `the sheets are: ${names}`)
  }
  const reader = new RowReader(file, workbook, maxRows)
  yield* readPart(file, chosen.part, reader)
  return { sheets, sheet: chosen.name, rows: reader.rows }
}

class RowReader {
  readonly rows: string[][] = []
  readonly #file: OpenFile
  readonly #workbook: Workbook
  readonly #maxRows: number
  /** Its number, from 1. */
  #row = 0
  #cells: string[] = []
  #column = 0
  /** Elements, without a value too. */
  #cellsOfRow = 0
  #blank = 0
  #type = 'n'
  #style = 0
  #value = ''
  /** Whether texts are of the value: in `v`, or in `t` of an inline text. */
  #inValue = false
  #inReading = false

  constructor(file: OpenFile, workbook: Workbook, maxRows: number) {
    this.#file = file
    this.#workbook = workbook
    this.#maxRows = maxRows
  }

  open(name: string, { r, t, s }: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#row = r === undefined ? this.#row + 1 : Number(r)
      this.#cells = []
      this.#cellsOfRow = 0
      this.#column = 0
    } else if (name === 'c') {
      if (r !== undefined) this.#column = columnOf(r)
      this.#type = t ?? 'n'
      this.#style = Number(s ?? 0)
      this.#value = ''
    } else if (name === 'rPh') this.#inReading = true
    this.#inValue = (name === 'v' || name === 't') && !this.#inReading
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text
  }

  close(name: string): void {
    this.#inValue = false
    if (name === 'rPh') this.#inReading = false
    if (name === 'c') this.#takeCell()
    if (name === 'row') this.#takeRow()
  }

  #takeCell(): void {
    const value = this.#read().trim()
    const column = this.#column
    this.#column += 1
    this.#cellsOfRow += 1
    if (this.#cellsOfRow > MAX_CELLS) this.#countBlank(1)
    if (value === '') return
    if (column >= MAX_CELLS) throw new SheetError('cells', `row ${this.#row} has more than ${MAX_CELLS} columns`)
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = keep(this.#file, value)
  }

  #read(): string {
    const { texts, styles } = this.#workbook
    const value = this.#value
    if (this.#type === 's') return value === '' ? '' : (texts[Number(value)] ?? refuse('a text is missing'))
    if (this.#type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    return this.#type === 'n' ? showNumber(value, this.#style, styles) : plainText(value)
  }

  /** Spreadsheets often have thousands of formatted rows without a value. */
  #takeRow(): void {
    if (this.#cells.length === 0) {
      this.#countBlank(1 + Math.min(this.#cellsOfRow, MAX_CELLS))
      return
    }
    if (!(this.#row > this.rows.length && this.#row <= this.#maxRows)) {
      if (this.#row > this.#maxRows) throw new SheetError('rows', `the sheet has more than ${this.#maxRows} rows`)
      refuse(`row ${this.#row} is not in order`)
    }
    while (this.rows.length < this.#row - 1) this.rows.push([])
    this.rows.push(this.#cells)
  }

  #countBlank(elements: number): void {
    this.#blank += elements
    if (this.#blank > MAX_BLANK) {
      throw new SheetError('blank', `the sheet has more than ${MAX_BLANK} blank rows and cells: delete them`)
    }
  }
}

function refuse(why: string): never {
  throw new SheetError('broken', `the file is damaged: ${why}`)
}

/** `C7` is the column 2. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const place = letter.charCodeAt(0) - 64
    if (place < 1 || place > 26) break
    column = column * 26 + place
  }
  return column - 1
}
