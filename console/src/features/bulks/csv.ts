/** Reads rows of a CSV text one by one, so that a large file is never held twice. */

const SEPARATORS = [',', ';', '\t'] as const

/** Rows without any text are skipped. A quote that does not end takes the rest of the text into its cell. */
export function* readRows(text: string): Generator<readonly string[]> {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const named = /^"?sep=([,;\t])"?\r?\n/i.exec(text.slice(start, start + 16))
  const begin = start + (named?.[0].length ?? 0)
  const separator = named?.[1] ?? separatorIn(text.slice(begin, begin + 16_384).split('\n', 1)[0] ?? '')
  let row: string[] = []
  for (let at = begin; at < text.length; ) {
    const { value, end } = text[at] === '"' ? quoted(text, at) : plain(text, at, separator)
    row.push(value)
    if (text[end] === separator && end < text.length) {
      at = end + 1
      if (at === text.length) row.push('')
      continue
    }
    if (row.some((cell) => cell.trim() !== '')) yield row
    row = []
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
  }
  if (row.some((cell) => cell.trim() !== '')) yield row
}

function separatorIn(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '')
  return [...bare].find((character) => SEPARATORS.some((each) => each === character)) ?? ','
}

interface Cell {
  readonly value: string
  /** Where what follows the cell begins. */
  readonly end: number
}

function plain(text: string, at: number, separator: string): Cell {
  let end = at
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(at, end), end }
}

function quoted(text: string, at: number): Cell {
  let value = ''
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { value: value + text.slice(from), end: text.length }
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    value += '"'
    from = quote + 2
  }
}

/** A row of one empty cell is no blank line, which would not be counted. */
export function writeRow(cells: readonly (string | number)[]): string {
  const line = cells.map((cell) => writeCell(String(cell))).join(',')
  return `${line === '' ? '""' : line}\n`
}

function writeCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Prevents spreadsheets from reading the text as a formula. Numbers stay as they are. */
export function safeCell(text: string): string {
  return /^[\s\p{Cc}\p{Cf}]*[=+@\-＝＋－＠]/u.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}
