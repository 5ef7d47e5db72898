/** Reads the trace of one message at once. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { readTrace, TRACE_COLUMNS, type TraceRow } from '../../rows/messages/trace-rows.ts'
import { tracedReportReader } from '../../rows/reports/report-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'
import { loadMessages } from '../requests/message-statements.ts'

const EVENTS = inBucket<TraceRow['timeline']>(
  `SELECT ${TRACE_COLUMNS.timeline} FROM event WHERE bucket = $1 AND msg_id = $2 ORDER BY version, number`,
)
const POSTINGS = inBucket<TraceRow['postings']>(
  `SELECT ${TRACE_COLUMNS.postings} FROM posting WHERE bucket = $1 AND msg_id = $2 ORDER BY posting_id`,
)
const REPORTS = inBucket<TraceRow['reports']>(
  `SELECT ${TRACE_COLUMNS.reports} FROM report WHERE bucket = $1 AND msg_id = $2 ORDER BY number`,
)
const LINKS = inBucket<TraceRow['links']>(
  `SELECT ${TRACE_COLUMNS.links} FROM link WHERE bucket = $1 AND msg_id = $2 ORDER BY code`,
)

export async function trace(link: Link, vault: Vault, id: MessageId): Promise<Trace | null> {
  const bucket = bucketOfMessage(id)
  const [[message], timeline, postings, reports, links] = await Promise.all([
    loadMessages(link, vault, [id]),
    link.query(EVENTS, bucket, id),
    link.query(POSTINGS, bucket, id),
    link.query(REPORTS, bucket, id),
    link.query(LINKS, bucket, id),
  ])
  if (message === undefined) return null
  return { message, ...readTrace(vault, { timeline, postings, reports, links }) }
}

/** Returns the reports of a message or event, in the order of their numbers. */
export async function reportsOf(link: Link, vault: Vault, id: MessageId): Promise<readonly TracedReport[]> {
  return (await link.query(REPORTS, bucketOfMessage(id), id)).map(tracedReportReader(vault))
}
