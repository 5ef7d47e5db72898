/** A TurnOrder as sent to the engine's thread: one array, with the rows of each list concatenated. */

import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { EventRow, MoneyRow, RefRow, TurnOrder, TurnReportRow } from '../../recording/turn-order.ts'
import type { MoveRow } from '../../rows/bulk/bulk-row.ts'
import type { CallRow } from '../../rows/statistics/call-row.ts'
import { COUNT_CELLS, type CountRow } from '../../rows/statistics/message-total.ts'
import { type FlatRows, flatten, rowsOf } from '../statement/statement.ts'

export type PackedTurn = readonly [
  messageId: MessageId,
  accountId: AccountId,
  version: number,
  status: string,
  journey: string,
  at: number,
  dueAt: number | null,
  channel: string,
  tenant: number,
  held: boolean,
  again: boolean,
  clickedCode: string | null,
  events: FlatRows,
  postings: FlatRows,
  reports: FlatRows,
  refs: FlatRows,
  calls: FlatRows,
  bulkMove: MoveRow | null,
  counts: FlatRows,
]

/** Written out, because a copy of the cells costs as much as a statement. */
export function packTurn(order: TurnOrder): PackedTurn {
  return [
    order.messageId,
    order.accountId,
    order.version,
    order.status,
    order.journey,
    order.at,
    order.dueAt,
    order.channel,
    order.tenant,
    order.held,
    order.again,
    order.clickedCode,
    flatten(order.events),
    flatten(order.postings),
    flatten(order.reports),
    flatten(order.refs),
    flatten(order.calls),
    order.bulkMove,
    flatten(order.counts),
  ]
}

export function unpackTurn(packed: PackedTurn): TurnOrder {
  return {
    messageId: packed[0],
    accountId: packed[1],
    version: packed[2],
    status: packed[3],
    journey: packed[4],
    at: packed[5],
    dueAt: packed[6],
    channel: packed[7],
    tenant: packed[8],
    held: packed[9],
    again: packed[10],
    clickedCode: packed[11],
    events: rowsOf<EventRow>(packed[12], 5),
    postings: rowsOf<MoneyRow>(packed[13], 8),
    reports: rowsOf<TurnReportRow>(packed[14], 4),
    refs: rowsOf<RefRow>(packed[15], 4),
    calls: rowsOf<CallRow>(packed[16], 5),
    bulkMove: packed[17],
    counts: rowsOf<CountRow>(packed[18], COUNT_CELLS),
  }
}
