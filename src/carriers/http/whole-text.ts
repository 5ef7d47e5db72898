/**
 * A long SMS that a carrier takes as one request with one id, although it is paid for in parts. The first part has that
 * id and decides; the other parts get ids of Posthorn's own and count as delivered once the message is taken.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'

export interface WholeText {
  /** One for each part, in the order of `parts`. */
  readonly verdicts: readonly Verdict[]
  /** Receipts to record for the parts after the first. */
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
