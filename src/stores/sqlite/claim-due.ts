/**
 * OUT: which open messages this node takes in hand, which it gives back, and reading them. What a vanished node held was
 * made due at once when this node opened the database (open-database.ts), so only what waits is ever claimed.
 */
import { CHANNELS } from '../../domain/channel.ts'
import type { MessageId } from '../../domain/message-id.ts'
import type { CarrierReceipt } from '../../ports/carrier.ts'
import type { DueClaim, HandOverOrder } from '../../ports/due-claim.ts'
import type { Overtaker } from '../../ports/store.ts'
import { MESSAGE_COLUMNS, type MessageColumns, type MessageRow } from '../rows/message-row.ts'
import { channelOfPlace, isBeforeCarrier, placeBefore, placesOf, rangeBeforeCarriers } from '../rows/place.ts'
import { withText } from './message-text.ts'
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

const SLICE_ROWS = 1_000

export interface ClaimedRows {
  readonly messages: readonly MessageRow[]
  readonly handedOver: readonly MessageId[]
  readonly overtakers: readonly Overtaker[]
  readonly nextDueAt: number | null
}

export function claimDue(session: Session): (claim: DueClaim) => ClaimedRows {
  const { database, node } = session
  const waiting = new Statement<[msgId: number, dueAt: number]>(
    database,
    'SELECT msg_id, due_at FROM due WHERE node = 0 AND channel = ? AND due_at <= ? ORDER BY due_at LIMIT ?',
  )
  const hold = new Statement(database, 'UPDATE due SET node = ? WHERE msg_id = ?')
  const next = new Statement<[dueAt: number | null]>(
    database,
    'SELECT min(due_at) FROM due WHERE node = 0 AND channel = ?',
  )
  const load = loadMessages(session)
  const claimStranded = claimStrandedReceipts(session)
  return (claim) => {
    const { now, limit } = claim
    const places = placesOf(claim)
    const found = places.flatMap((place) => waiting.all(place, now, limit).map(([id, dueAt]) => ({ id, dueAt, place })))
    const taken = found.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit)
    for (const { id } of taken) hold.run(node, id)
    return {
      messages: load(taken.map(({ id }) => id)),
      handedOver: taken.flatMap(({ id, place }) => (isBeforeCarrier(place) ? (id as MessageId) : [])),
      overtakers: claimStranded(limit),
      nextDueAt: earliest(places.map((place) => next.first(place)?.[0])),
    }
  }
}

export function letGo({ database, node }: Session): (ids: readonly number[]) => void {
  const wait = new Statement(
    database,
    `UPDATE due SET node = 0, due_at = (SELECT json_extract(journey, '$.dueAt') FROM message WHERE message.msg_id = due.msg_id)
     WHERE msg_id = ? AND node = ?`,
  )
  return (ids) => {
    for (const id of ids) wait.run(id, node)
  }
}

/** Answers with those that were passed over. */
export function handOver({ database, node }: Session): (orders: readonly HandOverOrder[], now: number) => MessageId[] {
  const find = new Statement<[channel: string]>(
    database,
    `SELECT channel FROM due JOIN message USING (msg_id) WHERE msg_id = ? AND node = ? AND version = ?`,
  )
  const move = new Statement(database, 'UPDATE due SET node = 0, channel = ?, due_at = ? WHERE msg_id = ?')
  return (orders, now) => {
    return orders.flatMap(({ messageId, version, carrierId }) => {
      const [place] = find.first(messageId, node, version) ?? []
      if (place === undefined) return messageId
      move.run(placeBefore(channelOfPlace(place), carrierId), now, messageId)
      return []
    })
  }
}

/** Opens to all what was handed over at that time or before, and nobody who has the carrier has taken. Answers with how many. */
export function openToAll({ database }: Session): (at: number) => number {
  const move = new Statement(
    database,
    `UPDATE due SET channel = ? WHERE msg_id IN
     (SELECT msg_id FROM due WHERE node = 0 AND channel >= ? AND channel < ? AND due_at <= ? LIMIT ${SLICE_ROWS})`,
  )
  return (at) =>
    CHANNELS.map((channel) => move.run(channel, ...rangeBeforeCarriers(channel), at)).reduce((a, b) => a + b)
}

/** In the order of the ids; unknown ones are left out. */
export function loadMessages(session: Session): (ids: readonly number[]) => MessageRow[] {
  const load = new Statement<MessageColumns>(
    session.database,
    `SELECT ${MESSAGE_COLUMNS} FROM message WHERE msg_id = ?`,
  )
  const complete = withText(session)
  return (ids) => ids.flatMap((id) => load.all(id).map(complete))
}

/** Receipts that a vanished node was handed and may not have recorded. */
function claimStrandedReceipts({ database, node }: Session): (limit: number) => Overtaker[] {
  const find = new Statement<
    [
      id: number,
      carrierId: string,
      ref: string,
      outcome: string,
      detail: string,
      msgId: number,
      step: number,
      part: number,
    ]
  >(
    database,
    `SELECT parked_id, carrier_id, ref, outcome, detail, msg_id, step, part
     FROM parked_receipt JOIN part_ref USING (carrier_id, ref) WHERE node NOT IN (0, ?) ORDER BY parked_id LIMIT ?`,
  )
  const hand = new Statement(database, 'UPDATE parked_receipt SET node = ? WHERE parked_id = ?')
  let mayBeMore = true
  return (limit) => {
    if (!mayBeMore) return []
    const rows = find.all(node, limit)
    mayBeMore = rows.length > 0
    return rows.map(([id, carrierId, ref, outcome, detail, msgId, step, part]) => {
      hand.run(node, id)
      const receipt = { carrierId, ref, outcome, detail } as CarrierReceipt
      return { receipt, address: { messageId: msgId as MessageId, step, part } }
    })
  }
}

function earliest(times: readonly (number | null | undefined)[]): number | null {
  return times.reduce<number | null>(
    (first, at) => (at === null || at === undefined ? first : Math.min(first ?? at, at)),
    null,
  )
}
