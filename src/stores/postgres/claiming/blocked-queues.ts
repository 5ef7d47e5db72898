/** Messages that the rules of their accounts keep from being sent: finds their queues, and opens them. */

import { bucketOf } from '../../../domain/ids/message-id.ts'
import { accountOfTenant } from '../../../domain/message/message.ts'
import type { BlockedQueue } from '../../../ports/records/due-claim.ts'
import { BLOCKED, blockedName, readBlocked } from '../../rows/queues/place.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket } from '../connection/statement.ts'

/** Queues that one call returns of a bucket. */
const MAX_QUEUES = 200

const WAITING = 'bucket = $1 AND node = 0 AND tenant > 0'
const AFTER = `SELECT channel, tenant FROM due WHERE ${WAITING} AND (channel, tenant) >`

/** Skips from queue to queue by the index. */
const FIND = inBucket<[queue: string, tenant: number]>(
  `WITH RECURSIVE found (queue, tenant) AS (
     (${AFTER} ($2, $3::bigint) ORDER BY channel, tenant LIMIT 1)
     UNION ALL
     SELECT following.* FROM found
     CROSS JOIN LATERAL (${AFTER} (found.queue, found.tenant) ORDER BY channel, tenant LIMIT 1) AS following
   ) SELECT queue, tenant FROM found LIMIT ${MAX_QUEUES}`,
)
const MOVE = inBucket<[msgId: number]>(
  `UPDATE due SET channel = $2 WHERE bucket = $1 AND node = 0 AND msg_id IN
     (SELECT msg_id FROM due WHERE ${WAITING} AND channel = $3 AND tenant = $4::bigint
      ORDER BY due_at LIMIT $5 FOR UPDATE SKIP LOCKED)
   RETURNING msg_id`,
)

/** A place is a bucket of these, and in it the name of a queue and a tenant. */
export async function blockedQueues(connection: Connection, buckets: readonly number[], after: string) {
  const [bucket = 0, queue = BLOCKED, tenant = 0]: Place = after === '' ? [] : JSON.parse(after)
  const rest = buckets.filter((each) => each > bucket)
  const found = await Promise.all([
    ...(buckets.includes(bucket) ? [connection.query(FIND, bucket, queue, tenant)] : []),
    ...rest.map((each) => connection.query(FIND, each, BLOCKED, 0)),
  ])
  const asked = [...(buckets.includes(bucket) ? [bucket] : []), ...rest]
  const queues: BlockedQueue[] = []
  for (const [index, rows] of found.entries()) {
    for (const [name, of] of rows) queues.push(readBlocked(name, of))
    const last = rows.at(-1)
    // The buckets behind it are read again by the next call.
    if (last !== undefined && rows.length === MAX_QUEUES)
      return { queues, next: JSON.stringify([asked[index], ...last]) }
  }
  return { queues, next: null }
}

type Place = readonly [bucket?: number, queue?: string, tenant?: number]

/** Returns the bucket, and how many messages were moved in it. */
export async function unblock(connection: Connection, queue: BlockedQueue, limit: number) {
  const bucket = bucketOf(accountOfTenant(queue.tenant))
  const moved = await connection.query(MOVE, bucket, queue.channel, blockedName(queue), queue.tenant, limit)
  return { bucket, moved: moved.length }
}
