/**
 * TURN: writes what `advance` has decided, each turn whole. A turn made from an older version than the stored one is
 * left out and named; a turn that is stored already is taken for written and not written twice.
 */
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierReceipt } from '../../ports/carrier.ts'
import type { ReceiptAddress, RecordedTurn, RecordOutcome } from '../../ports/store.ts'
import type { Session } from './session.ts'
import { bounded, Statement } from './statement.ts'

/** A RecordedTurn as it crosses to the engine. Arrays are rows of the tables that they are written to. */
export interface TurnOrder {
  readonly msgId: number
  readonly accountId: number
  readonly version: number
  readonly status: string
  readonly journey: string
  readonly at: number
  /** Null once ended. */
  readonly dueAt: number | null
  readonly channel: string
  readonly held: boolean
  readonly events: readonly EventCells[]
  readonly postings: readonly (readonly [kind: 'charge' | 'release', amountMicros: number])[]
  readonly reports: readonly (readonly [number: number, address: string, body: string])[]
  readonly reportsHeld: boolean
  readonly refs: readonly (readonly [carrierId: string, ref: string, step: number, part: number])[]
  readonly clickedCode: string | null
}

type EventCells = readonly [at: number, kind: string, step: number, carrierId: string | null, detail: string]

export function toTurnOrder({ turn, held, reportsHeld, clickedCode }: RecordedTurn): TurnOrder {
  const { message, timeline } = turn
  const { journey } = message
  return {
    msgId: message.id,
    accountId: message.accountId,
    version: journey.version,
    status: journey.status,
    journey: JSON.stringify(journey),
    at: timeline[0]?.at ?? message.createdAt,
    dueAt: journey.dueAt,
    channel: message.plan[journey.step]?.channel ?? '',
    held,
    events: timeline.map(({ at, kind, step, carrierId, detail }) => [at, kind, step, carrierId, bounded(detail)]),
    postings: turn.postings.map(({ kind, amountMicros }) => [kind as 'charge' | 'release', amountMicros]),
    reports: turn.reports.map(({ number, address, body }) => [number, address, body]),
    reportsHeld,
    refs: turn.refs.map(({ carrierId, ref, step, part }) => [carrierId, ref, step, part]),
    clickedCode,
  }
}

export function recordSteps(session: Session): (orders: readonly TurnOrder[]) => RecordOutcome {
  const { database } = session
  const book = new TurnBook(session)
  const anyParked = new Statement(database, 'SELECT 1 FROM parked_receipt LIMIT 1')
  return (orders) => {
    const outcome: Draft = { stale: [], overtakers: [], queuedReports: [], anyParked: anyParked.first() !== undefined }
    for (const order of orders) book.record(order, outcome)
    const { stale, overtakers, queuedReports } = outcome
    return { stale, overtakers, queuedReports }
  }
}

interface Draft {
  readonly stale: MessageId[]
  readonly overtakers: { readonly receipt: CarrierReceipt; readonly address: ReceiptAddress }[]
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
  readonly #handParked: Statement<[outcome: string, detail: string]>
  readonly #tellLink: Statement

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
    this.#waitDue = new Statement(database, 'UPDATE due SET node = 0, channel = ?, due_at = ? WHERE msg_id = ?')
    this.#insertEvent = new Statement(
      database,
      'INSERT INTO event (msg_id, version, number, at, kind, step, carrier_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#insertReport = new Statement(
      database,
      `INSERT INTO report (msg_id, number, account_id, address, body, created_at, state, node, due_at, tries, detail)
       VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, 0, '')`,
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
      'UPDATE parked_receipt SET node = ? WHERE carrier_id = ? AND ref = ? RETURNING outcome, detail',
    )
    this.#tellLink = new Statement(database, 'UPDATE link SET told = 1 WHERE code = ?')
  }

  record(order: TurnOrder, outcome: Draft): void {
    const { msgId, version, status, journey } = order
    const isNew = this.#updateMessage.run(version, status, journey, msgId, version - 1) === 1
    if (!isNew && !this.#isStored(order)) {
      outcome.stale.push(msgId as MessageId)
      return
    }
    if (isNew) this.#write(order)
    for (const [number] of order.reports) {
      if (number > 0 && this.#pendingBefore.first(msgId, number) !== undefined) {
        outcome.queuedReports.push({ messageId: msgId as MessageId, number })
      }
    }
    if (outcome.anyParked) this.#handOvertakers(order, outcome)
  }

  /** The same journey alone proves nothing: two clicks, or two receipts that come late, leave the same one. */
  #isStored({ msgId, version, journey, events }: TurnOrder): boolean {
    const stored = this.#storedTurn.first(msgId)
    if (stored === undefined || stored[0] !== version || stored[1] !== journey) return false
    return JSON.stringify(this.#storedEvents.all(msgId, version)) === JSON.stringify(events)
  }

  #write(order: TurnOrder): void {
    const { msgId, accountId, version, at, clickedCode } = order
    this.#writeDue(order)
    for (const [kind, amountMicros] of order.postings) {
      this.#session.purse.move(kind, accountId, msgId, amountMicros, at)
    }
    for (const [number, cells] of order.events.entries()) this.#insertEvent.run(msgId, version, number, ...cells)
    for (const [number, address, body] of order.reports) {
      const queued = number > 0 && this.#pendingBefore.first(msgId, number) !== undefined
      const node = order.reportsHeld && !queued ? this.#session.node : 0
      this.#insertReport.run(msgId, number, accountId, address, body, at, node, queued ? null : at)
    }
    for (const [carrierId, ref, step, part] of order.refs) this.#insertRef.run(carrierId, ref, msgId, step, part)
    if (clickedCode !== null) this.#tellLink.run(clickedCode)
  }

  #writeDue({ msgId, dueAt, channel, held }: TurnOrder): void {
    const { node } = this.#session
    if (dueAt === null) {
      this.#endDue.run(msgId)
    } else if (held) {
      this.#holdDue.run(node, channel, msgId, node, channel)
    } else {
      this.#waitDue.run(channel, dueAt, msgId)
    }
  }

  #handOvertakers({ msgId, refs }: TurnOrder, outcome: Draft): void {
    for (const [carrierId, ref, step, part] of refs) {
      for (const [kind, detail] of this.#handParked.all(this.#session.node, carrierId, ref)) {
        const receipt = { carrierId, ref, outcome: kind, detail } as CarrierReceipt
        outcome.overtakers.push({ receipt, address: { messageId: msgId as MessageId, step, part } })
      }
    }
  }
}
