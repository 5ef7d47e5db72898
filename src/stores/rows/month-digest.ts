/** A fingerprint of what a month of an account came to: the same totals have the same, and no others. */
import { hash } from 'node:crypto'
import { balanceOf, type TotalRow } from './posting-row.ts'

/** SHA-256, hexadecimal. The order of the rows does not matter. */
export function digestMonth(totals: readonly TotalRow[]): string {
  return hash('sha256', JSON.stringify(totals.map((row) => JSON.stringify(row)).sort()))
}

export interface ClosedMonth {
  readonly closingMicros: number
  readonly digest: string
}

/** What is written of a month that is closed. `totals` are those of the account up to the month. */
export function closeMonth(totals: readonly TotalRow[], closing: number): ClosedMonth {
  const amounts = totals.map(([, , kind, , , , , , , amountMicros]) => [kind, amountMicros] as const)
  return { closingMicros: balanceOf(amounts), digest: digestMonth(totals.filter(([, month]) => month === closing)) }
}
