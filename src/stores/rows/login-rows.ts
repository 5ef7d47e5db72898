/** Failed logins as the table `login_tally` has them: by what name, and what becomes of a row. */
import { countAttempt, type LoginKey, type LoginTally, waitOf, withdrawAttempt } from '../../domain/login-limits.ts'
import type { Row } from './cell.ts'

/** The longest wait, or the rows with one more attempt. `tallies` are those of the keys, in their order. */
export function countLogin(keys: readonly LoginKey[], tallies: readonly (LoginTally | null)[], now: number) {
  const waits = keys.map(({ limit }, at) => waitOf(tallies[at] ?? null, limit, now))
  const waitMs = Math.max(0, ...waits)
  const rows = keys.map(({ name, limit }, at) => tallyRow(name, countAttempt(tallies[at] ?? null, limit, now)))
  return { waitMs, rows: waitMs > 0 ? [] : rows }
}

/** The rows after a right attempt. */
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
