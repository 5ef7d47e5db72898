/** Stores inbound messages once and sealed, long ones once they are complete. */
import {
  INBOUND_PARTS_KEPT_MS,
  type InboundArrival,
  type InboundMessage,
  type SettledKey,
} from '../../ports/carrier.ts'
import {
  type InboundFacts,
  InboundRecorder,
  type InboundRows,
  type PartRow,
  type PartsKey,
} from '../recording/inbound-recorder.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

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
  const overdue = new Statement<[...PartsKey]>(
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

export function inboundMessages({ database, vault }: Session): (most: number) => InboundMessage[] {
  const select = new Statement<[carrierId: string, sender: string, recipient: string, text: string, at: number]>(
    database,
    'SELECT carrier_id, sender, recipient, text, at FROM inbound_message ORDER BY inbound_id DESC LIMIT ?',
  )
  return (most) =>
    select.all(most).map(([carrierId, sender, recipient, text, at]) => {
      return { carrierId, sender, recipient, text: vault.openText(text), at }
    })
}

function inboundFacts({ database }: Session): InboundFacts {
  const key = new Statement<[keepUntil: number]>(
    database,
    'SELECT keep_until FROM inbound_key WHERE carrier_id = ? AND key = ?',
  )
  const parts = new Statement<[...PartRow]>(database, `SELECT number, text, at FROM inbound_part WHERE ${WHOLE}`)
  return {
    keepUntil: ({ carrierId, key: name }) => key.first(carrierId, name)?.[0],
    parts: (of) => parts.all(...of),
  }
}

function inboundWriter({ database }: Session): (rows: InboundRows) => void {
  const keepKey = new Statement(
    database,
    `INSERT INTO inbound_key (carrier_id, key, keep_until) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET keep_until = excluded.keep_until`,
  )
  const removeParts = new Statement(database, `DELETE FROM inbound_part WHERE ${WHOLE}`)
  const insertPart = new Statement(
    database,
    `INSERT INTO inbound_part (carrier_id, sender, recipient, reference, total, number, text, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insert = new Statement(
    database,
    'INSERT INTO inbound_message (carrier_id, sender, recipient, text, at) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ keys, removedParts, parts, messages }) => {
    for (const row of keys) keepKey.run(...row)
    for (const key of removedParts) removeParts.run(...key)
    for (const row of parts) insertPart.run(...row)
    for (const row of messages) insert.run(...row)
  }
}
