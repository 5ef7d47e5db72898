/** The facts for recording turns: read at once under locks, and updated in memory as turns are recorded. */

import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import { firstNumberOf } from '../../../domain/reports/client-hook.ts'
import type { RecordedTurn } from '../../../ports/stores/delivery-store.ts'
import { STILL_NODE, STILL_PENDING } from '../../commands/statement/sql.ts'
import type { EventRow, TurnOrder } from '../../recording/turn-order.ts'
import type { StoredTurn, TurnFacts } from '../../recording/turn-planner.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { isEventRow, type NewReportRow } from '../../rows/reports/report-row.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, onRows, typesOf, unnest } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

/** With the journeys of messages that may have the turn already. */
const LOCK_MESSAGES = onRows<[msgId: number, version: number, journey: string | null]>(
  `SELECT message.msg_id, message.version, CASE WHEN message.version >= new.version THEN message.journey END
   FROM message JOIN ${unnest(typesOf('message', 'msg_id, version'), 2)} USING (msg_id)
   WHERE message.bucket = $1 ORDER BY message.bucket, message.msg_id FOR NO KEY UPDATE OF message`,
)
const STORED_EVENTS = inBucket<[msgId: number, version: number, ...EventRow]>(
  `SELECT msg_id, version, at, kind, step, carrier_id, detail FROM event
   WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) ORDER BY msg_id, version, number`,
)
/** Locked, so that none is settled on another node while another one is queued behind it here. */
const PENDING_REPORTS = inBucket<[msgId: number, number: number]>(
  `SELECT msg_id, number FROM report WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND ${STILL_PENDING}
     AND position IS NULL
   ORDER BY msg_id, number FOR SHARE`,
)
/** Locked, so that their node cannot release them concurrently. */
const HELD_ELSEWHERE = inBucket<[msgId: number]>(
  `SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($3::bigint[]) AND ${STILL_NODE} NOT IN (0, $2)
   ORDER BY msg_id FOR UPDATE`,
)
const HELD_HERE = inBucket<[msgId: number]>(
  'SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($3::bigint[]) AND node = $2',
)

interface StoredMessage {
  version: number
  journey: string | null
  /** By version; read only for messages that may have a turn already. */
  readonly events: Map<number, readonly EventRow[]>
}

export class StoredTurns implements TurnFacts {
  readonly #messages = new Map<number, StoredMessage>()
  /** The numbers of unsettled reports, by message. */
  readonly #pending = new Map<number, number[]>()
  readonly #elsewhere = new Set<number>()
  /** Messages that advanced beyond these turns and are still held by this node. */
  readonly #here = new Set<number>()

  static async read(session: Session, turns: readonly RecordedTurn[]): Promise<StoredTurns> {
    const stored = new StoredTurns()
    const firsts = await stored.#readMessages(session, turns)
    await stored.#readEarlierTry(session, firsts)
    return stored
  }

  advance({ messageId, version, journey, events }: TurnOrder): boolean {
    const known = this.#messages.get(messageId)
    if (known?.version !== version - 1) return false
    Object.assign(known, { version, journey }).events.set(version, events)
    return true
  }

  find({ messageId, version: asked }: TurnOrder): StoredTurn | undefined {
    const known = this.#messages.get(messageId)
    if (known === undefined) return undefined
    const { version, journey, events } = known
    return { version, journey, events: events.get(asked) ?? [] }
  }

  hasPendingReport(messageId: number, first: number, below: number): boolean {
    return this.#pending.get(messageId)?.some((number) => number >= first && number < below) === true
  }

  addReport(row: NewReportRow): void {
    const [messageId, number] = row
    if (isEventRow(row)) return
    this.#pending.set(messageId, [...(this.#pending.get(messageId) ?? []), number])
  }

  /** Whether another node holds it. Known only for messages of turns `fromOtherNode`. */
  isElsewhere(messageId: number): boolean {
    return this.#elsewhere.has(messageId)
  }

  /** The message of a turn recorded by an earlier try has advanced since, and this node no longer holds it. */
  isReleased({ messageId, version }: TurnOrder): boolean {
    return (this.#messages.get(messageId)?.version ?? 0) > version && !this.#here.has(messageId)
  }

  /** Returns the version of each message's first turn. */
  async #readMessages(session: Session, turns: readonly RecordedTurn[]): Promise<ReadonlyMap<MessageId, number>> {
    const firsts = new Map<MessageId, number>()
    const reporting = new ByBucket<MessageId>()
    const paying = new Set<number>()
    const doubtful = new ByBucket<MessageId>()
    for (const { turn, fromOtherNode } of turns) {
      const { id, accountId, journey } = turn.message
      if (fromOtherNode === true) doubtful.add(bucketOfMessage(id), id)
      if (!firsts.has(id)) firsts.set(id, journey.version)
      if (turn.reports.some(({ number }) => number > firstNumberOf(number))) reporting.add(bucketOfMessage(id), id)
      if (turn.postings.length > 0) paying.add(accountId)
    }
    const asked = new ByBucket<Cell[]>()
    for (const [id, version] of firsts) asked.add(bucketOfMessage(id), [id, version])
    const { node } = session
    const [, messages, pending, elsewhere] = await Promise.all([
      session.ledger.lock(paying),
      session.queryRows(LOCK_MESSAGES, asked),
      Promise.all(reporting.entries().map(([bucket, ids]) => session.query(PENDING_REPORTS, bucket, ids))),
      Promise.all(doubtful.entries().map(([bucket, ids]) => session.query(HELD_ELSEWHERE, bucket, node, ids))),
    ])
    for (const [id, version, journey] of messages) this.#messages.set(id, { version, journey, events: new Map() })
    for (const [id, number] of pending.flat()) this.#pending.set(id, [...(this.#pending.get(id) ?? []), number])
    for (const [id] of elsewhere.flat()) this.#elsewhere.add(id)
    return firsts
  }

  /**
   * For turns that may have been recorded before: reads the events of all turns, and which messages this node holds.
   */
  async #readEarlierTry(session: Session, firsts: ReadonlyMap<MessageId, number>): Promise<void> {
    const doubtful = new ByBucket<MessageId>()
    for (const [id, first] of firsts) {
      if ((this.#messages.get(id)?.version ?? -1) >= first) doubtful.add(bucketOfMessage(id), id)
    }
    const [events, here] = await Promise.all([
      Promise.all(doubtful.entries().map(([bucket, ids]) => session.query(STORED_EVENTS, bucket, ids))),
      Promise.all(doubtful.entries().map(([bucket, ids]) => session.query(HELD_HERE, bucket, session.node, ids))),
    ])
    for (const [id, version, ...event] of events.flat()) {
      const known = this.#messages.get(id)?.events
      known?.set(version, [...(known.get(version) ?? []), event])
    }
    for (const [id] of here.flat()) this.#here.add(id)
  }
}
