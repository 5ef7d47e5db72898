/** Files of comma-separated values (RFC 4180, without line breaks in cells), as spreadsheets write and read them. */

export interface CsvLine {
  /** From 1, as editors count. */
  readonly number: number
  readonly cells: readonly string[]
}

/** The lines that are not empty. */
export function readCsv(text: string): readonly CsvLine[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, cells: readCells(line) }]))
}

/** Cells separated by commas; in quotes, a comma is a comma and two quotes are one. */
function readCells(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim())
  return [...line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )
}

/** A line break after every row. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(writeCell).join(',')}\n`).join('')
}

function writeCell(cell: string | number): string {
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
