/** Stores inbound messages once and sealed, long ones once they are complete. */
import { replyStateOf } from '../../../domain/inbound/automatic-reply.ts'
import type { AnsweredMessage } from '../../../domain/inbound/inbound-message.ts'
import { MAX_ANSWERABLE } from '../../../domain/message/answered-message.ts'
import { formsOf, type Phone } from '../../../domain/numbers/phone.ts'
import {
  INBOUND_PARTS_KEPT_MS,
  type InboundArrival,
  type InboundMessage,
  type SettledKey,
} from '../../../ports/carriers/carrier.ts'
import {
  accountInbound,
  answerableQuery,
  answeredMessage,
  inboundReports,
  numbersKeysOf,
  type OwnNumber,
  ownerOf,
  readOwnNumber,
  SELECT_OWN_NUMBERS,
} from '../../recording/assign-inbound.ts'
import {
  type InboundFacts,
  InboundRecorder,
  type InboundRows,
  type PartRow,
  type PartsKey,
} from '../../recording/inbound-recorder.ts'
import { INBOUND_COLUMNS, inboundRow } from '../../rows/messages/inbound-row.ts'
import { MESSAGE_COLUMNS, type MessageColumns } from '../../rows/messages/message-row.ts'
import { EventReports } from '../session/event-reports.ts'
import type { Session } from '../session/session.ts'
import { newestIds } from '../statement/id-ranges.ts'
import { SqlStatement } from '../statement/statement.ts'

const WHOLE = 'carrier_id = ? AND sender = ? AND recipient = ? AND reference = ? AND total = ?'
const SLICE = 100

export function recordInbound(
  session: Session,
): (arrivals: readonly InboundArrival[], settled: readonly SettledKey[]) => void {
  const facts = inboundFacts(session)
  const write = inboundWriter(session)
  return (arrivals, settled) => {
    const recorder = new InboundRecorder(facts, session.vault)
    for (const key of settled) recorder.settle(key)
    for (const arrival of arrivals) recorder.take(arrival)
    write(recorder.rows())
  }
}

/** Stores one slice of incomplete messages whose parts have waited long enough; returns true if there may be more. */
export function sweepInboundParts(session: Session): (now: number) => boolean {
  const facts = inboundFacts(session)
  const write = inboundWriter(session)
  const overdue = new SqlStatement<[...PartsKey]>(
    session.database,
    `SELECT DISTINCT carrier_id, sender, recipient, reference, total FROM inbound_part WHERE at <= ? LIMIT ${SLICE}`,
  )
  return (now) => {
    const recorder = new InboundRecorder(facts, session.vault)
    const found = overdue.all(now - INBOUND_PARTS_KEPT_MS)
    for (const key of found) recorder.join(key)
    write(recorder.rows())
    return found.length === SLICE
  }
}

function inboundFacts({ database }: Session): InboundFacts {
  const key = new SqlStatement<[keepUntil: number]>(
    database,
    'SELECT keep_until FROM inbound_key WHERE carrier_id = ? AND key = ?',
  )
  const parts = new SqlStatement<[...PartRow]>(database, `SELECT number, text, at FROM inbound_part WHERE ${WHOLE}`)
  return {
    keepUntil: ({ carrierId, key: name }) => key.first(carrierId, name)?.[0],
    parts: (of) => parts.all(...of),
  }
}

function inboundWriter(session: Session): (rows: InboundRows) => void {
  const { database } = session
  const keepKey = new SqlStatement(
    database,
    `INSERT INTO inbound_key (carrier_id, key, keep_until) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET keep_until = excluded.keep_until`,
  )
  const removeParts = new SqlStatement(database, `DELETE FROM inbound_part WHERE ${WHOLE}`)
  const insertPart = new SqlStatement(
    database,
    `INSERT INTO inbound_part (carrier_id, sender, recipient, reference, total, number, text, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const keep = messageWriter(session)
  return ({ keys, removedParts, parts, messages }) => {
    for (const row of keys) keepKey.run(...row)
    for (const key of removedParts) removeParts.run(...key)
    for (const row of parts) insertPart.run(...row)
    for (const message of messages) keep(message)
  }
}

/** Also writes the report of a message to a number of an account. */
function messageWriter({ database, vault }: Session): (message: InboundMessage) => void {
  const numbers = new SqlStatement(
    database,
    `${SELECT_OWN_NUMBERS} WHERE inbound_number.carrier_id = ? AND inbound_number.address = ?`,
  )
  const insert = new SqlStatement(
    database,
    `INSERT INTO inbound_message (${INBOUND_COLUMNS})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const reports = new EventReports({ database, vault })
  const findAnswered = answeredFinder(database)
  return (message) => {
    const own = numbersKeysOf(message).flatMap((key) => numbers.all(...key))
    const owner = ownerOf(
      message,
      own.map((cells) => readOwnNumber(cells, vault)),
    )
    const counter = owner === null ? undefined : reports.nextCounter()
    if (owner === null || counter === undefined) {
      insert.run(...inboundRow(message, null, vault))
      return
    }
    const inbound = accountInbound(message, owner, counter, findAnswered(message, owner))
    insert.run(...inboundRow(message, { inbound, reply: replyStateOf(message, owner) }, vault))
    for (const report of inboundReports(inbound, owner)) {
      reports.write({ ...report, body: vault.seal(report.body) }, message.at)
    }
  }
}

/**
 * Only this many ids back, and of a phone with very many messages the newest, so that a search takes milliseconds.
 * A gateway with few messages drops a block of 16,384 counters, an id range, each ten minutes: 432 in 72 hours.
 */
const ANSWERABLE_IDS = 512 * 2 ** 20
const MAX_OF_PHONE = 2_000

function answeredFinder(
  database: Session['database'],
): (message: InboundMessage, owner: OwnNumber) => AnsweredMessage | null {
  const last = new SqlStatement<[id: number | null]>(database, 'SELECT max(msg_id) FROM message')
  const idsOfPhone = newestIds(database, 'message_of_phone')
  const newest = new SqlStatement<MessageColumns>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM message WHERE msg_id IN (SELECT value FROM json_each(?))
       AND account_id = ? AND created_at > ? ORDER BY msg_id DESC LIMIT ${MAX_ANSWERABLE}`,
  )
  const newestOf = (phone: Phone): string => {
    const from = Math.max(0, (last.first()?.[0] ?? 0) - ANSWERABLE_IDS)
    const span = { from, before: Number.MAX_SAFE_INTEGER, limit: MAX_OF_PHONE }
    return JSON.stringify(formsOf(phone).flatMap((form) => idsOfPhone(form, span)))
  }
  const quoted = new SqlStatement<MessageColumns>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM message WHERE account_id = ?
       AND msg_id = (SELECT msg_id FROM part_ref WHERE carrier_id = ? AND ref = ?)`,
  )
  return (message, owner) => {
    const query = answerableQuery(message, owner)
    if (query === null) return null
    const rows =
      query.of === 'quoted'
        ? quoted.all(query.accountId, query.carrierId, query.ref)
        : newest.all(newestOf(query.phone), query.accountId, query.after)
    return answeredMessage(query, owner, rows)
  }
}
