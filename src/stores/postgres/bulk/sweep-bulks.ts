/** Deletes bulks that were kept long enough, and the lines that will never be sent. */
import { DAY_MS } from '../../../domain/accounts/retention.ts'
import { BULKS_KEPT_DAYS } from '../../../domain/bulk/bulk.ts'
import type { Link } from '../connection/link.ts'
import { inBucket } from '../connection/statement.ts'

/** Blocks are large. */
const SLICE_BLOCKS = 50
const SLICE_ROWS = 1_000
/** How long the lines of a bulk are looked for after its end: longer than a gateway is stopped. */
const LINES_SOUGHT_DAYS = 7

const ENDED = 'SELECT bulk_id FROM bulk WHERE bucket = $1 AND open = 0 AND kept_since > $2'
const OLD = 'SELECT bulk_id FROM bulk WHERE bucket = $1 AND kept_since <= $2'

const ENDED_LINES = drop('bulk_lines', 'bulk_id, last_line', ENDED, SLICE_BLOCKS)
const ENDED_PHONES = drop('bulk_phone', 'bulk_id, phone_hash', ENDED, SLICE_ROWS)
const PARTS = [
  [drop('bulk_lines', 'bulk_id, last_line', OLD, SLICE_BLOCKS), SLICE_BLOCKS],
  [drop('bulk_phone', 'bulk_id, phone_hash', OLD, SLICE_ROWS), SLICE_ROWS],
  [drop('bulk_error', 'bulk_id, line', OLD, SLICE_ROWS), SLICE_ROWS],
  [drop('bulk_total', 'bulk_id, status', OLD, SLICE_ROWS), SLICE_ROWS],
] as const
const REPORTS = inBucket(`DELETE FROM report WHERE bucket = $1 AND msg_id IN (${OLD})`)
const BULKS = inBucket('DELETE FROM bulk WHERE bucket = $1 AND kept_since <= $2')

/** Runs one slice in each of these buckets; returns true if there may be more. */
export async function sweepBulks(link: Link, buckets: readonly number[], now: number): Promise<boolean> {
  const before = now - BULKS_KEPT_DAYS * DAY_MS
  const isMore = await Promise.all(buckets.map((bucket) => sweepBucket(link, bucket, { now, before })))
  return isMore.includes(true)
}

async function sweepBucket(
  link: Link,
  bucket: number,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<boolean> {
  const sought = now - LINES_SOUGHT_DAYS * DAY_MS
  const deleted = await Promise.all([
    link.execute(ENDED_LINES, [bucket, sought]).then(({ count }) => count === SLICE_BLOCKS),
    link.execute(ENDED_PHONES, [bucket, sought]).then(({ count }) => count === SLICE_ROWS),
    ...PARTS.map(([statement, most]) => link.execute(statement, [bucket, before]).then(({ count }) => count === most)),
  ])
  if (deleted.includes(true)) return true
  // The parts of a bulk are found by its row.
  await link.execute(REPORTS, [bucket, before])
  await link.execute(BULKS, [bucket, before])
  return false
}

function drop(table: string, key: string, of: string, most: number) {
  return inBucket(
    `DELETE FROM ${table} WHERE bucket = $1 AND (${key}) IN
     (SELECT ${key} FROM ${table} WHERE bucket = $1 AND bulk_id IN (${of}) LIMIT ${most})`,
  )
}
