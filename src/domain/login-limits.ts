/**
 * How often a user, and an address, may fail to log in. After some free failures the next attempt has to wait, longer
 * each time. The counts are kept in the store, so they hold for all nodes and across restarts.
 */

/** Attempts under one key since the last success. */
export interface LoginTally {
  readonly failures: number
  /** Milliseconds since 1970: no attempt before. */
  readonly until: number
}

export interface LoginLimit {
  /** Failures before the first wait. */
  readonly free: number
  /** Milliseconds. Failures are forgotten when nothing was tried for so long after the last wait. */
  readonly longestWaitMs: number
}

/** What an attempt counts under. */
export interface LoginKey {
  readonly name: string
  readonly limit: LoginLimit
}

const FIRST_WAIT_MS = 60_000

/** Short enough that a stranger cannot lock a user out for long. */
export const USER_LIMIT: LoginLimit = { free: 5, longestWaitMs: 900_000 }
/** Several users may share an address. */
export const ADDRESS_LIMIT: LoginLimit = { free: 20, longestWaitMs: 3_600_000 }

/** Milliseconds until an attempt may be made; 0 when it may be made now. */
export function waitOf(tally: LoginTally | null, { longestWaitMs }: LoginLimit, now: number): number {
  // A clock that was set back must not lengthen a wait.
  return tally === null ? 0 : Math.min(longestWaitMs, Math.max(0, tally.until - now))
}

/** The tally with one more attempt: counted before the password is checked, so that attempts made at one time count too. */
export function countAttempt(tally: LoginTally | null, { free, longestWaitMs }: LoginLimit, now: number): LoginTally {
  const isOld = tally === null || tally.until + longestWaitMs < now
  const failures = (isOld ? 0 : tally.failures) + 1
  const over = failures - free
  return { failures, until: now + (over < 0 ? 0 : Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** over)) }
}

/** The tally when the attempt that was counted last was right. */
export function withdrawAttempt({ failures }: LoginTally, now: number): LoginTally {
  return { failures: Math.max(0, failures - 1), until: now }
}
