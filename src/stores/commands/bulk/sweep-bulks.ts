/** Deletes bulks that were kept long enough, and the lines that will never be sent. */
import { DAY_MS } from '../../../domain/accounts/retention.ts'
import { BULKS_KEPT_DAYS } from '../../../domain/bulk/bulk.ts'
import { type Command, change, query, withBucket, write } from '../statement/command.ts'
import { sql } from '../statement/sql.ts'

/** Blocks are large. */
const SLICE_BLOCKS = 50
const SLICE_ROWS = 1_000
/** How long the lines of a bulk are looked for after its end: longer than a gateway is stopped. */
const LINES_SOUGHT_DAYS = 7

const ENDED = 'SELECT bulk_id FROM bulk WHERE {bucket} open = 0 AND kept_since > ?'
const OLD = 'SELECT bulk_id FROM bulk WHERE {bucket} kept_since <= ?'
const OF_ENDED = [drop('bulk_lines', 'last_line', ENDED, SLICE_BLOCKS), drop('bulk_phone', 'phone_hash', ENDED)]
const OF_OLD = [
  drop('bulk_lines', 'last_line', OLD, SLICE_BLOCKS),
  drop('bulk_phone', 'phone_hash', OLD),
  drop('bulk_error', 'line', OLD),
  drop('bulk_total', 'status', OLD),
]
const REPORTS = sql(`DELETE FROM report WHERE {bucket} msg_id IN (${OLD})`)
const BULKS = sql('DELETE FROM bulk WHERE {bucket} kept_since <= ?')

function drop(table: string, key: string, of: string, most = SLICE_ROWS) {
  const statement = sql(
    `DELETE FROM ${table} WHERE {bucket} (bulk_id, ${key}) IN
       (SELECT bulk_id, ${key} FROM ${table} WHERE {bucket} bulk_id IN (${of}) LIMIT ${most})`,
  )
  return { statement, most }
}

/** Runs one slice in a bucket; returns true if there may be more. */
export function sweepBulks(bucket: number, now: number): Command<boolean> {
  return withBucket(bucket, sweep(now - LINES_SOUGHT_DAYS * DAY_MS, now - BULKS_KEPT_DAYS * DAY_MS))
}

function* sweep(sought: number, before: number): Command<boolean> {
  const deleted = yield* change(
    ...OF_ENDED.map(({ statement }) => query(statement, sought)),
    ...OF_OLD.map(({ statement }) => query(statement, before)),
  )
  if ([...OF_ENDED, ...OF_OLD].some(({ most }, index) => deleted[index] === most)) return true
  // The parts of a bulk are found by its row.
  yield* write(REPORTS, [before])
  yield* write(BULKS, [before])
  return false
}
