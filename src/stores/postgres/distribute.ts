/**
 * Spreads the database over the servers of a Citus cluster: every table with a bucket by its bucket, all of them alike, so
 * that what is of one bucket is on one server; partitions go with their table. The others stay whole on the coordinator.
 */
import { BUCKETS } from '../../domain/message-id.ts'
import { StoreError } from '../../ports/store.ts'
import type { Link } from './link.ts'
import { rare } from './statement.ts'

const HAS_CITUS = rare(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
const WITH_BUCKET = rare<[name: string]>(
  `SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'bucket'
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
)
const DISTRIBUTED = rare<[name: string]>('SELECT logicalrelid::regclass::text FROM pg_dist_partition')

/** The table that the others are laid beside. */
const FIRST = 'lease'

/** Answers with the tables that were spread now. Rejects with a StoreError where there is no Citus. */
export async function distribute(link: Link): Promise<readonly string[]> {
  if ((await link.ask(HAS_CITUS)).length === 0) {
    throw new StoreError('the database has no Citus: install it on every server and do CREATE EXTENSION citus')
  }
  const names = async (statement: typeof WITH_BUCKET) => (await link.ask(statement)).map(([name]) => name)
  const done = await names(DISTRIBUTED)
  const missing = (await names(WITH_BUCKET)).filter((name) => !done.includes(name))
  for (const statement of distribution(missing)) await link.run(statement)
  return missing
}

/** Statements for these tables, in the order in which they are to be run. */
export function distribution(tables: readonly string[]): readonly string[] {
  const inOrder = tables.toSorted((a, b) => Number(b === FIRST) - Number(a === FIRST))
  // Postings refuse to be edited, on whichever server they are.
  const withTriggers = 'SET citus.enable_unsafe_triggers = on'
  return inOrder.length === 0 ? [] : [withTriggers, ...inOrder.map(spread)]
}

function spread(table: string): string {
  const where = table === FIRST ? `shard_count => ${BUCKETS}, colocate_with => 'none'` : `colocate_with => '${FIRST}'`
  return `SELECT create_distributed_table('${table}', 'bucket', ${where})`
}
