/** Reads the trace of one inbound message at once. */
import { BUCKETS, type MessageId } from '../../../domain/ids/message-id.ts'
import type { InboundTrace } from '../../../ports/records/trace.ts'
import { INBOUND_COLUMNS, type InboundRow, readInboundTrace } from '../../rows/messages/inbound-row.ts'
import { TRACED_REPORT_COLUMNS, type TracedReportRow } from '../../rows/reports/report-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function traceInbound({ database, vault }: Session): (id: MessageId) => InboundTrace | null {
  // Names the accounts whose id the message may have, so that an index finds it.
  const find = new Statement<[...InboundRow]>(
    database,
    `SELECT ${INBOUND_COLUMNS} FROM inbound_message WHERE event_id = ?1
       AND account_id IN (SELECT account_id FROM account WHERE account_id % ${BUCKETS} = ?1 % ${BUCKETS})`,
  )
  const reports = new Statement<TracedReportRow>(
    database,
    `SELECT ${TRACED_REPORT_COLUMNS} FROM report WHERE msg_id = ? ORDER BY number`,
  )
  return (id) => {
    const row = find.first(id)
    return row === undefined ? null : readInboundTrace(row, reports.all(id), vault)
  }
}
