/**
 * Which mobile operator gave out which numbers, by longest prefix. Tables have tens of thousands of lines and are kept,
 * handed over and compared as one text. Numbers that were ported stand with the operator that they came from.
 */
import type { Phone } from './phone.ts'
import { PrefixTable } from './prefix-table.ts'

/** Whose numbers begin so. */
export interface OperatorPrefix {
  /** At least one digit; the longest prefix wins. */
  readonly prefix: string
  /** MCC and MNC, `26201`. */
  readonly operator: string
  /** For people; may be empty, and has no control characters. */
  readonly name: string
}

export class OperatorTable {
  /** As `writeOperators` made it. */
  readonly text: string
  readonly #operators = new PrefixTable<string>()

  constructor(text: string) {
    this.text = text
    for (const { prefix, operator } of readOperators(text)) this.#operators.set(prefix, operator)
  }

  /** Null when the table does not know it. */
  operatorOf(phone: Phone): string | null {
    return this.#operators.find(phone) ?? null
  }
}

/** One line for each, sorted: equal tables are equal texts. */
export function writeOperators(operators: readonly OperatorPrefix[]): string {
  const lines = operators.map(({ prefix, operator, name }) => `${prefix}\t${operator}\t${name}\n`)
  return lines.sort().join('')
}

export function readOperators(text: string): readonly OperatorPrefix[] {
  return text.split('\n').flatMap((line) => {
    const [prefix, operator, name = ''] = line.split('\t')
    return prefix === undefined || operator === undefined ? [] : [{ prefix, operator, name }]
  })
}
