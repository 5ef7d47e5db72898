/** Reads the events of an account by their position, and notes which of them the client has processed. */
import { bucketOf, type MessageId } from '../../../domain/ids/message-id.ts'
import {
  acknowledgedBy,
  EMPTY_FEED,
  type FeedQuery,
  type FeedRead,
  type FeedState,
} from '../../../domain/reports/event-feed.ts'
import type { Acknowledgement } from '../../../ports/stores/event-store.ts'
import { FEED_COLUMNS, type FeedRow, READ_BY_CLIENT, readFeedRow } from '../../rows/reports/report-row.ts'
import { type Command, first, rows, withBucket, write } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

const STATE = sql<[last: number, acknowledged: number]>(
  'SELECT last, acknowledged FROM event_feed WHERE {bucket} account_id = ?',
)
/** Those that fit, at least one; `isLast` of the last row of the range. */
const EVENTS = sql<[...FeedRow, isLast: number]>(
  `SELECT ${FEED_COLUMNS}, CAST(place = count AS integer) FROM (
     SELECT ${FEED_COLUMNS}, row_number() OVER in_order AS place, count(*) OVER () AS count,
       sum(length(body)) OVER in_order AS length
     FROM (SELECT ${FEED_COLUMNS} FROM report WHERE {bucket} account_id = ? AND position > ? AND body <> ''
           ORDER BY position LIMIT ?) AS event
     WINDOW in_order AS (ORDER BY position ROWS UNBOUNDED PRECEDING)) AS measured
   WHERE place = 1 OR length <= ? ORDER BY position`,
  { table: 'report', columns: FEED_COLUMNS },
)
const SETTLE = sql<[msgId: MessageId]>(
  `UPDATE report SET state = 'sent', node = 0, due_at = NULL, parked = 0, tried_at = ?, detail = '${READ_BY_CLIENT}'
   WHERE {bucket} account_id = ? AND position > ? AND position <= ? AND state <> 'sent' RETURNING msg_id`,
)
const ACKNOWLEDGE = sql('UPDATE event_feed SET acknowledged = ? WHERE {bucket} account_id = ? AND acknowledged < ?')

/**
 * The state is read first: events that appear between the two queries are beyond its last position, or among those that
 * are read.
 */
export function readEvents({ accountId, after, limit, maxBytes }: FeedQuery): Command<FeedRead> {
  return withBucket(bucketOf(accountId), read())

  function* read(): Command<FeedRead> {
    const state = yield* readState(accountId)
    const events = yield* rows(EVENTS, accountId, after ?? state.acknowledged, limit, maxBytes)
    const isAll = events.length < limit && (events.at(-1)?.[4] ?? 1) === 1
    return { ...state, events: events.map(readFeedRow), isAll }
  }
}

/** `leave` reports messages to the sweeper that may have nothing open any more. */
export function acknowledgeEvents(
  { accountId, through, at }: Acknowledgement,
  leave: (ids: readonly MessageId[]) => void,
): Command<void> {
  return withBucket(bucketOf(accountId), acknowledge())

  function* acknowledge(): Command<void> {
    const state = yield* readState(accountId)
    const to = acknowledgedBy(state, through)
    if (to === state.acknowledged) return
    const settled = yield* rows(SETTLE, at, accountId, state.acknowledged, to)
    leave(settled.map(([msgId]) => msgId))
    yield* write(ACKNOWLEDGE, [to, accountId, to])
  }
}

function* readState(accountId: number): Command<FeedState> {
  const state = yield* first(STATE, accountId)
  return state === undefined ? EMPTY_FEED : { last: state[0], acknowledged: state[1] }
}
