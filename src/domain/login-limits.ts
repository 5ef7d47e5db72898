/**
 * How often a user and an address may fail to log in. After some free failures the next attempt has to wait, longer
 * each time. The counts are stored, so they hold for all nodes and across restarts.
 */

/** Attempts under one key since the last success. */
export interface LoginTally {
  readonly failures: number
  /** Milliseconds since 1970: no attempt before then. */
  readonly until: number
}

export interface LoginLimit {
  /** Failures before the first wait. */
  readonly free: number
  /** Milliseconds. Failures are forgotten if nothing was tried for this long after the last wait. */
  readonly longestWaitMs: number
}

/** What an attempt is counted under. */
export interface LoginKey {
  readonly name: string
  readonly limit: LoginLimit
}

const FIRST_WAIT_MS = 60_000

/** Short enough that an attacker cannot lock a user out for long. */
export const USER_LIMIT: LoginLimit = { free: 5, longestWaitMs: 900_000 }
/** Several users may share an address. */
export const ADDRESS_LIMIT: LoginLimit = { free: 20, longestWaitMs: 3_600_000 }

/** Returns the milliseconds until an attempt may be made; 0 for now. */
export function waitOf(tally: LoginTally | null, { longestWaitMs }: LoginLimit, now: number): number {
  // A clock that was set back must not lengthen a wait.
  return tally === null ? 0 : Math.min(longestWaitMs, Math.max(0, tally.until - now))
}

/** Counts one more attempt. Called before the password is checked, so that concurrent attempts count too. */
export function countAttempt(tally: LoginTally | null, { free, longestWaitMs }: LoginLimit, now: number): LoginTally {
  const isOld = tally === null || tally.until + longestWaitMs < now
  const failures = (isOld ? 0 : tally.failures) + 1
  const over = failures - free
  return { failures, until: now + (over < 0 ? 0 : Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** over)) }
}

/** Removes the attempt counted last, which succeeded. */
export function withdrawAttempt({ failures }: LoginTally, now: number): LoginTally {
  return { failures: Math.max(0, failures - 1), until: now }
}
