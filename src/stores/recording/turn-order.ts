/** A turn to be recorded, as rows of its tables. */

import type { AccountId } from '../../domain/account.ts'
import type { PostingKind } from '../../domain/ledger.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { RecordedTurn, ReportPlace } from '../../ports/delivery-store.ts'
import { type MoveRow, toMoveRow } from '../rows/bulk-row.ts'
import { type CallRow, toCallRows } from '../rows/call-row.ts'
import { bounded } from '../rows/kept-text.ts'
import { type CountRow, toCountRows } from '../rows/message-count.ts'
import { type ChargeCells, toChargeCells } from '../rows/posting-row.ts'

export type EventRow = readonly [at: number, kind: string, step: number, carrierId: string | null, detail: string]
export type MoneyRow = readonly [kind: PostingKind, amountMicros: number, ...charge: ChargeCells]
export type TurnReportRow = readonly [number: number, address: string, body: string, place: ReportPlace]
export type RefRow = readonly [carrierId: string, ref: string, step: number, part: number]

export interface TurnOrder {
  readonly messageId: MessageId
  readonly accountId: AccountId
  readonly version: number
  /** As in a RecordedTurn. */
  readonly again: boolean
  readonly status: string
  /** JSON. */
  readonly journey: string
  readonly at: number
  /** Null once the message has ended. */
  readonly dueAt: number | null
  readonly channel: string
  /** As in a RecordedTurn. */
  readonly held: boolean
  readonly clickedCode: string | null
  readonly events: readonly EventRow[]
  readonly postings: readonly MoneyRow[]
  readonly reports: readonly TurnReportRow[]
  readonly refs: readonly RefRow[]
  readonly calls: readonly CallRow[]
  /** For the statistics of messages. */
  readonly counts: readonly CountRow[]
  /** Null if the totals of no bulk change. */
  readonly bulkMove: MoveRow | null
}

export function toTurnOrder({ turn, again, held, reportsHeld, places, clickedCode }: RecordedTurn): TurnOrder {
  const { message, timeline, postings, reports, refs } = turn
  const { journey } = message
  const place = reportsHeld ? 'held' : 'due'
  return {
    messageId: message.id,
    accountId: message.accountId,
    version: journey.version,
    again: again === true,
    status: journey.status,
    journey: JSON.stringify(journey),
    at: timeline[0]?.at ?? message.createdAt,
    dueAt: journey.dueAt,
    channel: message.plan[journey.step]?.channel ?? '',
    held,
    clickedCode,
    events: timeline.map(({ at, kind, step, carrierId, detail }) => [at, kind, step, carrierId, bounded(detail)]),
    postings: postings.map(({ kind, amountMicros, charge }) => [kind, amountMicros, ...toChargeCells(charge)]),
    reports: reports.map(({ number, address, body }, index) => [number, address, body, places?.[index] ?? place]),
    refs: refs.map(({ carrierId, ref, step, part }) => [carrierId, ref, step, part]),
    calls: toCallRows(turn),
    counts: toCountRows(turn),
    bulkMove: toMoveRow(turn.bulkMove),
  }
}
