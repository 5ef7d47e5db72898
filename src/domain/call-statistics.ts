/**
 * Daily statistics of call outcomes. An attempt to place a call counts once by how it began, in the turn that records
 * it; a call that rang counts again by how it ended, if the carrier reports that.
 */
import type { AccountId } from './account.ts'

/** Why a phone did not ring. `failed`: the carrier's fault. */
export type CallFailure = 'busy' | 'declined' | 'off' | 'wrong number' | 'failed'

/** `rang` and the failures say how a call began, `answered` and `unanswered` how a call that rang ended. */
type CallOutcome = 'rang' | CallFailure | 'answered' | 'unanswered'

/** Part of a turn. */
export interface CallCount {
  readonly carrierId: string
  readonly outcome: CallOutcome
  /** How long it rang, milliseconds; 0 unless it has ended. */
  readonly ringMs: number
}

/** The dimensions of call totals. */
export const CALL_KEYS = ['day', 'account', 'carrier', 'operator'] as const
export type CallKey = (typeof CALL_KEYS)[number]

export interface CallQuery {
  /** Days since 1970, UTC; `through` is included. */
  readonly from: number
  readonly through: number
  /** Null for all. */
  readonly accountId: AccountId | null
  readonly by: readonly CallKey[]
  /** Maximum number of totals. */
  readonly limit: number
}

/** Dimensions that were not requested are null. */
interface CallPlace {
  readonly day: number | null
  readonly accountId: AccountId | null
  readonly carrierId: string | null
  /** Null also if unknown. */
  readonly operator: string | null
}

export interface CallTotal extends CallPlace {
  readonly outcome: CallOutcome
  readonly calls: number
  /** Sum over these calls. */
  readonly ringMs: number
}

export interface CallLine extends CallPlace {
  readonly placed: number
  readonly counts: Readonly<Record<CallOutcome, number>>
  /** Mean of the calls that ended; null if none has. */
  readonly meanRingMs: number | null
}

const DAY_MS = 86_400_000

/** Returns the UTC day of a time. */
export function callDay(at: number): number {
  return Math.floor(at / DAY_MS)
}

const NONE: Readonly<Record<CallOutcome, number>> = {
  rang: 0,
  busy: 0,
  declined: 0,
  off: 0,
  'wrong number': 0,
  failed: 0,
  answered: 0,
  unanswered: 0,
}

/** Returns one line per combination of dimensions, in the order of the totals. */
export function drawCallLines(totals: readonly CallTotal[]): readonly CallLine[] {
  const places = Map.groupBy(totals, ({ day, accountId, carrierId, operator }) =>
    JSON.stringify([day, accountId, carrierId, operator]),
  )
  return [...places.values()].flatMap((found) => {
    const [first] = found
    if (first === undefined) return []
    const { day, accountId, carrierId, operator } = first
    const counts = { ...NONE }
    for (const { outcome, calls } of found) counts[outcome] += calls
    const ended = counts.answered + counts.unanswered
    const ringMs = found.reduce((sum, total) => sum + total.ringMs, 0)
    const meanRingMs = ended === 0 ? null : ringMs / ended
    const began = counts.rang + counts.busy + counts.declined + counts.off + counts['wrong number'] + counts.failed
    return [{ day, accountId, carrierId, operator, placed: began, counts, meanRingMs }]
  })
}
