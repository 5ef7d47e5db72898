/** A fingerprint of an account's totals of a month: equal only for equal totals. */
import { hash } from 'node:crypto'
import { balanceOf, type PostingTotalRow } from './posting-row.ts'

/** SHA-256, hexadecimal. Independent of row order. */
export function digestMonth(totals: readonly PostingTotalRow[]): string {
  return hash('sha256', JSON.stringify(totals.map((row) => JSON.stringify(row)).sort()))
}

export interface ClosedMonth {
  readonly closingMicros: number
  readonly digest: string
}

/** Returns the row of a closed month. `totals` are those of the account up to the month. */
export function closeMonth(totals: readonly PostingTotalRow[], closing: number): ClosedMonth {
  const amounts = totals.map(([, , kind, , , , , , , amountMicros]) => [kind, amountMicros] as const)
  return { closingMicros: balanceOf(amounts), digest: digestMonth(totals.filter(([, month]) => month === closing)) }
}
