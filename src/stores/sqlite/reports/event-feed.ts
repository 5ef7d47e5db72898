/** Reads the events of an account by their position, and notes which of them the client has processed. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import {
  acknowledgedBy,
  EMPTY_FEED,
  type FeedQuery,
  type FeedRead,
  type FeedState,
} from '../../../domain/reports/event-feed.ts'
import { takeFitting } from '../../../domain/structures/answer-size.ts'
import type { Acknowledgement } from '../../../ports/stores/event-store.ts'
import { FEED_COLUMNS, type FeedRow, feedReader, READ_BY_CLIENT } from '../../rows/reports/report-row.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'

export function readEvents(session: Session): (query: FeedQuery) => FeedRead {
  const { database, vault } = session
  const stateOf = readState(session)
  const read = new Statement<FeedRow>(
    database,
    `SELECT ${FEED_COLUMNS} FROM report WHERE account_id = ? AND position > ? AND body <> '' ORDER BY position LIMIT ?`,
  )
  const toEvent = feedReader(vault)
  return ({ accountId, after, limit, maxBytes }) => {
    const state = stateOf(accountId)
    const rows = read.iterate(accountId, after ?? state.acknowledged, limit)
    const { items, isAll } = takeFitting(rows, maxBytes, ([, , , body]) => body.length)
    return { ...state, events: items.map(toEvent), isAll: isAll && items.length < limit }
  }
}

export function acknowledgeEvents(session: Session): (acknowledgement: Acknowledgement) => void {
  const { database } = session
  const stateOf = readState(session)
  const settle = new Statement<[msgId: number]>(
    database,
    `UPDATE report SET state = 'sent', node = 0, due_at = NULL, parked = 0, tried_at = ?, detail = '${READ_BY_CLIENT}'
     WHERE account_id = ? AND position > ? AND position <= ? AND state <> 'sent' RETURNING msg_id`,
  )
  const note = new Statement(database, 'UPDATE event_feed SET acknowledged = ? WHERE account_id = ?')
  const leave = leaveToSweep(session)
  return ({ accountId, through, at }) => {
    const state = stateOf(accountId)
    const to = acknowledgedBy(state, through)
    if (to === state.acknowledged) return
    for (const [msgId] of settle.all(at, accountId, state.acknowledged, to)) leave(msgId)
    note.run(to, accountId)
  }
}

function readState({ database }: Session): (accountId: AccountId) => FeedState {
  const find = new Statement<[last: number, acknowledged: number]>(
    database,
    'SELECT last, acknowledged FROM event_feed WHERE account_id = ?',
  )
  return (accountId) => {
    const [last, acknowledged] = find.first(accountId) ?? [EMPTY_FEED.last, EMPTY_FEED.acknowledged]
    return { last, acknowledged }
  }
}
