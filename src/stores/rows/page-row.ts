/** Converts rows of a page. */
import type { PageQuery, PageRows } from '../../ports/pages.ts'
import type { Cell } from './cell.ts'
import { fromMessageRow, type MessageRow } from './message-row.ts'
import { fromOptOutRow, OPT_OUT_COLUMNS, type OptOutRow } from './opt-out-row.ts'
import { POSTING_COLUMNS, readPosting } from './posting-row.ts'

/** The columns after the first cell; messages are stored differently. */
export const PAGE_COLUMNS: Readonly<Record<Exclude<PageQuery['of'], 'messages'>, string>> = {
  postings: POSTING_COLUMNS,
  'failed reports': 'number, account_id, address, body, tries, created_at, state, detail, tried_at',
  inbound: 'carrier_id, sender, recipient, text, at',
  'opt-outs': OPT_OUT_COLUMNS,
  audit: 'at, actor, via, action, subject, before, after',
}

/** The first cell of the row is its key, which is the message id of messages and reports. */
export function readPageRow<Of extends PageQuery['of']>(of: Of, row: readonly Cell[]): PageRows[Of] {
  const read: (row: readonly Cell[]) => unknown = READERS[of]
  return read(row) as PageRows[Of]
}

const READERS: Readonly<Record<PageQuery['of'], (row: readonly Cell[]) => unknown>> = {
  messages: ([, ...cells]) => fromMessageRow(cells as MessageRow),
  postings: ([, ...cells]) => readPosting(cells),
  'failed reports': (row) => {
    const [messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt] = row
    return { messageId, number, accountId, address, body, tries, createdAt, state, detail, triedAt }
  },
  inbound: ([, carrierId, sender, recipient, text, at]) => ({ carrierId, sender, recipient, text, at }),
  'opt-outs': ([, ...cells]) => fromOptOutRow(cells as OptOutRow),
  audit: ([, at, actor, via, action, subject, before, after]) => {
    return { at, actor, via, action, subject, before: JSON.parse(String(before)), after: JSON.parse(String(after)) }
  },
}
