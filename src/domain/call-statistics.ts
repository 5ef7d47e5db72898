/**
 * What became of calls, added up by day. A try to place a call counts once by how it began, in the turn that records it, and
 * one that rang counts once more by how it ended, where the carrier tells.
 */
import type { AccountId } from './account.ts'

/** Why a phone did not ring: the person has it engaged, does not want it, has it off, is not there; or it is the carrier. */
export type CallFailure = 'busy' | 'declined' | 'off' | 'wrong number' | 'failed'

/** `rang` and the failures are how it began, `answered` and `unanswered` how one that rang ended. */
type CallOutcome = 'rang' | CallFailure | 'answered' | 'unanswered'

/** Part of a turn. */
export interface CallCount {
  readonly carrierId: string
  readonly outcome: CallOutcome
  /** How long it rang, milliseconds; 0 unless it has ended. */
  readonly ringMs: number
}

/** What calls are added up by. */
export const CALL_KEYS = ['day', 'account', 'carrier', 'operator'] as const
export type CallKey = (typeof CALL_KEYS)[number]

export interface CallQuery {
  /** Days of UTC since 1970, the last one included. */
  readonly from: number
  readonly through: number
  /** Null for all. */
  readonly accountId: AccountId | null
  readonly by: readonly CallKey[]
  /** Totals at most. */
  readonly most: number
}

/** What was not asked for is null. */
interface CallPlace {
  readonly day: number | null
  readonly accountId: AccountId | null
  readonly carrierId: string | null
  /** Null when nobody knew it, too. */
  readonly operator: string | null
}

export interface CallTotal extends CallPlace {
  readonly outcome: CallOutcome
  readonly calls: number
  /** Of all of them. */
  readonly ringMs: number
}

export interface CallLine extends CallPlace {
  readonly placed: number
  readonly counts: Readonly<Record<CallOutcome, number>>
  /** Of those that ended; null when none has. */
  readonly meanRingMs: number | null
}

const DAY_MS = 86_400_000

/** The day of a moment in UTC. */
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

/** One line for each place, in the order in which the totals name them first. */
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
