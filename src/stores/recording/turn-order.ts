/** A turn to be recorded, as rows of its tables. */

import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { PartRef, TimelineEntry } from '../../domain/journey/turn.ts'
import type { Posting, PostingKind } from '../../domain/money/ledger.ts'
import type { RecordedTurn, ReportPlace } from '../../ports/stores/delivery-store.ts'
import { type MoveRow, toMoveRow } from '../rows/bulk/bulk-row.ts'
import { bounded } from '../rows/cells/kept-text.ts'
import { type WriteJourney, writeObject } from '../rows/messages/message-row.ts'
import { type ChargeCells, toChargeCells } from '../rows/money/posting-row.ts'
import { waitingPlace } from '../rows/queues/place.ts'
import { type CallRow, toCallRows } from '../rows/statistics/call-row.ts'
import { type CountRow, toCountRows } from '../rows/statistics/message-total.ts'

export type EventRow = readonly [at: number, kind: string, step: number, carrierId: string | null, detail: string]
type MoneyRow = readonly [kind: PostingKind, amountMicros: number, ...charge: ChargeCells]
type TurnReportRow = readonly [number: number, address: string, body: string, place: ReportPlace]
type RefRow = readonly [carrierId: string, ref: string, step: number, part: number]

export interface TurnOrder {
  readonly messageId: MessageId
  readonly accountId: AccountId
  readonly version: number
  /** As in a RecordedTurn. */
  readonly again: boolean
  readonly status: string
  readonly journey: string
  readonly at: number
  /** Null once the message has ended. */
  readonly dueAt: number | null
  /** Its queue, if a tenant is named (rows/queues/place.ts). */
  readonly channel: string
  /** 0 for a message that only waits for its due time. */
  readonly tenant: number
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

export function toTurnOrder(recorded: RecordedTurn, writeJourney: WriteJourney = writeObject): TurnOrder {
  const { turn, again, held, clickedCode } = recorded
  const { message, timeline, postings, reports, refs } = turn
  const { journey } = message
  return {
    messageId: message.id,
    accountId: message.accountId,
    version: journey.version,
    again: again === true,
    status: journey.status,
    journey: writeJourney(journey),
    at: timeline[0]?.at ?? message.createdAt,
    dueAt: journey.dueAt,
    ...waitingPlace(message),
    held,
    clickedCode,
    events: timeline.map(toEventRow),
    postings: rowsOf(postings, toMoneyRow),
    reports: reports.length === 0 ? NO_ROWS : toReportRows(recorded),
    refs: rowsOf(refs, toRefRow),
    calls: toCallRows(turn),
    counts: toCountRows(turn),
    bulkMove: toMoveRow(turn.bulkMove),
  }
}

const NO_ROWS: readonly never[] = []

/** Most turns have no rows of most kinds. */
function rowsOf<T, Row>(list: readonly T[], toRow: (each: T) => Row): readonly Row[] {
  return list.length === 0 ? NO_ROWS : list.map(toRow)
}

function toReportRows({ turn, reportsHeld, places }: RecordedTurn): readonly TurnReportRow[] {
  const place = reportsHeld ? 'held' : 'due'
  return turn.reports.map(({ number, address, body }, index) => [number, address, body, places?.[index] ?? place])
}

function toEventRow({ at, kind, step, carrierId, detail }: TimelineEntry): EventRow {
  return [at, kind, step, carrierId, bounded(detail)]
}

function toMoneyRow({ kind, amountMicros, charge }: Posting): MoneyRow {
  const [channel, operator, parts, carrierId, costMicros, costCurrency] = toChargeCells(charge)
  return [kind, amountMicros, channel, operator, parts, carrierId, costMicros, costCurrency]
}

function toRefRow({ carrierId, ref, step, part }: PartRef): RefRow {
  return [carrierId, ref, step, part]
}
