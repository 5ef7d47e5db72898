/** How long a step waits for its next try. */
import type { Verdict } from '../message/journey-event.ts'

/** The first wait before a retry; doubled each time. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 300_000

/**
 * Returns how long to wait before the next try, milliseconds: the time the carrier asks for, or 1 s, 2 s, 4 s … 5 min
 * by the number of answered attempts (1 or more), less up to a fifth. A carrier's time is at least a second, because
 * "at once" would make tries race.
 */
export function waitAsked(verdict: Verdict | null, attempts: number, jitter: number): number {
  if (verdict?.kind === 'slow' && verdict.retryAfterMs !== null) return Math.max(verdict.retryAfterMs, FIRST_WAIT_MS)
  return waitAfter(attempts, jitter)
}

export function waitAfter(attempts: number, jitter: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20))
  return Math.round(full * (1 - jitter / 5))
}
