/**
 * Which mobile operator assigned which numbers, by longest prefix. Tables have tens of thousands of lines and are
 * stored, passed and compared as one text. Ported numbers are listed under the operator that assigned them.
 */
import type { Phone } from './phone.ts'
import { PrefixTable } from './prefix-table.ts'

/** The numbers with this prefix. */
export interface OperatorPrefix {
  /** At least one digit; the longest prefix wins. */
  readonly prefix: string
  /** MCC and MNC, `26201`. */
  readonly operator: string
  /** For operators of the gateway; may be empty, and has no control characters. */
  readonly name: string
}

export class OperatorTable {
  /** As written by `writeOperators`. */
  readonly text: string
  readonly #operators = new PrefixTable<string>()

  /** Built on first use. */
  #names: ReadonlyMap<string, string> | null = null
  /** Built on first use. */
  #prefixes: ReadonlyMap<string, readonly string[]> | null = null

  constructor(text: string) {
    this.text = text
    for (const { prefix, operator } of readOperators(text)) this.#operators.set(prefix, operator)
  }

  /** Returns null if the table has no matching prefix. */
  operatorOf(phone: Phone): string | null {
    return this.#operators.find(phone) ?? null
  }

  /** Returns null if the table has no name of the operator. */
  nameOf(operator: string): string | null {
    this.#names ??= operatorNames(this.text)
    return this.#names.get(operator) ?? null
  }

  /** Returns the operator's longest prefix of the number; otherwise its first one; null if it has none. */
  prefixOf(operator: string, phone: Phone): string | null {
    this.#prefixes ??= prefixesByOperator(this.text)
    const prefixes = this.#prefixes.get(operator) ?? []
    return prefixes.findLast((prefix) => phone.startsWith(prefix)) ?? prefixes[0] ?? null
  }
}

/** Writes one line for each, sorted: equal tables are equal texts. */
export function writeOperators(operators: readonly OperatorPrefix[]): string {
  const lines = operators.map(({ prefix, operator, name }) => `${prefix}\t${operator}\t${name}\n`)
  return lines.sort().join('')
}

/** Returns the name of each operator, the first one that is not empty. */
export function operatorNames(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { operator, name } of readOperators(text))
    if (name !== '' && !names.has(operator)) names.set(operator, name)
  return names
}

/** In the order of their text: the longer one of two prefixes of a number is later. */
function prefixesByOperator(text: string): ReadonlyMap<string, readonly string[]> {
  const prefixes = new Map<string, string[]>()
  for (const { prefix, operator } of readOperators(text)) {
    const known = prefixes.get(operator)
    if (known === undefined) prefixes.set(operator, [prefix])
    else known.push(prefix)
  }
  return prefixes
}

export function readOperators(text: string): readonly OperatorPrefix[] {
  return text.split('\n').flatMap((line) => {
    const [prefix, operator, name = ''] = line.split('\t')
    return prefix === undefined || operator === undefined ? [] : [{ prefix, operator, name }]
  })
}
