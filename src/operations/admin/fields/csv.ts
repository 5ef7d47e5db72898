/** Reads and writes CSV files of spreadsheets: cells separated by commas, semicolons or tabs, quoted where needed. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import { nextTurn } from '../../../ports/system/slices.ts'

export interface CsvLine {
  /** Counts from 1, as editors do. */
  readonly number: number
  readonly cells: readonly string[]
}

export interface CsvLimits {
  /** Maximum lines that are not empty, headings included. */
  readonly maxLines: number
  /** The error about a longer file. */
  readonly tooMany: string
  /** There may be titles before the headings: the separator is read from several lines. */
  readonly hasTitle?: boolean
}

/** Maximum characters of a line or cell; longer ones are refused before more is read. */
const MAX_LINE_CHARACTERS = 10_000
const MAX_CELLS = 100
/** Characters parsed in one turn of the event loop. A row of another length costs the parser an error with a stack. */
const SLICE_CHARACTERS = 2 * 1024
/** Empty lines and line breaks within quotes are counted too, but against a higher limit. */
const LINE_BREAKS_PER_LINE = 2

interface ParsedLine {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/**
 * Returns the lines that are not empty. Parses in slices, and stops at the first line beyond a limit. Throws
 * ChangeRefused naming the line of an unreadable file.
 */
export async function readCsv(text: string, limits: CsvLimits): Promise<readonly CsvLine[]> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text, limits.hasTitle === true ? TITLE_LINES : 1),
    info: true,
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  pipeline(Readable.from(slicesOf(text, parser, limits)), parser, () => {})
  const lines: CsvLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedLine>) {
      if (record.length > MAX_CELLS) throw new ChangeRefused(`line ${info.lines}: has more than ${MAX_CELLS} cells`)
      if (record.every((cell) => cell === '')) continue
      if (lines.length === limits.maxLines) throw new ChangeRefused(limits.tooMany)
      lines.push({ number: info.lines, cells: record })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ChangeRefused(`line ${error['lines'] ?? 1}: ${error.message}`)
  }
  return lines
}

async function* slicesOf(text: string, parser: Parser, { maxLines, tooMany }: CsvLimits): AsyncIterable<string> {
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    if (parser.info.lines > maxLines * LINE_BREAKS_PER_LINE) throw new ChangeRefused(tooMany)
    yield text.slice(at, at + SLICE_CHARACTERS)
    await nextTurn()
  }
}

/** Lines with titles and headings, and some that follow. */
const TITLE_LINES = 50

/** Detects the separator from the first lines: the headings. */
function delimiterOf(text: string, lines: number): string {
  const first = text
    .slice(0, MAX_LINE_CHARACTERS)
    .split(/[\r\n]+/, lines)
    .join('\n')
  const bare = first.replace(/"(?:[^"]|"")*"/g, '')
  const counts = [',', ';', '\t'].map((each) => [each, bare.split(each).length] as const)
  return counts.reduce((most, next) => (next[1] > most[1] ? next : most))[0]
}

/** Whether the cells name at least so many columns: each begins with a letter. */
export function isHeading(cells: readonly string[], columns: number): boolean {
  return cells.length >= columns && cells.every((cell) => /^\p{L}/u.test(cell))
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
    // Some spreadsheets separate cells by semicolons or tabs.
    { record_delimiter: 'unix', quoted_match: /[;\t]/ },
  )
}

/**
 * Prevents spreadsheets from reading the text as a formula, also behind characters that they drop. Numbers stay as they
 * are.
 */
export function plainCell(text: string): string {
  return /^[\s\p{Cc}\p{Cf}]*[=+@\-＝＋－＠]|^[\t\r\n]/u.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}
