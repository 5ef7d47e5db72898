/** Reads the trace of one message at once. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { TracedReport } from '../../../ports/records/pending-report.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import type { MessageRow } from '../../rows/messages/message-row.ts'
import { readTrace, TRACE_COLUMNS, type TraceRow } from '../../rows/messages/trace-rows.ts'
import { TRACED_REPORT_COLUMNS, type TracedReportRow, tracedReportReader } from '../../rows/reports/report-row.ts'
import { loadMessages } from '../claiming/claim-due.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

/** A Trace whose message is still a row. */
export interface TraceRows extends Omit<Trace, 'message'> {
  readonly message: MessageRow
}

export function trace(session: Session): (id: MessageId) => TraceRows | null {
  const { database, vault } = session
  const load = loadMessages(session)
  const select = <Table extends keyof TraceRow>(table: Table, from: string) =>
    new Statement<TraceRow[Table]>(database, `SELECT ${TRACE_COLUMNS[table]} FROM ${from}`)
  const events = select('timeline', 'event WHERE msg_id = ? ORDER BY version, number')
  const postings = select('postings', 'posting WHERE msg_id = ? ORDER BY posting_id')
  const reports = select('reports', 'report WHERE msg_id = ? ORDER BY number')
  const links = select('links', 'link WHERE msg_id = ? ORDER BY code')
  return (id) => {
    const [message] = load([id])
    if (message === undefined) return null
    const rows = {
      timeline: events.all(id),
      postings: postings.all(id),
      reports: reports.all(id),
      links: links.all(id),
    }
    return { message, ...readTrace(vault, rows) }
  }
}

/** Returns the reports of a message or event, in the order of their numbers. */
export function reportsOf({ database, vault }: Session): (id: MessageId) => readonly TracedReport[] {
  const reports = new Statement<TracedReportRow>(
    database,
    `SELECT ${TRACED_REPORT_COLUMNS} FROM report WHERE msg_id = ? ORDER BY number`,
  )
  const toReport = tracedReportReader(vault)
  return (id) => reports.all(id).map(toReport)
}
