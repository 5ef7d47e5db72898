/** Counts rows. */
import type { StoreCounts } from '../../../ports/stores/upkeep-store.ts'
import { type Command, first } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const COUNTS = sql<[open: number, pendingReports: number, failedReports: number, unreadEvents: number]>(
  `SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM report WHERE state = 'pending'),
     (SELECT count(*) FROM report WHERE state = 'failed'),
     (SELECT CAST(coalesce(sum(last - acknowledged), 0) AS bigint) FROM event_feed)`,
)

export function* counts(): Command<StoreCounts> {
  const [open, pendingReports, failedReports, unreadEvents] = (yield* first(COUNTS)) ?? [0, 0, 0, 0]
  return { open, pendingReports, failedReports, unreadEvents }
}
