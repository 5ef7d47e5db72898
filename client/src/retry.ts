/** When a request is sent again, and after which wait. */
export interface RetryPolicy {
  /** Maximum number of tries; 1 never retries. */
  readonly tries: number
  /** The wait before the second try, doubled before each further one. */
  readonly firstDelayMs: number
  /** The longest wait, whatever `Retry-After` asks for. */
  readonly maxDelayMs: number
}

/** A delay of 1 ms is longer than a day by then. */
const MAX_DOUBLINGS = 30

export const DEFAULT_RETRY: RetryPolicy = { tries: 5, firstDelayMs: 500, maxDelayMs: 20_000 }

/**
 * Returns a wait between half and all of the doubled wait, so that clients that failed together do not retry together.
 * @param tries how often it was sent so far.
 * @param luck from 0 to 1.
 * @param askedMs the wait that `Retry-After` asks for; null if there is none.
 */
export function delayBefore(policy: RetryPolicy, tries: number, luck: number, askedMs: number | null): number {
  const whole = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** Math.min(tries - 1, MAX_DOUBLINGS))
  return Math.max(whole * (0.5 + luck / 2), Math.min(askedMs ?? 0, policy.maxDelayMs))
}

/** Returns whether an intermediary's error may be temporary. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429
}

/** Returns whether the gateway asks to retry later: nothing of the request was executed. */
export function isPassingRefusal(code: unknown): boolean {
  return code === 'unavailable' || code === 'rate_limited'
}

/** Seconds or an HTTP date (RFC 9110 section 10.2.3); null for anything else. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const milliseconds = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds)
}
