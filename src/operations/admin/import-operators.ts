/** Reads a table of operators, one `prefix,mccmnc,name` a line, and puts it in the place of the one before. */
import { type OperatorPrefix, writeOperators } from '../../domain/operator-table.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'
import { readCsv } from './csv.ts'

/** Every gateway has the table in memory. */
const MOST_LINES = 200_000
const LONGEST_NAME = 100

/** Answers with the number of prefixes. A first line of headings is passed over. Throws a ChangeRefused that names the line. */
export async function importOperators(store: SetupStore, csv: string): Promise<number> {
  const operators = readLines(csv)
  await store.change({ kind: 'set operators', operators: writeOperators(operators) })
  return operators.length
}

function readLines(csv: string): readonly OperatorPrefix[] {
  const operators = new Map<string, OperatorPrefix>()
  for (const { number, cells } of readCsv(csv)) {
    if (number === 1 && !/^\+?\d/.test(cells[0] ?? '')) continue
    const read = readLine(cells)
    if (typeof read === 'string') throw new ChangeRefused(`line ${number}: ${read}`)
    if (operators.has(read.prefix)) throw new ChangeRefused(`line ${number}: ${read.prefix} stands there before`)
    if (operators.size === MOST_LINES) throw new ChangeRefused(`a table takes at most ${MOST_LINES} prefixes`)
    operators.set(read.prefix, read)
  }
  return [...operators.values()]
}

/** A text says what is wrong with it. */
function readLine([prefix = '', operator = '', name = '', ...more]: readonly string[]): OperatorPrefix | string {
  if (more.length > 0) return 'has more than prefix, mccmnc and name'
  if (!/^\+?\d{1,15}$/.test(prefix)) return 'the prefix must be 1 to 15 digits, country code first'
  if (!/^\d{5,6}$/.test(operator)) return 'the operator must be its MCC and MNC, 5 or 6 digits such as 26201'
  if (name.length > LONGEST_NAME || !name.isWellFormed() || /\p{Cc}/u.test(name)) {
    return `the name must have at most ${LONGEST_NAME} characters, no control characters among them`
  }
  return { prefix: prefix.replace('+', ''), operator, name }
}
