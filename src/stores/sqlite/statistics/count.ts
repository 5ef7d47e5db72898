/** Counts rows. */
import type { StoreCounts } from '../../../ports/stores/upkeep-store.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function counts({ database }: Session): () => StoreCounts {
  const count = new Statement<[open: number, pendingReports: number, failedReports: number, unreadEvents: number]>(
    database,
    `SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM report WHERE state = 'pending'),
       (SELECT count(*) FROM report WHERE state = 'failed'), (SELECT coalesce(sum(last - acknowledged), 0) FROM event_feed)`,
  )
  return () => {
    const [open, pendingReports, failedReports, unreadEvents] = count.first() ?? [0, 0, 0, 0]
    return { open, pendingReports, failedReports, unreadEvents }
  }
}
