/** Reads and writes CSV files of spreadsheets: cells separated by commas, semicolons or tabs, quoted where needed. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { ChangeRefused } from '../../ports/store-errors.ts'

export interface CsvLine {
  /** Counts from 1, as editors do. */
  readonly number: number
  readonly cells: readonly string[]
}

/** Maximum characters of a line or cell; longer ones are refused before more is read. */
const MAX_LINE_CHARACTERS = 10_000

interface ParsedLine {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** Returns the lines that are not empty. Throws ChangeRefused naming the line of an unreadable file. */
export function readCsv(text: string): readonly CsvLine[] {
  try {
    const lines = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      max_record_size: MAX_LINE_CHARACTERS,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as readonly ParsedLine[]
    return lines.flatMap(({ record, info }) =>
      record.some((cell) => cell !== '') ? { number: info.lines, cells: record } : [],
    )
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ChangeRefused(`line ${error['lines'] ?? 1}: ${error.message}`)
  }
}

/** Detects the separator from the first line, the headings. */
function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, MAX_LINE_CHARACTERS).split(/[\r\n]/, 1)
  const bare = first.replace(/"(?:[^"]|"")*"/g, '')
  const counts = [',', ';', '\t'].map((each) => [each, bare.split(each).length] as const)
  return counts.reduce((most, next) => (next[1] > most[1] ? next : most))[0]
}

/** Rows written at a time. */
const LINES_OF_PIECE = 500

/** Returns the text of the rows in pieces, each built on demand. */
export function* writeCsvPieces(rows: Iterable<readonly (string | number)[]>): Iterable<string> {
  let lines: (readonly (string | number)[])[] = []
  for (const row of rows) {
    lines.push(row)
    if (lines.length < LINES_OF_PIECE) continue
    yield writeCsv(lines)
    lines = []
  }
  if (lines.length > 0) yield writeCsv(lines)
}

/** Ends every row with a line break. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'unix' },
  )
}
