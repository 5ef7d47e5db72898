/** Reads the operator table of a new installation: a line `mccmnc|name|prefixes` for each operator. */
import { readFileSync } from 'node:fs'
import type { OperatorPrefix } from '../../domain/numbers/operator-table.ts'

/** Part of the package, beside `src` and `dist`. */
const FILE = new URL('../../../assets/operators.txt', import.meta.url)

export function firstOperators(): readonly OperatorPrefix[] {
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => {
      const [operator = '', name = '', prefixes = ''] = line.split('|')
      return prefixes.split(' ').map((prefix) => ({ prefix, operator, name }))
    })
}
