/**
 * TURN: writes what `advance` has decided, each turn whole. A turn made from an older version than the stored one is
 * left out and named; a turn that is stored already is taken for written and not written twice.
 */
import type { PostingKind } from '../../domain/ledger.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { REPORT_LIFETIME_MS } from '../../domain/report-schedule.ts'
import type { Overtaker } from '../../ports/receipt-address.ts'
import type { RecordedTurn, RecordOutcome } from '../../ports/store.ts'
import { type CallRow, toCallRows } from '../rows/call-row.ts'
import { bounded } from '../rows/kept-text.ts'
import { PARKED_COLUMNS, type ParkedRow, toReceipt } from '../rows/parked-receipt.ts'
import { type ChargeCells, toChargeCells } from '../rows/posting-row.ts'
import { countCall } from './call-totals.ts'
import { type FlatRows, flatten, rowsOf } from './flat-rows.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'
import { leaveToSweep } from './sweep-messages.ts'

/** A RecordedTurn as it crosses to the engine. The lists at its end are rows of the tables that they are written to. */
export type TurnOrder = readonly [
  msgId: number,
  accountId: number,
  version: number,
  status: string,
  journey: string,
  at: number,
  /** Null once ended. */
  dueAt: number | null,
  channel: string,
  held: boolean,
  reportsHeld: boolean,
  clickedCode: string | null,
  events: FlatRows,
  postings: FlatRows,
  reports: FlatRows,
  refs: FlatRows,
  calls: FlatRows,
  reportsParked: boolean,
]

type EventRow = [at: number, kind: string, step: number, carrierId: string | null, detail: string]
type PostingRow = [kind: PostingKind, amountMicros: number, ...charge: ChargeCells]
type ReportRow = [number: number, address: string, body: string]
type RefRow = [carrierId: string, ref: string, step: number, part: number]

export function toTurnOrder({ turn, held, reportsHeld, reportsParked, clickedCode }: RecordedTurn): TurnOrder {
  const { message, timeline, postings, reports, refs } = turn
  const { journey } = message
  return [
    message.id,
    message.accountId,
    journey.version,
    journey.status,
    JSON.stringify(journey),
    timeline[0]?.at ?? message.createdAt,
    journey.dueAt,
    message.plan[journey.step]?.channel ?? '',
    held,
    reportsHeld,
    clickedCode,
    flatten(timeline.map(({ at, kind, step, carrierId, detail }) => [at, kind, step, carrierId, bounded(detail)])),
    flatten(postings.map(({ kind, amountMicros, charge }) => [kind, amountMicros, ...toChargeCells(charge)])),
    flatten(reports.map(({ number, address, body }) => [number, address, body])),
    flatten(refs.map(({ carrierId, ref, step, part }) => [carrierId, ref, step, part])),
    flatten(toCallRows(turn)),
    reportsParked === true,
  ]
}

/** Answers null for the ordinary: everything written, nothing to say. */
export function recordSteps(session: Session): (orders: readonly TurnOrder[]) => RecordOutcome | null {
  const { database } = session
  const book = new TurnBook(session)
  const anyParked = new Statement(database, 'SELECT 1 FROM parked_receipt LIMIT 1')
  return (orders) => {
    const outcome: Draft = { stale: [], overtakers: [], queuedReports: [], anyParked: anyParked.first() !== undefined }
    for (const order of orders) book.record(order, outcome)
    const { stale, overtakers, queuedReports } = outcome
    if (stale.length + overtakers.length + queuedReports.length === 0) return null
    return { stale, elsewhere: [], overtakers, queuedReports }
  }
}

interface Draft {
  readonly stale: MessageId[]
  readonly overtakers: Overtaker[]
  readonly queuedReports: { readonly messageId: MessageId; readonly number: number }[]
  readonly anyParked: boolean
}

class TurnBook {
  readonly #session: Session
  readonly #updateMessage: Statement
  readonly #storedTurn: Statement<[version: number, journey: string]>
  readonly #storedEvents: Statement
  readonly #endDue: Statement
  readonly #holdDue: Statement
  readonly #waitDue: Statement
  readonly #insertEvent: Statement
  readonly #insertReport: Statement
  readonly #pendingBefore: Statement
  readonly #insertRef: Statement
  readonly #handParked: Statement<ParkedRow>
  readonly #tellLink: Statement
  readonly #countCall: (accountId: number, row: CallRow) => void
  readonly #leaveToSweep: (msgId: number) => void

  constructor(session: Session) {
    const { database } = session
    this.#session = session
    this.#updateMessage = new Statement(
      database,
      'UPDATE message SET version = ?, status = ?, journey = ? WHERE msg_id = ? AND version = ?',
    )
    this.#storedTurn = new Statement(database, 'SELECT version, journey FROM message WHERE msg_id = ?')
    this.#storedEvents = new Statement(
      database,
      'SELECT at, kind, step, carrier_id, detail FROM event WHERE msg_id = ? AND version = ? ORDER BY number',
    )
    this.#endDue = new Statement(database, 'DELETE FROM due WHERE msg_id = ?')
    this.#holdDue = new Statement(
      database,
      'UPDATE due SET node = ?, channel = ? WHERE msg_id = ? AND (node <> ? OR channel <> ?)',
    )
    this.#waitDue = new Statement(
      database,
      'UPDATE due SET node = 0, channel = ?, tenant = 0, due_at = ? WHERE msg_id = ?',
    )
    this.#insertEvent = new Statement(
      database,
      'INSERT INTO event (msg_id, version, number, at, kind, step, carrier_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertReport = new Statement(
      database,
      `INSERT INTO report (msg_id, number, account_id, address, body, created_at, state, node, due_at, parked, tries, detail)
       VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, 0, '')`,
    )
    this.#pendingBefore = new Statement(
      database,
      `SELECT 1 FROM report WHERE msg_id = ? AND number < ? AND state = 'pending' LIMIT 1`,
    )
    this.#insertRef = new Statement(
      database,
      'INSERT OR REPLACE INTO part_ref (carrier_id, ref, msg_id, step, part) VALUES (?, ?, ?, ?, ?)',
    )
    this.#handParked = new Statement(
      database,
      `UPDATE parked_receipt SET node = ? WHERE carrier_id = ? AND ref = ? RETURNING ${PARKED_COLUMNS}`,
    )
    this.#countCall = countCall(session)
    this.#leaveToSweep = leaveToSweep(session)
    this.#tellLink = new Statement(database, 'UPDATE link SET told = 1 WHERE code = ?')
  }

  record(order: TurnOrder, outcome: Draft): void {
    const [msgId, , version, status, journey] = order
    // What was made from a stale turn is stale, whatever number the stored version has reached by other turns.
    const isOnStale = outcome.stale.includes(msgId as MessageId)
    const isNew = !isOnStale && this.#updateMessage.run(version, status, journey, msgId, version - 1) === 1
    if (!isNew && (isOnStale || !this.#isStored(order))) {
      outcome.stale.push(msgId as MessageId)
      return
    }
    if (isNew) this.#write(order)
    for (const [number] of rowsOf<ReportRow>(order[13], 3)) {
      if (this.#isQueued(msgId, number)) outcome.queuedReports.push({ messageId: msgId as MessageId, number })
    }
    if (outcome.anyParked) this.#handOvertakers(order, outcome)
  }

  /** The same journey alone proves nothing: two clicks, or two receipts that come late, leave the same one. */
  #isStored([msgId, , version, , journey, , , , , , , events]: TurnOrder): boolean {
    const stored = this.#storedTurn.first(msgId)
    if (stored === undefined || stored[0] !== version || stored[1] !== journey) return false
    return JSON.stringify(flatten(this.#storedEvents.all(msgId, version))) === JSON.stringify(events)
  }

  #write(order: TurnOrder): void {
    const [msgId, accountId, version, , , at, , , , reportsHeld, clickedCode, events, postings, reports, refs] = order
    this.#writeDue(order)
    const { ledger } = this.#session
    for (const [kind, amountMicros, ...charge] of rowsOf<PostingRow>(postings, 8)) {
      if (kind === 'charge') ledger.charge(accountId, msgId, amountMicros, at, charge)
      else if (kind === 'release') ledger.move(kind, accountId, msgId, amountMicros, at)
    }
    for (const [number, row] of rowsOf<EventRow>(events, 5).entries()) {
      this.#insertEvent.run(msgId, version, number, ...row)
    }
    const { vault } = this.#session
    for (const [number, address, body] of rowsOf<ReportRow>(reports, 3)) {
      // Where a link leads is a text; all else that reports hold stands in the row of the message too.
      const kept = clickedCode === null ? body : vault.seal(body)
      const queued = this.#isQueued(msgId, number)
      const node = reportsHeld && !queued ? this.#session.node : 0
      const isParked = order[16] && !queued
      const dueAt = isParked ? at + REPORT_LIFETIME_MS : at
      const waits = [node, queued ? null : dueAt, Number(isParked)]
      this.#insertReport.run(msgId, number, accountId, address, kept, at, ...waits)
    }
    for (const [carrierId, ref, step, part] of rowsOf<RefRow>(refs, 4)) {
      this.#insertRef.run(carrierId, ref, msgId, step, part)
    }
    for (const row of rowsOf<CallRow>(order[15], 5)) this.#countCall(accountId, row)
    if (clickedCode !== null) this.#tellLink.run(clickedCode)
  }

  #isQueued(msgId: number, number: number): boolean {
    return number > 0 && this.#pendingBefore.first(msgId, number) !== undefined
  }

  #writeDue([msgId, , , , , , dueAt, channel, held]: TurnOrder): void {
    const { node } = this.#session
    if (dueAt === null) {
      this.#endDue.run(msgId)
      this.#leaveToSweep(msgId)
    } else if (held) {
      this.#holdDue.run(node, channel, msgId, node, channel)
    } else {
      this.#waitDue.run(channel, dueAt, msgId)
    }
  }

  #handOvertakers(order: TurnOrder, outcome: Draft): void {
    const messageId = order[0] as MessageId
    for (const [carrierId, ref, step, part] of rowsOf<RefRow>(order[14], 4)) {
      for (const row of this.#handParked.all(this.#session.node, carrierId, ref)) {
        outcome.overtakers.push({ receipt: toReceipt(row), address: { messageId, step, part } })
      }
    }
  }
}
