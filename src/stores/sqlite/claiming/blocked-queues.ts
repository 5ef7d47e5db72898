/** The blocked queues of accounts whose rules keep messages from being sent (rows/queues/place.ts). */
import type { BlockedQueue } from '../../../ports/records/due-claim.ts'
import { BLOCKED, blockedName, readBlocked } from '../../rows/queues/place.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Queues that one call returns. */
const MAX_QUEUES = 200

export function blockedMessages(session: Pick<Session, 'database'>) {
  return { blockedQueues: blockedQueues(session), unblock: unblock(session) }
}

/** Skips from queue to queue by the index. A place is the name of a queue, a space and the tenant. */
function blockedQueues({ database }: Pick<Session, 'database'>) {
  const next = new SqlStatement<[queue: string, tenant: number]>(
    database,
    `SELECT channel, tenant FROM due
     WHERE node = 0 AND tenant > 0 AND (channel, tenant, due_at) > (?, ?, ${Number.MAX_SAFE_INTEGER})
     ORDER BY channel, tenant LIMIT 1`,
  )
  return (after: string): { readonly queues: readonly BlockedQueue[]; readonly next: string | null } => {
    const queues: BlockedQueue[] = []
    let [queue, tenant] = after === '' ? [BLOCKED, 0] : readPlace(after)
    while (queues.length < MAX_QUEUES) {
      const found = next.first(queue, tenant)
      if (found === undefined) return { queues, next: null }
      ;[queue, tenant] = found
      queues.push(readBlocked(queue, tenant))
    }
    return { queues, next: `${queue} ${tenant}` }
  }
}

function readPlace(place: string): [queue: string, tenant: number] {
  const space = place.lastIndexOf(' ')
  return [place.slice(0, space), Number(place.slice(space + 1))]
}

function unblock({ database }: Pick<Session, 'database'>) {
  const move = new SqlStatement(
    database,
    `UPDATE due SET channel = ? WHERE msg_id IN
       (SELECT msg_id FROM due WHERE node = 0 AND tenant > 0 AND channel = ? AND tenant = ? ORDER BY due_at LIMIT ?)`,
  )
  return (queue: BlockedQueue, limit: number): number =>
    move.change(queue.channel, blockedName(queue), queue.tenant, limit)
}
