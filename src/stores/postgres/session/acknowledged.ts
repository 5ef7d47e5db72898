/**
 * What the database acknowledged to this node: its last heartbeat, and the last batch of each bucket. A database with
 * less than that went back in time: a failover to a server that lagged behind, or a restored backup. The node writes
 * nothing to it, because its memory does not match.
 */

import type { Connection } from '../connection/connection.ts'
import { LeaseLost } from '../connection/lease-lost.ts'
import { inBucket, rare } from '../connection/statement.ts'

const BATCH = inBucket<[batch: number]>('SELECT batch FROM lease WHERE bucket = $1 AND node = $2')
const BEAT = rare<[heartbeat: number]>('SELECT heartbeat FROM node WHERE node = $1')
const LAST_NODE = rare<[node: number]>('SELECT last_value FROM node_number')
const NOTE = rare(
  `INSERT INTO rewind (id, at) VALUES (1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
   ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
)

class DatabaseRewound extends LeaseLost {
  constructor(missing: string) {
    super(`the database went back in time: ${missing}. Requests that were accepted in between may be lost`)
  }
}

export class Acknowledged {
  readonly #node: number
  readonly #batches = new Map<number, number>()
  beat = 0

  constructor(node: number) {
    this.#node = node
  }

  /** Returns the last batch of the bucket; 0 for none. */
  batchOf(bucket: number): number {
    return this.#batches.get(bucket) ?? 0
  }

  noteBatch(buckets: readonly number[], batch: number): void {
    for (const bucket of buckets) this.#batches.set(bucket, batch)
  }

  /** Returns why the node lost its lease; records a rewind in the database for all gateways. */
  async explain(connection: Connection, buckets: readonly number[]): Promise<LeaseLost> {
    const missing = await this.#findMissing(connection, buckets)
    if (missing === null) return new LeaseLost()
    await connection.query(NOTE)
    return new DatabaseRewound(missing)
  }

  async #findMissing(connection: Connection, buckets: readonly number[]): Promise<string | null> {
    const [[beat], [last]] = await Promise.all([connection.query(BEAT, this.#node), connection.query(LAST_NODE)])
    if (beat !== undefined && beat[0] < this.beat) {
      return `it has heartbeat ${beat[0]} of node ${this.#node}, and acknowledged ${this.beat}`
    }
    if (last !== undefined && last[0] < this.#node) return `it has no node ${this.#node}, which works on it`
    for (const bucket of buckets) {
      const [batch] = await connection.query(BATCH, bucket, this.#node)
      const acknowledged = this.batchOf(bucket)
      if (batch !== undefined && batch[0] < acknowledged) {
        return `it has batch ${batch[0]} of node ${this.#node} in bucket ${bucket}, and acknowledged ${acknowledged}`
      }
    }
    return null
  }
}
