/** The rows of a message's trace. The bodies of reports and the addresses of links are opened. */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { Trace } from '../../../ports/records/trace.ts'
import { POSTING_COLUMNS, type PostingRow, readPosting } from '../money/posting-row.ts'
import { readTracedReport, TRACED_REPORT_COLUMNS, type TracedReportRow } from '../reports/report-row.ts'

type Event = Trace['timeline'][number]

/** By table; postings are read as everywhere. */
export const TRACE_COLUMNS = {
  timeline: 'at, kind, step, carrier_id, detail',
  postings: POSTING_COLUMNS,
  reports: TRACED_REPORT_COLUMNS,
  links: 'code, msg_id, url, expires_at, human_clicks, bot_clicks',
} as const

/** A row of each. */
export interface TraceRow {
  readonly timeline: [at: number, kind: Event['kind'], step: number, carrierId: string | null, detail: string]
  readonly postings: PostingRow
  readonly reports: TracedReportRow
  readonly links: [code: string, messageId: MessageId, url: string, expiresAt: number, humans: number, robots: number]
}

export function readTrace({
  timeline,
  postings,
  reports,
  links,
}: { readonly [Table in keyof TraceRow]: readonly TraceRow[Table][] }): Omit<Trace, 'message'> {
  return {
    timeline: timeline.map(([at, kind, step, carrierId, detail]) => ({ at, kind, step, carrierId, detail })),
    postings: postings.map(readPosting),
    reports: reports.map(readTracedReport),
    links: links.map(([code, messageId, url, expiresAt, humans, robots]) => {
      return { code, messageId, url, expiresAt, humans, robots }
    }),
  }
}
