/** Converts rows of a page. */
import type { PageQuery, PageRows } from '../../../ports/records/pages.ts'
import type { Cell } from '../cells/cell.ts'
import type { CellsOf } from '../cells/cells-of.ts'
import { POSTING_COLUMNS, type PostingRow, readPosting } from '../money/posting-row.ts'
import { LISTED_REPORT_COLUMNS, readTracedReport, type TracedReportRow } from '../reports/report-row.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from '../setup/opt-out-row.ts'
import { INBOUND_COLUMNS, type InboundRow, readListedInbound } from './inbound-row.ts'
import { fromMessageRow, type MessageRow } from './message-row.ts'

const AUDIT_COLUMNS = 'at, actor, via, action, subject, before, after'

/** The columns after the first cell; messages are stored differently. */
export const PAGE_COLUMNS: Readonly<Record<Exclude<PageQuery['of'], 'messages'>, string>> = {
  postings: POSTING_COLUMNS,
  'failed reports': LISTED_REPORT_COLUMNS,
  'waiting reports': LISTED_REPORT_COLUMNS,
  inbound: INBOUND_COLUMNS,
  'opt-outs': OPT_OUT_COLUMNS,
  audit: AUDIT_COLUMNS,
}

/** The first cell is the key, which is the message id of messages and reports. */
interface PageRow {
  readonly messages: [key: number, ...MessageRow]
  readonly postings: readonly [key: number, ...PostingRow]
  readonly 'failed reports': TracedReportRow
  readonly 'waiting reports': TracedReportRow
  readonly inbound: [key: number, ...InboundRow]
  readonly 'opt-outs': [key: number, ...OptOutRow]
  readonly audit: [key: number, ...CellsOf<'audit', typeof AUDIT_COLUMNS, Pick<PageRows['audit'], 'via' | 'action'>>]
}

export function readPageRow<Of extends PageQuery['of']>(of: Of, row: readonly Cell[]): PageRows[Of] {
  const read: (row: PageRow[Of]) => PageRows[Of] = READERS[of]
  return read(row as PageRow[Of])
}

const READERS: { readonly [Of in PageQuery['of']]: (row: PageRow[Of]) => PageRows[Of] } = {
  messages: ([, ...cells]) => fromMessageRow(cells),
  postings: ([, ...cells]) => readPosting(cells),
  'failed reports': readTracedReport,
  'waiting reports': readTracedReport,
  inbound: ([, ...cells]) => readListedInbound(cells),
  'opt-outs': ([, ...cells]) => fromOptOutRow(cells),
  audit: ([, at, actor, via, action, subject, before, after]) => {
    return { at, actor, via, action, subject, before: JSON.parse(before), after: JSON.parse(after) }
  },
}
