/** The rows of a message's trace. The bodies of reports and the addresses of links are sealed. */
import type { Trace } from '../../ports/trace.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Cell } from './cell.ts'
import { POSTING_COLUMNS, readPosting } from './posting-row.ts'
import { REPORT_COLUMNS } from './report-row.ts'

type Rows = readonly (readonly Cell[])[]

/** By table; postings are read as everywhere. */
export const TRACE_COLUMNS = {
  timeline: 'at, kind, step, carrier_id, detail',
  postings: POSTING_COLUMNS,
  reports: `${REPORT_COLUMNS}, state, detail, tried_at`,
  links: 'code, msg_id, url, expires_at, human_clicks, bot_clicks',
} as const

/** Reads rows of TRACE_COLUMNS. */
export function readTrace(
  vault: Vault,
  { timeline, postings, reports, links }: Readonly<Record<keyof typeof TRACE_COLUMNS, Rows>>,
): Omit<Trace, 'message'> {
  return {
    timeline: timeline.map(([at, kind, step, carrierId, detail]) => ({ at, kind, step, carrierId, detail })),
    postings: postings.map(readPosting),
    reports: reports.map(([messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt]) => {
      const report = { messageId, number, accountId, address, body: vault.openText(String(body)) }
      return { ...report, tries, createdAt, state, detail, triedAt }
    }),
    links: links.map(([code, messageId, url, expiresAt, humans, robots]) => {
      return { code, messageId, url: vault.openText(String(url)), expiresAt, humans, robots }
    }),
  } as unknown as Omit<Trace, 'message'>
}
