/** The statistics of messages on PostgreSQL (rows/statistics/message-total.ts): sweeping and reading. */
import { BUCKETS, bucketOf } from '../../../domain/ids/message-id.ts'
import { DAY_HOURS, isOfAllAccounts, type StatisticsQuery } from '../../../domain/statistics/message-statistics.ts'
import {
  askedCells,
  type GroupedRow,
  IS_REPORT,
  keptFrom,
  levelsOf,
  type MessageTotalRow,
  rolledUp,
  TOTAL_KEY,
  TOTAL_SUMS,
} from '../../rows/statistics/message-total.ts'
import {
  placesThatFit,
  rangeOf,
  TOTALS_SLICE_ROWS,
  type TotalPlace,
  type TotalsSlice,
  wholeUnits,
} from '../../rows/statistics/total-slices.ts'
import type { Connection } from '../connection/connection.ts'
import { inBucket, rare } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

/** Each becomes up to three rows. */
const SLICE_ROWS = 250
const COLUMNS = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`
const SENDER = `(CASE WHEN ${IS_REPORT} THEN '' ELSE sender END)`
/** Rows that another transaction is changing wait for the next sweep. */
const SLICE = `(${TOTAL_KEY}) IN (SELECT ${TOTAL_KEY} FROM message_total
   WHERE bucket = $1 AND level = $2 AND slot < $3 LIMIT ${SLICE_ROWS} FOR UPDATE SKIP LOCKED)`
const TAKE = inBucket<MessageTotalRow>(`DELETE FROM message_total WHERE bucket = $1 AND ${SLICE} RETURNING ${COLUMNS}`)
const DROP = inBucket(`DELETE FROM message_total WHERE bucket = $1 AND ${SLICE}`)

/** Numbers of the first parameters after those of the range. */
const [groups, filters] = [5, 17]
const FILTER = `AND channel = coalesce($${filters}::text, channel) AND carrier_id = coalesce($${filters + 1}::text, carrier_id)
     AND operator = coalesce($${filters + 2}::text, operator) AND country = coalesce($${filters + 3}::text, country)
     AND ${SENDER} = coalesce($${filters + 4}::text, ${SENDER}) AND ($${filters + 5}::integer = 0 OR ${IS_REPORT})`
const FILTERS = 6

const sums = (from: string, isFiltered: boolean) => {
  const asked = (place: number, column: string, none: string) =>
    `CASE $${groups + place}::integer WHEN 1 THEN ${column} ELSE ${none} END`
  return `SELECT CASE $${groups}::integer WHEN 1 THEN slot WHEN 24 THEN slot - slot % 24 ELSE -1 END,
     ${asked(1, 'account_id', '-1')}, ${asked(2, 'channel', "''")}, ${asked(3, 'carrier_id', "''")},
     ${asked(4, 'operator', "''")}, ${asked(5, 'country', "''")}, ${asked(6, `(CASE WHEN $${groups + 7}::integer = 1 OR NOT ${IS_REPORT} THEN sender ELSE '' END)`, "''")},
     ${asked(8, 'event', "''")}, ${asked(9, 'currency', "''")}, ${asked(10, 'cost_currency', "''")},
     sum(CASE WHEN event LIKE $${groups + 11}::text THEN messages ELSE 0 END), sum(parts), sum(price_micros), sum(cost_micros)
   FROM ${from} ${isFiltered ? FILTER : ''}
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 LIMIT $${filters + (isFiltered ? FILTERS : 0)}`
}
/** With filters, PostgreSQL expects one row and sorts: ten times slower than by hash, if most rows pass. */
const both = (make: typeof rare<GroupedRow>, from: string) => ({
  all: make(sums(from, false)),
  filtered: make(sums(from, true)),
})
const OF_ALL = both(
  rare,
  'message_total WHERE bucket = ANY ($1::smallint[]) AND level = ANY ($2::smallint[]) AND slot BETWEEN $3::integer AND $4::integer',
)
/** The rows of an account in each slot are next to each other. */
const OF_ONE = `unnest($2::smallint[], $3::integer[]) WITH ORDINALITY AS place (of_level, of_slot, number)
   JOIN message_total ON level = of_level AND slot = of_slot WHERE bucket = $1 AND account_id = $4`
const SUMS_OF_ONE = both(inBucket, OF_ONE)
const COUNT_OF_ONE = inBucket<[place: number, rows: number]>(
  `SELECT number - 1, count(*) FROM (SELECT number FROM ${OF_ONE} LIMIT ${TOTALS_SLICE_ROWS + 1}) AS found
   GROUP BY number`,
)
/** From each slot to the next. */
const SLOTS = inBucket<[slot: number]>(
  `WITH RECURSIVE slots (slot) AS (
     (SELECT slot FROM message_total WHERE bucket = $1 AND level = $2 AND slot >= $3 ORDER BY slot LIMIT 1)
     UNION ALL
     SELECT (SELECT slot FROM message_total AS later WHERE bucket = $1 AND level = $2 AND later.slot > slots.slot
       ORDER BY later.slot LIMIT 1) FROM slots WHERE slots.slot <= $4::integer
   ) SELECT slot FROM slots WHERE slot <= $4::integer`,
)
/** Days or hours of all accounts that one command reads. */
const UNITS_OF_ALL = 24
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

/** Returns where there are rows of any account of its bucket; for all accounts, all days or hours of the range. */
export async function totalPlaces(connection: Connection, query: StatisticsQuery): Promise<readonly TotalPlace[]> {
  const { accountId, from, through, source } = query
  const levels = [...new Set(levelsOf(query))]
  if (accountId === null) {
    const [, , level] = levelsOf(query)
    const hours = source === 'hours' ? 1 : DAY_HOURS
    const units = Array.from({ length: Math.ceil((through - from + 1) / hours) }, (_, index) => from + index * hours)
    return [...units, through].map((slot) => [level, slot] as const)
  }
  const found = await Promise.all(
    levels.map((level) => connection.query(SLOTS, bucketOf(accountId), level, from, through)),
  )
  return found.flatMap((rows, index) => rows.map(([slot]) => [levels[index] ?? 0, slot] as const))
}

export async function sliceTotals(
  connection: Connection,
  query: StatisticsQuery,
  places: readonly TotalPlace[],
  rest: number,
): Promise<TotalsSlice> {
  const { accountId, limit } = query
  const cells = askedCells(query)
  const isFiltered = cells.filters.some((filter) => filter !== null && filter !== 0)
  const kind = isFiltered ? 'filtered' : 'all'
  const asked = [...cells.groups, ...(isFiltered ? cells.filters : []), limit]
  const [first] = places
  if (first === undefined) return { rows: [], places: 0, rest: 0, isFull: false }
  if (accountId === null) {
    // Rows of all accounts are few. Others are read by bucket.
    const isOfAll = isOfAllAccounts(query)
    const units = wholeUnits(query, places, isOfAll ? UNITS_OF_ALL : 1)
    const [[from], [, through]] = [rangeOf(query, first), rangeOf(query, places[units - 1] ?? first)]
    const buckets = isOfAll ? ALL_BUCKETS : [rest]
    const rows = await connection.query(OF_ALL[kind], buckets, levelsOf(query), from, through, ...asked)
    const isLast = isOfAll || rest === BUCKETS - 1
    return { rows, ...(isLast ? { places: units, rest: 0 } : { places: 0, rest: rest + 1 }), isFull: false }
  }
  const of = (some: readonly TotalPlace[]) =>
    [bucketOf(accountId), some.map(([level]) => level), some.map(([, slot]) => slot), accountId] as const
  const fit = placesThatFit(query, places, await connection.query(COUNT_OF_ONE, ...of(places)))
  const rows = await connection.query(SUMS_OF_ONE[kind], ...of(places.slice(0, fit)), ...asked)
  return { rows, places: fit, rest: 0, isFull: fit < places.length }
}
