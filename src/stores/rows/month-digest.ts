/** A fingerprint of what a month of an account came to: the same totals have the same, and no others. */
import { hash } from 'node:crypto'
import type { TotalRow } from './posting-row.ts'

/** SHA-256, hexadecimal. The order of the rows does not matter. */
export function digestMonth(totals: readonly TotalRow[]): string {
  return hash('sha256', JSON.stringify(totals.map((row) => JSON.stringify(row)).sort()))
}
