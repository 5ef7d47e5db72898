/** Reads the trace of one message at once. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import type { InboundTrace, Trace } from '../../../ports/records/trace.ts'
import { type InboundRow, readInboundTrace } from '../../rows/messages/inbound-row.ts'
import { readTrace, TRACE_COLUMNS, type TraceRow } from '../../rows/messages/trace-rows.ts'
import { readTracedReport } from '../../rows/reports/report-row.ts'
import type { TableName } from '../../tables/all-tables.ts'
import { type Command, query, readAll, rows, withBucket } from '../statement/command.ts'
import { type Sql, select } from '../statement/sql.ts'

const EVENTS = of('timeline', 'event', 'version, number')
const POSTINGS = of('postings', 'posting', 'posting_id')
const REPORTS = of('reports', 'report', 'number')
const LINKS = of('links', 'link', 'code')

function of<Part extends keyof TraceRow>(part: Part, table: TableName, order: string): Sql<TraceRow[Part]> {
  return select(table, TRACE_COLUMNS[part], `WHERE {bucket} msg_id = ? ORDER BY ${order}`)
}

/** Returns what belongs to a message. */
export function* traceParts(id: MessageId): Command<Omit<Trace, 'message'>> {
  const reading = readAll(query(EVENTS, id), query(POSTINGS, id), query(REPORTS, id), query(LINKS, id))
  const [timeline, postings, reports, links] = yield* withBucket(bucketOfMessage(id), reading)
  return readTrace({ timeline, postings, reports, links })
}

/** Returns the reports of a message or event, in the order of their numbers. */
export function* reportsOf(id: MessageId): Command<readonly TracedReport[]> {
  return (yield* withBucket(bucketOfMessage(id), rows(REPORTS, id))).map(readTracedReport)
}

/** `find` reads the row of the inbound message with an id, by an index of the store. */
export function* traceInbound(id: MessageId, find: Sql<InboundRow>): Command<InboundTrace | null> {
  const [[row], reports] = yield* withBucket(bucketOfMessage(id), readAll(query(find, id), query(REPORTS, id)))
  return row === undefined ? null : readInboundTrace(row, reports.map(readTracedReport))
}
