/**
 * Records the decisions of `advance`, each turn whole (recording/turn-planner.ts decides what a turn writes).
 * Reads all facts at once and writes all rows at once.
 */
import { type BulkId, bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { EarlyReceipt } from '../../../ports/carriers/receipt-address.ts'
import type { RecordedTurn, RecordOutcome } from '../../../ports/stores/delivery-store.ts'
import { type TurnOrder, toTurnOrder } from '../../recording/turn-order.ts'
import { TurnPlanner, type TurnRows } from '../../recording/turn-planner.ts'
import { addedTotals, BULK_TOTAL_COLUMNS, type MoveRow } from '../../rows/bulk/bulk-row.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import type { NewReportRow } from '../../rows/reports/report-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion, onRows, typesOf, unnest } from '../connection/statement.ts'
import { insertReports } from '../session/insert-reports.ts'
import type { Session } from '../session/session.ts'
import { CallCounter } from '../statistics/call-totals.ts'
import { leaveToSweep } from '../sweeping/sweep-messages.ts'
import { handEarlyReceipts } from './early-receipts.ts'
import { StoredTurns } from './stored-turns.ts'

const UPDATE_MESSAGES = onRows(
  `UPDATE message SET version = new.version, status = new.status, journey = new.journey
   FROM ${unnest(typesOf('message', 'msg_id, version, status, journey'), 2)}
   WHERE message.bucket = $1 AND message.msg_id = new.msg_id`,
)
const END_DUE = onRows(
  `DELETE FROM due USING ${unnest(typesOf('due', 'msg_id'), 2)} WHERE due.bucket = $1 AND due.msg_id = new.msg_id`,
)
/** Held by a node, or waiting with node 0. Unchanged rows are not written. */
const CHANGE_DUE = onRows(
  `UPDATE due SET node = new.node, channel = new.channel, tenant = new.tenant, due_at = new.due_at
   FROM ${unnest(typesOf('due', 'msg_id, node, channel, due_at, tenant'), 2)}
   WHERE due.bucket = $1 AND due.msg_id = new.msg_id AND (new.node = 0 OR due.node <> new.node OR due.channel <> new.channel)`,
)
const INSERT_EVENTS = insertion('event', 'msg_id, version, number, at, kind, step, carrier_id, detail')
const INSERT_REFS = insertion('part_ref', 'msg_id, step, part, carrier_id, ref')
const MARK_LINKS_REPORTED = onRows(
  `UPDATE link SET reported = 1 FROM ${unnest(typesOf('link', 'msg_id, code'), 2)}
   WHERE link.bucket = $1 AND link.msg_id = new.msg_id AND link.code = new.code`,
)

interface Outcome extends RecordOutcome {
  readonly stale: MessageId[]
  readonly elsewhere: MessageId[]
  readonly earlyReceipts: EarlyReceipt[]
  readonly queuedReports: { readonly messageId: MessageId; readonly number: number }[]
}

export async function recordSteps(
  session: Session,
  calls: readonly (readonly RecordedTurn[])[],
): Promise<readonly RecordOutcome[]> {
  const stored = await StoredTurns.read(session, calls.flat())
  const { ledger, vault, node } = session
  const planner = new TurnPlanner({ facts: stored, ledger, vault, node })
  const writer = new TurnWriter(session, stored)
  const outcomes = calls.map((turns) => {
    const outcome: Outcome = { stale: [], elsewhere: [], earlyReceipts: [], queuedReports: [] }
    const kept = turns.filter((recorded) => record(recorded, { stored, planner, writer, outcome }))
    handEarlyReceipts(session, kept, outcome.earlyReceipts)
    return outcome
  })
  writer.write()
  return outcomes
}

interface Recording {
  readonly stored: StoredTurns
  readonly planner: TurnPlanner
  readonly writer: TurnWriter
  readonly outcome: Outcome
}

/** Returns false if the turn is stale. */
function record(recorded: RecordedTurn, { stored, planner, writer, outcome }: Recording): boolean {
  const order = toTurnOrder(recorded)
  const { id } = recorded.turn.message
  const rows = planner.plan(order, outcome)
  if (rows === 'stale') return false
  if (rows !== 'stored') writer.add(order, rows)
  const isElsewhere = recorded.fromOtherNode === true && stored.isElsewhere(id)
  if (isElsewhere || (rows === 'stored' && order.held && stored.isReleased(order))) outcome.elsewhere.push(id)
  return true
}

/** Collects the rows of turns by bucket. */
class TurnWriter {
  readonly #session: Session
  readonly #stored: StoredTurns
  /** The last version of each message. */
  readonly #messages = new Map<MessageId, Cell[]>()
  readonly #due = new Map<MessageId, TurnRows['due']>()
  readonly #events = new ByBucket<Cell[]>()
  readonly #reports: NewReportRow[] = []
  readonly #refs = new ByBucket<Cell[]>()
  readonly #reportedLinks = new ByBucket<Cell[]>()
  readonly #calls = new CallCounter()
  readonly #bulkMoves: MoveRow[] = []

  constructor(session: Session, stored: StoredTurns) {
    this.#session = session
    this.#stored = stored
  }

  add(order: TurnOrder, { due, reports }: TurnRows): void {
    const { accountId, version, status, journey, clickedCode } = order
    const id = order.messageId
    const bucket = bucketOfMessage(id)
    this.#messages.set(id, [id, version, status, journey])
    // A message held by another node stays there until that node learns that its turn is stale.
    if (due === null || !this.#stored.isElsewhere(id)) this.#due.set(id, due)
    for (const [number, event] of order.events.entries()) this.#events.add(bucket, [id, version, number, ...event])
    for (const report of reports) {
      this.#reports.push(report)
      this.#stored.addReport(report)
    }
    for (const [carrierId, ref, step, part] of order.refs) this.#refs.add(bucket, [id, step, part, carrierId, ref])
    this.#calls.count(accountId, order.calls)
    this.#session.totals.count(order.counts)
    if (order.bulkMove !== null) this.#bulkMoves.push(order.bulkMove)
    if (clickedCode !== null) this.#reportedLinks.add(bucket, [id, clickedCode])
  }

  write(): void {
    const [messages, ended, changed] = [new ByBucket<Cell[]>(), new ByBucket<Cell[]>(), new ByBucket<readonly Cell[]>()]
    const endedIds: MessageId[] = []
    for (const [id, row] of this.#messages) messages.add(bucketOfMessage(id), row)
    for (const [id, row] of this.#due) {
      if (row !== null) changed.add(bucketOfMessage(id), row)
      else {
        ended.add(bucketOfMessage(id), [id])
        endedIds.push(id)
      }
    }
    const session = this.#session
    session.update(UPDATE_MESSAGES, messages)
    session.update(END_DUE, ended)
    leaveToSweep(session, endedIds)
    session.update(CHANGE_DUE, changed)
    session.insert(INSERT_EVENTS, this.#events)
    insertReports(session, this.#reports)
    session.insert(INSERT_REFS, this.#refs)
    session.update(MARK_LINKS_REPORTED, this.#reportedLinks)
    this.#calls.write(session)
    addTotals(session, this.#bulkMoves)
  }
}

/** Counts the turns of messages in the totals of their bulks. */
const ADD_TOTALS = insertion(
  'bulk_total',
  BULK_TOTAL_COLUMNS,
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY bulk_id, status ON CONFLICT (bucket, bulk_id, status) DO UPDATE SET
     messages = bulk_total.messages + excluded.messages, micros = bulk_total.micros + excluded.micros`,
)

function addTotals(session: Session, moves: readonly MoveRow[]): void {
  if (moves.length === 0) return
  session.insert(
    ADD_TOTALS,
    ByBucket.of<readonly Cell[]>(addedTotals(moves), ([bulkId]) => bucketOfMessage(bulkId as BulkId)),
  )
}
