/**
 * A long SMS that a carrier takes in one piece under one id, although it is paid for in parts. The first part goes by
 * that id and decides; the others follow it under ids of our own, and are counted as delivered as soon as it is taken.
 */
import type { Verdict } from '../../domain/journey-event.ts'
import type { CarrierReceipt } from '../../ports/carrier.ts'

export interface WholeText {
  /** One for each part, in the order of `parts`. */
  readonly verdicts: readonly Verdict[]
  /** What is to be handed in for the parts that follow the first. */
  readonly receipts: readonly CarrierReceipt[]
}

export function spreadVerdict(verdict: Verdict, parts: readonly number[], carrierId: string): WholeText {
  if (verdict.kind !== 'taken') return { verdicts: parts.map(() => verdict), receipts: [] }
  const refs = parts.map((part, index) => (index === 0 ? verdict.ref : `${verdict.ref}#${part}`))
  return {
    verdicts: refs.map((ref) => ({ kind: 'taken', ref })),
    receipts: refs
      .slice(1)
      .map((ref) => ({ carrierId, ref, outcome: 'delivered', detail: 'goes with the first part' })),
  }
}
