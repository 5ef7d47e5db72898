/**
 * Finds messages by time without an index: ids follow the times of their messages (operations/request/message-ids.ts),
 * so the first and last id of a time are found by halving the range of ids, 41 look-ups each.
 */
import type { MessageMatch } from '../../../ports/records/pages.ts'

/**
 * A message may have a lower id than one that was accepted earlier, but not by more than this: ids are used within
 * ten minutes, and the clocks of nodes differ. Messages on the edges are read, and filtered by their time.
 */
const DISORDER_MS = 3_600_000
/** Halving begins with all ids, and stops at ranges of 64 counters. */
const HALF_OF_ALL = 2 ** 52
const NARROW = 2 ** 12

type Bound = readonly [sql: string, value: number]

/**
 * Returns SQL with one parameter `?` for the lowest id and for the id after the highest one that messages of these
 * times may have; null without a limit. `within` restricts the table `message`, such as to a bucket.
 */
export function idsOfTimes(
  match: MessageMatch | undefined,
  within = 'true',
): { readonly from: Bound | null; readonly before: Bound | null } {
  const { from = null, until = null } = match ?? {}
  return {
    from: from === null ? null : [halving(within), from - DISORDER_MS],
    before: until === null ? null : [`(${halving(within)} + ${NARROW})`, until + DISORDER_MS],
  }
}

/**
 * SQL for the start of a narrow range: the first message from there on is earlier than the parameter, unless the start
 * is 0, and the first one after the range is not, or there is none.
 */
function halving(within: string): string {
  return `(WITH RECURSIVE halves (start, half) AS (
      SELECT CAST(0 AS bigint), CAST(${HALF_OF_ALL} AS bigint)
      UNION ALL
      SELECT start + half * CASE WHEN coalesce(
          (SELECT created_at FROM message WHERE ${within} AND msg_id >= start + half ORDER BY msg_id LIMIT 1) >= ?, true
        ) THEN 0 ELSE 1 END, half / 2
      FROM halves WHERE half >= ${NARROW}
    ) SELECT max(start) FROM halves)`
}
