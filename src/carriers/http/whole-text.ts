/**
 * A long SMS that a carrier takes as one request, although it is paid for in parts. With one id, the first part has it
 * and decides; the other parts get ids of Posthorn's own and count as delivered once the message is taken. If the
 * carrier sends a receipt for each part, all parts have the one id. With an id
 * for each part, each part has its own; if the carrier makes more parts, the last one has the rest.
 */
import type { Verdict } from '../../domain/message/journey-event.ts'
import { gravestOf } from '../../domain/message/verdicts.ts'
import type { CarrierReceipt } from '../../ports/carriers/carrier.ts'

/** Of the entries of an answer. */
export type Verdicts = readonly [Verdict, ...Verdict[]]

interface WholeText {
  /** One for each part, in the order of `parts`. */
  readonly verdicts: readonly Verdict[]
  /** Receipts to record for the parts without an entry. */
  readonly receipts: readonly CarrierReceipt[]
}

interface Spreading {
  readonly carrierId: string
  /** Whether the carrier sends a receipt for each part. */
  readonly perPart: boolean
}

export function spreadVerdicts(
  entries: Verdicts,
  parts: readonly number[],
  { carrierId, perPart }: Spreading,
): WholeText {
  const [first] = entries
  if (perPart && entries.length === 1 && parts.length > 1 && first.kind === 'taken') {
    return { verdicts: parts.map(() => ({ ...first, perPart: true })), receipts: [] }
  }
  const refs = entries.flatMap((entry) => (entry.kind === 'taken' ? entry.ref : []))
  const [firstRef] = refs
  const gravest = gravestOf(entries)
  if (firstRef === undefined) return { verdicts: parts.map(() => gravest ?? entries[0]), receipts: [] }
  const ownRefs = parts.slice(entries.length).map((part) => `${firstRef}#${part}`)
  const last = Math.min(entries.length, parts.length) - 1
  const answered = entries.slice(0, last).map(besideTaken)
  return {
    verdicts: [...answered, joined(entries.slice(last)), ...ownRefs.map((ref) => ({ kind: 'taken', ref }) as const)],
    receipts: ownRefs.map((ref) => ({ carrierId, ref, outcome: 'delivered', detail: 'goes with the first part' })),
  }
}

/** Returns the verdict on a part that is several of the carrier. */
function joined(entries: readonly Verdict[]): Verdict {
  const gravest = gravestOf(entries)
  if (gravest !== null) return besideTaken(gravest)
  const [ref = '', ...furtherRefs] = entries.flatMap((entry) => (entry.kind === 'taken' ? entry.ref : []))
  return furtherRefs.length === 0 ? { kind: 'taken', ref } : { kind: 'taken', ref, furtherRefs }
}

/** A part cannot be sent again without those that were taken, which the recipient would get twice. */
function besideTaken(verdict: Verdict): Verdict {
  if (verdict.kind === 'taken' || verdict.kind === 'refused') return verdict
  return { kind: 'refused', status: 'REJECTED', reason: `${verdict.reason}; other parts were taken` }
}
