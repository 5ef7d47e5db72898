/** HOME, once more: failed reports become pending again because an operator wants it. */
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { Change } from '../../ports/store.ts'
import type { Session } from './session.ts'
import { rare } from './statement.ts'

/** Of one call: a change must not hold up the messages. */
const MOST_RESENT = 10_000

export type Resending = Extract<Change, { kind: 'resend reports' }>

const REVIVE = rare<[bucket: number, msgId: number]>(
  `UPDATE report SET state = 'pending', node = 0, due_at = NULL, tries = 0, ends_at = $4
   WHERE (bucket, msg_id, number) IN (
     SELECT bucket, msg_id, number FROM report
     WHERE state = 'failed' AND body <> '' AND ($1::bigint IS NULL OR msg_id = $1) AND ($2::bigint IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR address = $3) LIMIT ${MOST_RESENT})
   RETURNING bucket, msg_id`,
)
const FREE_FIRST = rare(
  `UPDATE report SET due_at = $1 WHERE state = 'pending' AND due_at IS NULL AND node = 0 AND (bucket, msg_id, number) IN (
     SELECT bucket, msg_id, min(number) FROM report
     WHERE state = 'pending' AND (bucket, msg_id) IN (SELECT * FROM unnest($2::smallint[], $3::bigint[]))
     GROUP BY bucket, msg_id)`,
)

/** The number of reports; those of one message go one after the other. */
export async function resendReports(session: Session, wish: Resending): Promise<number> {
  const { messageId, accountId, address, at } = wish
  const revived = await session.ask(REVIVE, messageId, accountId, address, at + REPORT_LIFETIME_MS)
  const [buckets, ids] = [revived.map(([bucket]) => bucket), revived.map(([, id]) => id)]
  if (revived.length > 0) await session.ask(FREE_FIRST, at, buckets, ids)
  return revived.length
}
