/** The statistics of messages on PostgreSQL (rows/message-total.ts): sweeping and reading. */
import { BUCKETS, bucketOf } from '../../domain/message-id.ts'
import type { MessageTotal, StatisticsQuery } from '../../domain/message-statistics.ts'
import {
  askedCells,
  type GroupedRow,
  hoursOf,
  keptFrom,
  levelsOf,
  readTotal,
  rolledUp,
  TOTAL_KEY,
  TOTAL_SUMS,
  type TotalRow,
} from '../rows/message-total.ts'
import type { Link } from './link.ts'
import type { Session } from './session.ts'
import { inBucket, rare } from './statement.ts'

/** Each becomes up to three rows. */
const SLICE_ROWS = 250
const COLUMNS = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`
/** Rows that another transaction is changing wait for the next sweep. */
const SLICE = `(${TOTAL_KEY}) IN (SELECT ${TOTAL_KEY} FROM message_total
   WHERE bucket = $1 AND level = $2 AND slot < $3 LIMIT ${SLICE_ROWS} FOR UPDATE SKIP LOCKED)`
const TAKE = inBucket<TotalRow>(`DELETE FROM message_total WHERE bucket = $1 AND ${SLICE} RETURNING ${COLUMNS}`)
const DROP = inBucket(`DELETE FROM message_total WHERE bucket = $1 AND ${SLICE}`)

const sums = (where: string, [groups, filters, limit]: readonly [groups: number, filters: number, limit: number]) => {
  const asked = (place: number, column: string, none: string) =>
    `CASE $${groups + place}::integer WHEN 1 THEN ${column} ELSE ${none} END`
  return `SELECT CASE $${groups}::integer WHEN 1 THEN slot WHEN 24 THEN slot - slot % 24 ELSE -1 END,
     ${asked(1, 'account_id', '-1')}, ${asked(2, 'channel', "''")}, ${asked(3, 'carrier_id', "''")},
     ${asked(4, 'operator', "''")}, ${asked(5, 'country', "''")}, ${asked(6, 'sender', "''")},
     event, currency, cost_currency, sum(messages), sum(parts), sum(price_micros), sum(cost_micros)
   FROM message_total WHERE ${where}
     AND channel = coalesce($${filters}::text, channel) AND carrier_id = coalesce($${filters + 1}::text, carrier_id)
     AND operator = coalesce($${filters + 2}::text, operator) AND country = coalesce($${filters + 3}::text, country)
     AND sender = coalesce($${filters + 4}::text, sender)
   GROUP BY 1, 2, 3, 4, 5, 6, 7, event, currency, cost_currency LIMIT $${limit}`
}
const OF_ALL = rare<GroupedRow>(
  sums(
    'bucket = ANY ($1::smallint[]) AND level = ANY ($2::smallint[]) AND slot BETWEEN $3::integer AND $4::integer',
    [5, 12, 17],
  ),
)
/** The rows of an account in each hour are next to each other. */
const OF_ONE = inBucket<GroupedRow>(
  sums('bucket = $1 AND level = ANY ($2::smallint[]) AND slot = ANY ($3::integer[]) AND account_id = $4', [5, 12, 17]),
)
const ALL_BUCKETS = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

/** Rolls up new rows and deletes what is too old, a slice each; returns whether there may be more. */
export async function sweepTotals(
  session: Session,
  orders: readonly { readonly bucket: number; readonly now: number }[],
): Promise<readonly boolean[]> {
  return Promise.all(
    orders.map(async ({ bucket, now }) => {
      const taken = await Promise.all(rolledUp(now).map((range) => session.query(TAKE, bucket, ...range)))
      const rows = taken.flat()
      const totals = session.totals.of(bucket)
      for (const row of rows) totals.rollUp(row)
      const dropped = await Promise.all(keptFrom(now).map((range) => session.execute(DROP, bucket, ...range)))
      return rows.length >= SLICE_ROWS || dropped.some(({ count }) => count === SLICE_ROWS)
    }),
  )
}

export async function messageTotals(link: Link, query: StatisticsQuery): Promise<readonly MessageTotal[]> {
  const { accountId, from, through, limit } = query
  const { groups, filters } = askedCells(query)
  const levels = levelsOf(query)
  const rows =
    accountId === null
      ? await link.query(OF_ALL, ALL_BUCKETS, levels, from, through, ...groups, ...filters, limit)
      : await link.query(OF_ONE, bucketOf(accountId), levels, hoursOf(query), accountId, ...groups, ...filters, limit)
  return rows.map(readTotal)
}
