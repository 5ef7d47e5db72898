/** How a posting is shown: its kind in plain words, a refund as a correction, and one downwards below zero. */
import type { Posting } from '../../domain/money/ledger.ts'
import { toDecimal } from '../../domain/money/money.ts'

export function plainKind(kind: Posting['kind']): string {
  return kind === 'refund' || kind.startsWith('correction') ? 'correction' : kind
}

export function signedAmount({ kind, amountMicros }: Posting): number {
  return kind === 'correction down' ? -toDecimal(amountMicros) : toDecimal(amountMicros)
}
