/** Reads a table of operators, one `prefix,mccmnc,name` a line, and puts it in the place of the one before. */
import { type OperatorPrefix, writeOperators } from '../../domain/operator-table.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'

/** Every gateway has the table in memory. */
const MOST_LINES = 200_000
const LONGEST_NAME = 100

/** Answers with the number of prefixes. A first line of headings is passed over. Throws a ChangeRefused that names the line. */
export async function importOperators(store: Store, csv: string): Promise<number> {
  const operators = readLines(csv)
  await store.change({ kind: 'set operators', operators: writeOperators(operators) })
  return operators.length
}

function readLines(csv: string): readonly OperatorPrefix[] {
  const lines = csv.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const operators = new Map<string, OperatorPrefix>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (index === 0 && !/^"?\+?\d/.test(line))) continue
    const read = readLine(line)
    if (typeof read === 'string') throw new ChangeRefused(`line ${index + 1}: ${read}`)
    if (operators.has(read.prefix)) throw new ChangeRefused(`line ${index + 1}: ${read.prefix} stands there before`)
    if (operators.size === MOST_LINES) throw new ChangeRefused(`a table takes at most ${MOST_LINES} prefixes`)
    operators.set(read.prefix, read)
  }
  return [...operators.values()]
}

/** A text says what is wrong with it. */
function readLine(line: string): OperatorPrefix | string {
  const [prefix = '', operator = '', name = '', ...more] = readCells(line)
  if (more.length > 0) return 'has more than prefix, mccmnc and name'
  if (!/^\+?\d{1,15}$/.test(prefix)) return 'the prefix must be 1 to 15 digits, country code first'
  if (!/^\d{5,6}$/.test(operator)) return 'the operator must be its MCC and MNC, 5 or 6 digits such as 26201'
  if (name.length > LONGEST_NAME || !name.isWellFormed() || /\p{Cc}/u.test(name)) {
    return `the name must have at most ${LONGEST_NAME} characters, no control characters among them`
  }
  return { prefix: prefix.replace('+', ''), operator, name }
}

/** Cells separated by commas; in quotes, a comma is a comma and two quotes are one (RFC 4180, without line breaks). */
function readCells(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:\s*"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  )
}
