/**
 * Records the decisions of `advance`, each turn whole (recording/turn-planner.ts decides what a turn writes).
 */

import type { EarlyReceipt } from '../../../ports/carriers/receipt-address.ts'
import type { RecordOutcome } from '../../../ports/stores/delivery-store.ts'
import type { EventRow, TurnOrder } from '../../recording/turn-order.ts'
import {
  type StoredTurn,
  type TurnFacts,
  type TurnOutcome,
  TurnPlanner,
  type TurnRows,
} from '../../recording/turn-planner.ts'
import { addedTotals, BULK_TOTAL_COLUMNS, type MoveRow } from '../../rows/bulk/bulk-row.ts'
import {
  EARLY_RECEIPT_COLUMNS,
  type EarlyReceiptRow,
  peersOf,
  toEarlyReceipt,
} from '../../rows/messages/early-receipt.ts'
import type { NewReportRow } from '../../rows/reports/report-row.ts'
import { CALL_COLUMNS, type CallRow } from '../../rows/statistics/call-row.ts'
import { insertReport } from '../session/insert-report.ts'
import type { Session } from '../session/session.ts'
import type { SqliteTotals } from '../session/sqlite-totals.ts'
import { SqlStatement } from '../statement/statement.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'

/** Returns null in the ordinary case: everything was written. */
export function recordSteps(session: Session): (orders: readonly TurnOrder[]) => RecordOutcome | null {
  const { database, ledger, vault, node, parked } = session
  const planner = new TurnPlanner({ facts: turnFacts(session), ledger, vault, node })
  const writer = new TurnWriter(session)
  const anyEarlyReceipt = new SqlStatement(database, 'SELECT 1 FROM early_receipt LIMIT 1')
  return (orders) => {
    const outcome: TurnOutcome = { stale: [], queuedReports: [] }
    const earlyReceipts: EarlyReceipt[] = []
    if (parked.mayExist) parked.mayExist = anyEarlyReceipt.first() !== undefined
    for (const order of orders) {
      const rows = planner.plan(order, outcome)
      if (rows === 'stale') continue
      if (rows !== 'stored') writer.write(order, rows)
      if (parked.mayExist) earlyReceipts.push(...writer.handEarlyReceipts(order))
    }
    const { stale, queuedReports } = outcome
    if (stale.length + earlyReceipts.length + queuedReports.length === 0) return null
    return { stale, elsewhere: [], earlyReceipts, queuedReports }
  }
}

function turnFacts({ database }: Session): TurnFacts {
  const update = new SqlStatement(
    database,
    'UPDATE message SET version = ?, status = ?, journey = ? WHERE msg_id = ? AND version = ?',
  )
  const message = new SqlStatement<[version: number, journey: string]>(
    database,
    'SELECT version, journey FROM message WHERE msg_id = ?',
  )
  const events = new SqlStatement<[...EventRow]>(
    database,
    'SELECT at, kind, step, carrier_id, detail FROM event WHERE msg_id = ? AND version = ? ORDER BY number',
  )
  const pendingBelow = new SqlStatement(
    database,
    `SELECT 1 FROM report WHERE msg_id = ? AND number >= ? AND number < ? AND state = 'pending' AND position IS NULL LIMIT 1`,
  )
  return {
    advance: ({ messageId, version, status, journey }) =>
      update.change(version, status, journey, messageId, version - 1) === 1,
    find({ messageId, version: asked }): StoredTurn | undefined {
      const stored = message.first(messageId)
      if (stored === undefined) return undefined
      const [version, journey] = stored
      return { version, journey, events: events.all(messageId, asked) }
    },
    hasPendingReport: (...range) => pendingBelow.first(...range) !== undefined,
  }
}

class TurnWriter {
  readonly #node: number
  readonly #totals: SqliteTotals
  readonly #endDue: SqlStatement
  readonly #holdDue: SqlStatement
  readonly #waitDue: SqlStatement
  readonly #insertEvent: SqlStatement
  readonly #insertReport: (row: NewReportRow) => void
  readonly #insertRef: SqlStatement
  readonly #handEarlyReceipt: SqlStatement<EarlyReceiptRow>
  readonly #removeCopy: SqlStatement
  readonly #markLinkReported: SqlStatement
  readonly #countMove: (move: MoveRow) => void
  readonly #countCall: (accountId: number, row: CallRow) => void
  readonly #leaveToSweep: (msgId: number) => void

  constructor(session: Session) {
    const { database } = session
    this.#node = session.node
    this.#totals = session.totals
    this.#endDue = new SqlStatement(database, 'DELETE FROM due WHERE msg_id = ?')
    this.#holdDue = new SqlStatement(
      database,
      'UPDATE due SET node = ?, channel = ? WHERE msg_id = ? AND (node <> ? OR channel <> ?)',
    )
    this.#waitDue = new SqlStatement(
      database,
      'UPDATE due SET node = 0, channel = ?, tenant = ?, due_at = ? WHERE msg_id = ?',
    )
    this.#insertEvent = new SqlStatement(
      database,
      'INSERT INTO event (msg_id, version, number, at, kind, step, carrier_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertReport = insertReport(database)
    this.#insertRef = new SqlStatement(
      database,
      'INSERT OR REPLACE INTO part_ref (carrier_id, ref, msg_id, step, part) VALUES (?, ?, ?, ?, ?)',
    )
    this.#handEarlyReceipt = new SqlStatement(
      database,
      `UPDATE early_receipt SET node = ?, msg_id = ?, step = ?, part = ?
       WHERE carrier_id = ? AND ref = ? AND (node = 0 OR msg_id = ?) RETURNING ${EARLY_RECEIPT_COLUMNS}`,
    )
    this.#removeCopy = new SqlStatement(
      database,
      'DELETE FROM early_receipt WHERE carrier_id = ? AND ref = ? AND outcome = ? AND node = 0',
    )
    this.#countCall = countCall(session)
    this.#countMove = countMove(session)
    this.#leaveToSweep = leaveToSweep(session)
    this.#markLinkReported = new SqlStatement(database, 'UPDATE link SET reported = 1 WHERE code = ?')
  }

  write(order: TurnOrder, rows: TurnRows): void {
    const { messageId, accountId, version, events, refs, calls, bulkMove, clickedCode } = order
    this.#writeDue(messageId, rows.due)
    for (const [number, event] of events.entries()) this.#insertEvent.run(messageId, version, number, ...event)
    for (const report of rows.reports) this.#insertReport(report)
    for (const [carrierId, ref, step, part] of refs) this.#insertRef.run(carrierId, ref, messageId, step, part)
    for (const call of calls) this.#countCall(accountId, call)
    this.#totals.count(order.counts)
    if (bulkMove !== null) this.#countMove(bulkMove)
    if (clickedCode !== null) this.#markLinkReported.run(clickedCode)
  }

  /** Returns the receipts that arrived before the ids of this turn, and assigns them to this node. */
  handEarlyReceipts({ messageId, refs }: TurnOrder): readonly EarlyReceipt[] {
    return refs.flatMap(([carrierId, ref, step, part]) => {
      const rows = this.#handEarlyReceipt.all(this.#node, messageId, step, part, carrierId, ref, messageId)
      for (const row of rows) for (const peer of peersOf(row)) this.#removeCopy.run(peer, ref, row[2])
      return rows.map((row) => toEarlyReceipt(row, { messageId, step, part }))
    })
  }

  #writeDue(messageId: number, row: TurnRows['due']): void {
    if (row === null) {
      this.#endDue.run(messageId)
      this.#leaveToSweep(messageId)
      return
    }
    const [, node, channel, dueAt, tenant] = row
    if (node !== 0) this.#holdDue.run(node, channel, messageId, node, channel)
    else this.#waitDue.run(channel, tenant, dueAt, messageId)
  }
}

/** Counts the turns of messages in the totals of their bulks. */
function countMove({ database }: Session): (move: MoveRow) => void {
  const add = new SqlStatement(
    database,
    `INSERT INTO bulk_total (${BULK_TOTAL_COLUMNS}) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, micros = micros + excluded.micros`,
  )
  return (move) => {
    for (const row of addedTotals([move])) add.run(...row)
  }
}

/** Counts calls: a row for each day, account, carrier, operator and outcome, in the turn that reports it. */
function countCall({ database }: Session): (accountId: number, row: CallRow) => void {
  const add = new SqlStatement(
    database,
    `INSERT INTO call_total (account_id, calls, ${CALL_COLUMNS}) VALUES (?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + 1, ring_ms = ring_ms + excluded.ring_ms`,
  )
  return (accountId, row) => {
    add.run(accountId, ...row)
  }
}
