/**
 * Distributes the database over the servers of a Citus cluster: every table with a bucket is distributed by it and
 * colocated, so that a bucket's data is on one server; partitions follow their table. Other tables stay on the
 * coordinator.
 */
import { BUCKETS } from '../../../domain/ids/message-id.ts'
import { StoreError } from '../../../ports/records/store-errors.ts'
import type { Connection } from '../connection/connection.ts'
import { rare } from '../connection/statement.ts'

const HAS_CITUS = rare(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
const WITH_BUCKET = rare<[name: string]>(
  `SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'bucket'
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
)
const DISTRIBUTED = rare<[name: string]>('SELECT logicalrelid::regclass::text FROM pg_dist_partition')

/** The table that the others are colocated with. */
const FIRST = 'lease'

/** Returns the tables that were distributed now. Rejects with a StoreError if Citus is not installed. */
export async function distribute(connection: Connection): Promise<readonly string[]> {
  if ((await connection.query(HAS_CITUS)).length === 0) {
    throw new StoreError(
      'Citus is not installed in the database: install it on every server and run CREATE EXTENSION citus',
    )
  }
  const names = async (statement: typeof WITH_BUCKET) => (await connection.query(statement)).map(([name]) => name)
  const done = await names(DISTRIBUTED)
  const missing = (await names(WITH_BUCKET)).filter((name) => !done.includes(name))
  for (const statement of distribution(missing)) await connection.run(statement)
  return missing
}

/** Returns the statements for these tables, in execution order. */
export function distribution(tables: readonly string[]): readonly string[] {
  if (tables.length === 0) return []
  const others = tables.filter((table) => table !== FIRST)
  // Postings are protected from updates on every server.
  const withTriggers = 'SET citus.enable_unsafe_triggers = on'
  return [
    withTriggers,
    ...(tables.includes(FIRST) ? [`SELECT create_distributed_table('${FIRST}', 'bucket', ${ONE_SHARD})`, SPLIT] : []),
    ...others.map((table) => `SELECT create_distributed_table('${table}', 'bucket', colocate_with => '${FIRST}')`),
  ]
}

const ONE_SHARD = `shard_count => 1, colocate_with => 'none'`

/**
 * Citus hashes the bucket. Equal hash ranges would leave 25 of 64 shards empty and put up to five buckets into others,
 * so the first table gets a shard per bucket, assigned to the servers round robin; the other tables follow it.
 */
const SPLIT = `SELECT citus_split_shard_by_split_points(shardid,
    (SELECT array_agg(point::text ORDER BY point)
     FROM (SELECT hashint2(bucket::smallint) AS point FROM generate_series(0, ${BUCKETS}) AS bucket
           ORDER BY point LIMIT ${BUCKETS}) AS points),
    (SELECT array_agg(servers[1 + bucket % cardinality(servers)] ORDER BY bucket)
     FROM generate_series(0, ${BUCKETS}) AS bucket CROSS JOIN
       (SELECT array_agg(nodeid ORDER BY nodeid) AS servers FROM pg_dist_node
        WHERE noderole = 'primary' AND shouldhaveshards) AS workers),
    'block_writes')
  FROM pg_dist_shard WHERE logicalrelid = '${FIRST}'::regclass`
