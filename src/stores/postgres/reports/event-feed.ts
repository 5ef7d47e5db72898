/** Reads the events of an account by their position, and notes which of them the client has processed. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import {
  acknowledgedBy,
  EMPTY_FEED,
  type FeedQuery,
  type FeedRead,
  type FeedState,
} from '../../../domain/reports/event-feed.ts'
import type { Acknowledgement } from '../../../ports/stores/event-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { FEED_COLUMNS, type FeedRow, feedReader, READ_BY_CLIENT } from '../../rows/reports/report-row.ts'
import type { Link } from '../connection/link.ts'
import { inBucket, type Statement } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'

const STATE = inBucket<[last: number, acknowledged: number]>(
  'SELECT last, acknowledged FROM event_feed WHERE bucket = $1 AND account_id = $2',
)
/** Those that fit, at least one; `isLast` of the last row of the range. */
const EVENTS = inBucket<[...FeedRow, isLast: number]>(
  `SELECT ${FEED_COLUMNS}, (place = count)::integer FROM (
     SELECT ${FEED_COLUMNS}, row_number() OVER in_order AS place, count(*) OVER () AS count,
       sum(length(body)) OVER in_order AS length
     FROM (SELECT ${FEED_COLUMNS} FROM report WHERE bucket = $1 AND account_id = $2 AND position > $3 AND body <> ''
           ORDER BY position LIMIT $4) AS event
     WINDOW in_order AS (ORDER BY position ROWS UNBOUNDED PRECEDING)) AS measured
   WHERE place = 1 OR length <= $5 ORDER BY position`,
)
const SETTLE = inBucket<[msgId: MessageId]>(
  `UPDATE report SET state = 'sent', node = 0, due_at = NULL, parked = 0, tried_at = $5, detail = '${READ_BY_CLIENT}'
   WHERE bucket = $1 AND account_id = $2 AND position > $3 AND position <= $4 AND state <> 'sent' RETURNING msg_id`,
)
const ACKNOWLEDGE = inBucket(
  'UPDATE event_feed SET acknowledged = greatest(acknowledged, $3) WHERE bucket = $1 AND account_id = $2',
)

/**
 * The state is read first: events that appear between the two queries are beyond its last position, or among those that
 * are read.
 */
export async function readEvents(link: Link, vault: Vault, query: FeedQuery): Promise<FeedRead> {
  const { accountId, after, limit, maxBytes } = query
  const state = await readState(link, accountId)
  const from = after ?? state.acknowledged
  const rows = await link.query(EVENTS, bucketOf(accountId), accountId, from, limit, maxBytes)
  const toEvent = feedReader(vault)
  const isAll = rows.length < limit && (rows.at(-1)?.[4] ?? 1) === 1
  return { ...state, events: rows.map(([position, id, number, body]) => toEvent([position, id, number, body])), isAll }
}

export async function acknowledgeEvents(session: Session, calls: readonly Acknowledgement[]): Promise<readonly null[]> {
  for (const { accountId, through, at } of calls) {
    const state = await readState(session, accountId)
    const to = acknowledgedBy(state, through)
    if (to === state.acknowledged) continue
    const bucket = bucketOf(accountId)
    const settled = await session.query(SETTLE, bucket, accountId, state.acknowledged, to, at)
    leaveToSweep(
      session,
      settled.map(([msgId]) => msgId),
    )
    session.write(ACKNOWLEDGE, bucket, accountId, to)
  }
  return calls.map(() => null)
}

interface Reading {
  query<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Cell[]): Promise<readonly Row[]>
}

async function readState(reading: Reading, accountId: AccountId): Promise<FeedState> {
  const [state] = await reading.query(STATE, bucketOf(accountId), accountId)
  return state === undefined ? EMPTY_FEED : { last: state[0], acknowledged: state[1] }
}
