/** How a posting is shown: its kind in plain words, and a correction downwards below zero. */
import type { Posting } from '../../domain/money/ledger.ts'
import { toDecimal } from '../../domain/money/money.ts'

export function plainKind(kind: Posting['kind']): string {
  return kind.startsWith('correction') ? 'correction' : kind
}

/** For clients, a refund is a correction that names its message. */
export function clientKind(kind: Posting['kind']): string {
  return kind === 'refund' ? 'correction' : plainKind(kind)
}

export function signedAmount({ kind, amountMicros }: Posting): number {
  return kind === 'correction down' ? -toDecimal(amountMicros) : toDecimal(amountMicros)
}
