/** Reads the trace of one inbound message at once. */
import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { InboundTrace } from '../../../ports/records/trace.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import { INBOUND_COLUMNS, type InboundRow, readInboundTrace } from '../../rows/messages/inbound-row.ts'
import { TRACED_REPORT_COLUMNS, type TracedReportRow } from '../../rows/reports/report-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'

const FIND = inBucket<[...InboundRow]>(
  `SELECT ${INBOUND_COLUMNS} FROM inbound_message WHERE bucket = $1 AND account_id IS NOT NULL AND event_id = $2`,
)
const REPORTS = inBucket<TracedReportRow>(
  `SELECT ${TRACED_REPORT_COLUMNS} FROM report WHERE bucket = $1 AND msg_id = $2 ORDER BY number`,
)

export async function traceInbound(link: Link, vault: Vault, id: MessageId): Promise<InboundTrace | null> {
  const bucket = bucketOfMessage(id)
  const [[row], reports] = await Promise.all([link.query(FIND, bucket, id), link.query(REPORTS, bucket, id)])
  return row === undefined ? null : readInboundTrace(row, reports, vault)
}
