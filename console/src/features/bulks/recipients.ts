/** The rows of a file as lines of a bulk: which column is the phone, the id and each placeholder. */
import { readRows, writeRow } from './csv.ts'

export interface RecipientFile {
  readonly name: string
  /** CSV with a header row. */
  readonly text: string
  readonly header: readonly string[]
  /** Without the header. */
  readonly rows: number
}

/** By name of the line's column: the place in the file; absent if none is chosen. */
export type Mapping = Readonly<Record<string, number>>

/** Of one request. */
const PART_LINES = 2_000
const PART_CHARACTERS = 300_000

const PHONE_NAMES = /^(phone|mobile|msisdn|cell|tel|telefon|handy|mobil|nummer|number|recipient|empf(ae|ä)nger|to)/i

export function openFile(name: string, text: string): RecipientFile {
  let header: readonly string[] = []
  let rows = -1
  for (const row of readRows(text)) {
    if (rows === -1) header = row.map((cell) => cell.trim())
    rows += 1
  }
  return { name, text, header, rows: Math.max(0, rows) }
}

/** The columns of the file that have the names of these, in any case; for the phone also usual ones. */
export function guessMapping({ header }: RecipientFile, columns: readonly string[]): Mapping {
  const placeOf = (column: string) => {
    const exact = header.indexOf(column)
    if (exact >= 0) return exact
    const alike = header.findIndex((each) => each.toLowerCase() === column.toLowerCase())
    if (alike >= 0 || column !== 'phone') return alike
    return header.findIndex((each) => PHONE_NAMES.test(each))
  }
  const places = columns.map((column) => [column, placeOf(column)] as const)
  return Object.fromEntries(places.filter(([, place]) => place >= 0))
}

/** The first column that has no place; null if all have one. */
export function missingColumn(mapping: Mapping, columns: readonly string[]): string | null {
  return columns.find((column) => column !== 'id' && mapping[column] === undefined) ?? null
}

export interface FilePart {
  /** With a header row. */
  readonly csv: string
  /** Number of its first line. */
  readonly from: number
  readonly lines: number
}

/** The lines from this number on, in parts for single requests. `most`: of all parts. */
export function* partsOf(file: RecipientFile, mapping: Mapping, from = 1, most = file.rows): Generator<FilePart> {
  const names = Object.keys(mapping)
  const head = writeRow(names)
  let csv = head
  let [first, next] = [from, 0]
  for (const row of readRows(file.text)) {
    // The header is row 0.
    if (next >= from && next < from + most) {
      csv += writeRow(names.map((name) => row[mapping[name] ?? -1] ?? ''))
      if (next + 1 - first >= PART_LINES || csv.length >= PART_CHARACTERS) {
        yield { csv, from: first, lines: next + 1 - first }
        csv = head
        first = next + 1
      }
    }
    next += 1
    if (next >= from + most) break
  }
  if (next > first) yield { csv, from: first, lines: next - first }
}

const PLACEHOLDER = /(\\?)\{\{([A-Za-z][A-Za-z0-9_]{0,39})\}\}/g

/** Placeholders of all texts of a message, each once. The place of a link that the gateway fills is none. */
function placeholdersOf(message: unknown): readonly string[] {
  const names = [...JSON.stringify(message).matchAll(PLACEHOLDER)].flatMap(([, backslash, name = '']) =>
    backslash === '' && name !== 'unsubscribe' ? [name] : [],
  )
  return [...new Set(names)]
}

/** Columns of the lines of a message: those that it needs, and the optional id. */
export function columnsOf(message: unknown): readonly string[] {
  return [...new Set(['phone', ...placeholdersOf(message), 'id'])]
}
