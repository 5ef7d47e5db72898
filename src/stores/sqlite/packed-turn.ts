/** A TurnOrder as sent to the engine's thread: one array, with the rows of each list concatenated. */

import type { AccountId } from '../../domain/account.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { EventRow, MoneyRow, RefRow, TurnOrder, TurnReportRow } from '../recording/turn-order.ts'
import type { CallRow } from '../rows/call-row.ts'
import { type FlatRows, flatten, rowsOf } from './flat-rows.ts'

export type PackedTurn = readonly [
  messageId: MessageId,
  accountId: AccountId,
  version: number,
  status: string,
  journey: string,
  at: number,
  dueAt: number | null,
  channel: string,
  held: boolean,
  reportsHeld: boolean,
  reportsParked: boolean,
  clickedCode: string | null,
  events: FlatRows,
  postings: FlatRows,
  reports: FlatRows,
  refs: FlatRows,
  calls: FlatRows,
]

export function packTurn(order: TurnOrder): PackedTurn {
  const { messageId, accountId, version, status, journey, at, dueAt, channel } = order
  const { held, reportsHeld, reportsParked, clickedCode } = order
  return [
    ...([messageId, accountId, version, status, journey, at, dueAt, channel] as const),
    ...([held, reportsHeld, reportsParked, clickedCode] as const),
    flatten(order.events),
    flatten(order.postings),
    flatten(order.reports),
    flatten(order.refs),
    flatten(order.calls),
  ]
}

export function unpackTurn(packed: PackedTurn): TurnOrder {
  const [messageId, accountId, version, status, journey, at, dueAt, channel, ...more] = packed
  const [held, reportsHeld, reportsParked, clickedCode, events, postings, reports, refs, calls] = more
  return {
    ...{ messageId, accountId, version, status, journey, at, dueAt, channel },
    ...{ held, reportsHeld, reportsParked, clickedCode },
    events: rowsOf<EventRow>(events, 5),
    postings: rowsOf<MoneyRow>(postings, 8),
    reports: rowsOf<TurnReportRow>(reports, 3),
    refs: rowsOf<RefRow>(refs, 4),
    calls: rowsOf<CallRow>(calls, 5),
  }
}
