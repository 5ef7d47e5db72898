/** Failed logins in the table `login_tally`: the name of a row and its next state. */
import { countAttempt, type LoginKey, type LoginTally, waitOf, withdrawAttempt } from '../../domain/login-limits.ts'
import type { Row } from './cell.ts'

/** Returns the longest wait, or the rows with one more attempt. `tallies` are those of the keys, in their order. */
export function countLogin(keys: readonly LoginKey[], tallies: readonly (LoginTally | null)[], now: number) {
  const waits = keys.map(({ limit }, at) => waitOf(tallies[at] ?? null, limit, now))
  const waitMs = Math.max(0, ...waits)
  const rows = keys.map(({ name, limit }, at) => tallyRow(name, countAttempt(tallies[at] ?? null, limit, now)))
  return { waitMs, rows: waitMs > 0 ? [] : rows }
}

/** Returns the rows after a successful login. */
export function settledRows(
  user: LoginKey,
  others: readonly (readonly [key: LoginKey, tally: LoginTally | null])[],
  now: number,
): readonly Row[] {
  const withdrawn = others.flatMap(([{ name }, tally]) =>
    tally === null ? [] : [tallyRow(name, withdrawAttempt(tally, now))],
  )
  return [tallyRow(user.name, { failures: 0, until: now }), ...withdrawn]
}

function tallyRow(name: string, { failures, until }: LoginTally): Row {
  return { name, failures, until }
}
