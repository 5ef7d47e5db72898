/**
 * Daily statistics of calls and verifications. An attempt to place a call counts once by how it began, in the turn that
 * records it; a call that rang counts again by how it ended, if the carrier reports that. A verification counts once,
 * by how it ended.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { CallFailure } from '../message/journey-event.ts'
import { END_STATES, type EndState } from '../message/verification.ts'

/** `rang` and the failures say how a call began, `answered` and `unanswered` how a call that rang ended. */
type CallOutcome = 'rang' | CallFailure | 'answered' | 'unanswered'

/** How a verification ended. */
type VerifyOutcome = `verify ${EndState}`

/** Part of a turn. */
export interface CallCount {
  /** Of a verification, the carrier of its last step; empty without one. */
  readonly carrierId: string
  readonly outcome: CallOutcome | VerifyOutcome
  /** How long it rang, milliseconds; 0 unless it has ended. Of a verification, the time until it was approved. */
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
export interface CallPlace {
  readonly day: number | null
  readonly accountId: AccountId | null
  readonly carrierId: string | null
  /** Null also if unknown. */
  readonly operator: string | null
}

export interface CallTotal extends CallPlace {
  readonly outcome: CallOutcome | VerifyOutcome
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

export interface VerifyLine extends CallPlace {
  readonly started: number
  readonly counts: Readonly<Record<EndState, number>>
  /** Mean time until a code was approved; null if none was. */
  readonly meanMs: number | null
}

/** Returns one line per combination of dimensions, in the order of the totals. */
export function drawCallLines(totals: readonly CallTotal[]): readonly CallLine[] {
  return placesOf(totals.filter(isOfCalls)).map(([place, found]) => {
    const counts = { ...NONE }
    for (const { outcome, calls } of found) counts[outcome] += calls
    const ended = counts.answered + counts.unanswered
    const ringMs = found.reduce((sum, total) => sum + total.ringMs, 0)
    const meanRingMs = ended === 0 ? null : ringMs / ended
    const began = counts.rang + counts.busy + counts.declined + counts.off + counts['wrong number'] + counts.failed
    return { ...place, placed: began, counts, meanRingMs }
  })
}

/** The same of verifications that have ended. */
export function drawVerifyLines(totals: readonly CallTotal[]): readonly VerifyLine[] {
  return placesOf(totals.filter((total) => !isOfCalls(total))).map(([place, found]) => {
    const numberOf = (state: EndState) =>
      found.reduce((sum, { outcome, calls }) => (outcome === `verify ${state}` ? sum + calls : sum), 0)
    const counts = Object.fromEntries(END_STATES.map((state) => [state, numberOf(state)])) as Record<EndState, number>
    const started = found.reduce((sum, { calls }) => sum + calls, 0)
    const approvedMs = found.reduce((sum, { ringMs }) => sum + ringMs, 0)
    return { ...place, started, counts, meanMs: counts.approved === 0 ? null : approvedMs / counts.approved }
  })
}

function isOfCalls<T extends CallTotal>(total: T): total is T & { readonly outcome: CallOutcome } {
  return !total.outcome.startsWith('verify ')
}

function placesOf<T extends CallTotal>(totals: readonly T[]): readonly (readonly [CallPlace, readonly T[]])[] {
  const places = Map.groupBy(totals, ({ day, accountId, carrierId, operator }) =>
    JSON.stringify([day, accountId, carrierId, operator]),
  )
  return [...places.values()].flatMap((found) => {
    const [first] = found
    if (first === undefined) return []
    const { day, accountId, carrierId, operator } = first
    return [[{ day, accountId, carrierId, operator }, found] as const]
  })
}
