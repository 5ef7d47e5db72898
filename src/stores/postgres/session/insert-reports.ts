/**
 * Inserts reports. Those for the event feed of their account get the next positions there: the row of the feed stays
 * locked until the commit, so the events of an account become visible in the order of their positions.
 */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { isEventRow, type NewReportRow } from '../../rows/reports/report-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion, onRows, typesOf, unnest } from '../connection/statement.ts'
import type { Transaction } from './transaction.ts'

/** Of NewReportRows, each completed by UNTRIED. */
const COLUMNS = 'msg_id, number, account_id, address, body, created_at, node, due_at, parked, state, tries, detail'
/** State, tries and detail of a report that was never tried. */
const UNTRIED = ['pending', 0, ''] as const

const INSERT_REPORTS = insertion('report', COLUMNS)
const ADVANCE_FEEDS = insertion(
  'event_feed',
  'account_id, last, acknowledged',
  'ON CONFLICT (bucket, account_id) DO UPDATE SET last = event_feed.last + excluded.last',
)
/** `behind`: how many events of the account follow in the same call. */
const INSERT_EVENTS = onRows(
  `INSERT INTO report (bucket, ${COLUMNS}, position)
   SELECT lease.bucket, ${COLUMNS.replaceAll(/\w+/g, 'new.$&')}, event_feed.last - new.behind
   FROM lease CROSS JOIN ${unnest({ ...typesOf('report', COLUMNS), behind: 'bigint' }, 3)}
   JOIN event_feed ON event_feed.bucket = $1 AND event_feed.account_id = new.account_id
   WHERE lease.bucket = $1 AND lease.node = $2`,
)

export function insertReports(transaction: Transaction, rows: readonly NewReportRow[]): void {
  const reports = new ByBucket<readonly Cell[]>()
  const events = new Map<number, NewReportRow[]>()
  for (const row of rows) {
    const [msgId, , accountId] = row
    if (!isEventRow(row)) reports.add(bucketOfMessage(msgId as MessageId), [...row, ...UNTRIED])
    else if (events.get(accountId)?.push(row) === undefined) events.set(accountId, [row])
  }
  transaction.insert(INSERT_REPORTS, reports)
  if (events.size > 0) insertEvents(transaction, events)
}

function insertEvents(transaction: Transaction, events: ReadonlyMap<number, readonly NewReportRow[]>): void {
  const [feeds, rows] = [new ByBucket<readonly Cell[]>(), new ByBucket<readonly Cell[]>()]
  // Locks taken in this order cannot deadlock.
  for (const [accountId, ofAccount] of [...events].sort(([a], [b]) => a - b)) {
    const bucket = bucketOf(accountId as AccountId)
    feeds.add(bucket, [accountId, ofAccount.length, 0])
    for (const [index, row] of ofAccount.entries()) {
      rows.add(bucket, [...row, ...UNTRIED, ofAccount.length - 1 - index])
    }
  }
  transaction.insert(ADVANCE_FEEDS, feeds)
  transaction.insert(INSERT_EVENTS, rows)
}
