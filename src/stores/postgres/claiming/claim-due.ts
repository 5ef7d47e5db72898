/**
 * OUT: claims and releases open messages. A node claims from the buckets of its share (share.ts) and holds what it
 * finds in the lane of the bucket, so that no other node can hold it too.
 */

import { bucketOfMessage, type MessageId } from '../../../domain/ids/message-id.ts'
import type { Message } from '../../../domain/message/message.ts'
import type { QueueOrder } from '../../../ports/records/due-claim.ts'
import { STILL_NODE, STILL_PENDING } from '../../commands/statement/sql.ts'
import { queueName } from '../../rows/queues/place.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Connection } from '../connection/connection.ts'
import { numberInJourney } from '../connection/journey-text.ts'
import { inBucket, typesOf, unnest } from '../connection/statement.ts'
import { readMessage, STORED_MESSAGE, type StoredMessage } from '../requests/stored-message.ts'
import type { Session } from '../session/session.ts'

/** The due ones, and the first that is not due yet, without an id. */
const FIND_DUE = inBucket<[msgId: MessageId | null, dueAt: number]>(
  `(SELECT msg_id, due_at FROM due WHERE bucket = $1 AND node = 0 AND due_at <= $2 ORDER BY due_at LIMIT $3)
   UNION ALL
   (SELECT NULL, due_at FROM due WHERE bucket = $1 AND node = 0 AND due_at > $2 ORDER BY due_at LIMIT 1)`,
)
const LOCK_WAITING = inBucket<StoredMessage>(
  `SELECT ${STORED_MESSAGE} FROM due JOIN message USING (bucket, msg_id)
   LEFT JOIN message_text USING (bucket, msg_id)
   WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND due.${STILL_NODE} = 0 AND (due.due_at <= $3 OR due.tenant > 0)
   ORDER BY msg_id FOR UPDATE OF due`,
)
const LOCK_FREE = inBucket<[msgId: MessageId]>(
  `SELECT msg_id FROM due WHERE bucket = $1 AND msg_id = ANY ($2::bigint[]) AND (node = 0 OR node = $3)
   ORDER BY msg_id FOR UPDATE`,
)
const HOLD = inBucket('UPDATE due SET node = $2 WHERE bucket = $1 AND msg_id = ANY ($3::bigint[])')
/** For the due time of its journey, which the row does not have while it is held. */
const RELEASE = inBucket(
  `UPDATE due SET node = 0, tenant = 0, due_at = coalesce(${numberInJourney('journey', 'dueAt')}, due.due_at)
   FROM message
   WHERE due.bucket = $1 AND message.bucket = $1 AND message.msg_id = due.msg_id
     AND due.node = $2 AND due.msg_id = ANY ($3::bigint[])`,
)
const LET_REPORTS_GO = inBucket(
  `UPDATE report SET node = 0, due_at = created_at
   FROM ${unnest(typesOf('report', 'msg_id, number'), 3)}
   WHERE report.bucket = $1 AND report.node = $2 AND ${STILL_PENDING}
     AND report.msg_id = new.msg_id AND report.number = new.number`,
)

/** Only messages that are unchanged since the decision. */
const ENQUEUE = inBucket<[msgId: number]>(
  `UPDATE due SET node = 0, channel = new.channel, tenant = new.tenant, due_at = new.due_at
   FROM ${unnest({ msg_id: 'bigint', version: 'integer', channel: 'text', tenant: 'bigint', due_at: 'bigint' }, 3)}
   JOIN message USING (msg_id, version)
   WHERE due.bucket = $1 AND message.bucket = $1 AND due.msg_id = new.msg_id AND due.node = $2
   RETURNING due.msg_id`,
)

export interface ReportKey {
  readonly messageId: MessageId
  readonly number: number
}

/** Something due, or only the time at which something will be due. */
export interface Waiting<Thing> {
  readonly thing: Thing | null
  readonly kind: string
  readonly dueAt: number
}

export const DUE = 'due'

/** Reads what waits in a bucket, without taking it. */
export async function findDue(
  connection: Connection,
  bucket: number,
  asked: { readonly now: number; readonly limit: number },
): Promise<readonly Waiting<MessageId>[]> {
  const rows = await connection.query(FIND_DUE, bucket, asked.now, asked.limit)
  return rows.map(([id, dueAt]) => ({ thing: id, kind: DUE, dueAt }))
}

interface HoldOrder {
  readonly ids: readonly MessageId[]
  readonly now: number
}

/** Returns the messages that were still free; this node now holds them. */
export async function holdDue(
  session: Session,
  orders: readonly HoldOrder[],
): Promise<readonly (readonly Message[])[]> {
  const wanted = new Map<MessageId, number>()
  for (const [place, { ids }] of orders.entries()) for (const id of ids) wanted.set(id, place)
  const asked = new ByBucket<MessageId>()
  for (const id of wanted.keys()) asked.add(bucketOfMessage(id), id)
  const now = Math.max(...orders.map((order) => order.now))
  const locked = await Promise.all(
    asked.entries().map(([bucket, ids]) => session.query(LOCK_WAITING, bucket, ids, now)),
  )
  const messages = locked.flat().map((row) => readMessage(row, session.vault))
  const held = new ByBucket<MessageId>()
  for (const { id } of messages) held.add(bucketOfMessage(id), id)
  for (const [bucket, ids] of held.entries()) session.write(HOLD, bucket, session.node, ids)
  return orders.map((_, place) => messages.filter(({ id }) => wanted.get(id) === place))
}

/** Returns the open messages that no other node holds; this node now holds them. */
export async function hold(
  session: Session,
  calls: readonly (readonly MessageId[])[],
): Promise<readonly (readonly MessageId[])[]> {
  const asked = new ByBucket<MessageId>()
  for (const id of new Set(calls.flat())) asked.add(bucketOfMessage(id), id)
  const locked = asked.entries().map(async ([bucket, ids]) => {
    const free = (await session.query(LOCK_FREE, bucket, ids, session.node)).map(([msgId]) => msgId)
    session.write(HOLD, bucket, session.node, free)
    return free
  })
  const held = new Set((await Promise.all(locked)).flat())
  return calls.map((ids) => ids.filter((id) => held.has(id)))
}

/** Returns the messages that were skipped. */
export async function enqueue(
  session: Session,
  calls: readonly (readonly QueueOrder[])[],
): Promise<readonly (readonly MessageId[])[]> {
  const asked = calls.map(async (orders) => {
    const byBucket = new ByBucket<QueueOrder>()
    for (const order of orders) byBucket.add(bucketOfMessage(order.messageId), order)
    const moving = byBucket.entries().map(([bucket, each]) => {
      const columns = [
        each.map((one) => one.messageId),
        each.map((one) => one.version),
        each.map(queueName),
        each.map((one) => one.tenant),
        each.map((one) => one.dueAt),
      ]
      return session.query(ENQUEUE, bucket, session.node, ...columns)
    })
    const moved = new Set((await Promise.all(moving)).flat().map(([msgId]) => msgId))
    return orders.flatMap(({ messageId }) => (moved.has(messageId) ? [] : messageId))
  })
  return Promise.all(asked)
}

export interface ReleaseOrder {
  readonly messages: readonly MessageId[]
  readonly reports: readonly ReportKey[]
}

/** Ignores what this node does not hold. */
export async function release(session: Session, orders: readonly ReleaseOrder[]): Promise<readonly null[]> {
  const [messages, reports] = [new ByBucket<MessageId>(), new ByBucket<readonly [number, number]>()]
  for (const id of orders.flatMap((order) => order.messages)) messages.add(bucketOfMessage(id), id)
  for (const { messageId, number } of orders.flatMap((order) => order.reports)) {
    reports.add(bucketOfMessage(messageId), [messageId, number])
  }
  const { node } = session
  for (const [bucket, ids] of messages.entries()) session.write(RELEASE, bucket, node, ids)
  for (const [bucket, keys] of reports.entries()) {
    session.write(
      LET_REPORTS_GO,
      bucket,
      node,
      keys.map(([id]) => id),
      keys.map(([, number]) => number),
    )
  }
  return orders.map(() => null)
}
