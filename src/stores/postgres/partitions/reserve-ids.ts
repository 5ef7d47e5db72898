/** Message counters, assigned once over all nodes, those of a week from its own range or a later one. */
import { LAST_COUNTER } from '../../../domain/ids/message-id.ts'
import { firstReserved, requireIdCount } from '../../rows/setup/store-limits.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'
import { firstCounterAt } from './partitions.ts'

const RESERVE = rare<[next: number]>(
  `UPDATE message_counter SET next = greatest(next, $3) + $1::bigint
   WHERE greatest(next, $3) + $1::bigint <= $2 RETURNING next`,
)

/** Returns the first of `count`. Counters that a lost connection may have reserved are never used. */
export async function reserveIds(connection: Connection, count: number, now: number): Promise<number> {
  requireIdCount(count)
  const [next] = await connection.query(RESERVE, count, LAST_COUNTER + 1, firstCounterAt(now))
  return firstReserved(next?.[0], count)
}
