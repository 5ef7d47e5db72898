/** The statistics of messages on SQLite (rows/statistics/message-total.ts): sweeping and reading. */
import { isOfAllAccounts, type StatisticsQuery } from '../../../domain/statistics/message-statistics.ts'
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
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'

/** Each becomes up to three rows. */
const SLICE_ROWS = 250
const SENDER = `iif(${IS_REPORT}, '', sender)`
const COLUMNS = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`

/** Sums up new counts, rolls up rows and deletes what is too old, a slice each; returns true if there may be more. */
export function sweepTotals({ database, totals }: Session): (now: number) => boolean {
  const slice = `(${TOTAL_KEY}) IN (SELECT ${TOTAL_KEY} FROM message_total WHERE level = ? AND slot < ? LIMIT ${SLICE_ROWS})`
  const take = new SqlStatement<MessageTotalRow>(
    database,
    `DELETE FROM message_total WHERE ${slice} RETURNING ${COLUMNS}`,
  )
  const drop = new SqlStatement(database, `DELETE FROM message_total WHERE ${slice}`)
  return (now) => {
    const isMore = totals.sumUp()
    const rows = rolledUp(now).flatMap((range) => take.all(...range))
    for (const row of rows) totals.rollUp(row)
    const dropped = keptFrom(now).map((range) => drop.change(...range))
    return isMore || rows.length >= SLICE_ROWS || dropped.includes(SLICE_ROWS)
  }
}

/** Returns where there are rows of any account: level by level, from each slot to the next. */
export function totalPlaces({
  database,
}: Pick<Session, 'database'>): (query: StatisticsQuery) => readonly TotalPlace[] {
  const next = new SqlStatement<[slot: number | null]>(
    database,
    'SELECT min(slot) FROM message_total WHERE level = ? AND slot >= ?',
  )
  return (query) => {
    const places: TotalPlace[] = []
    for (const level of new Set(levelsOf(query))) {
      let slot = next.first(level, query.from)?.[0] ?? null
      while (slot !== null && slot <= query.through) {
        places.push([level, slot])
        slot = next.first(level, slot + 1)?.[0] ?? null
      }
    }
    return places
  }
}

export function sliceTotals({
  database,
}: Pick<Session, 'database'>): (query: StatisticsQuery, places: readonly TotalPlace[], rest: number) => TotalsSlice {
  const select = (from: string) =>
    new SqlStatement<[...GroupedRow]>(
      database,
      `SELECT CASE ? WHEN 1 THEN slot WHEN 24 THEN slot - slot % 24 ELSE -1 END AS of_slot,
         iif(?, account_id, -1) AS of_account, iif(?, channel, '') AS of_channel, iif(?, carrier_id, '') AS of_carrier,
         iif(?, operator, '') AS of_operator, iif(?, country, '') AS of_country,
         iif(?, CASE WHEN ? OR NOT ${IS_REPORT} THEN sender ELSE '' END, '') AS of_sender,
         iif(?, event, '') AS of_event, iif(?, currency, '') AS of_currency, iif(?, cost_currency, '') AS of_cost,
         sum(iif(event LIKE ?, messages, 0)), sum(parts), sum(price_micros), sum(cost_micros)
       FROM ${from} AND channel = coalesce(?, channel) AND carrier_id = coalesce(?, carrier_id)
         AND operator = coalesce(?, operator) AND country = coalesce(?, country)
         AND ${SENDER} = coalesce(?, ${SENDER}) AND (NOT ? OR ${IS_REPORT})
       GROUP BY of_slot, of_account, of_channel, of_carrier, of_operator, of_country, of_sender, of_event,
         of_currency, of_cost LIMIT ?`,
    )
  const ofAll = select('message_total WHERE level IN (?, ?, ?) AND slot BETWEEN ? AND ?')
  // The rows of an account in each slot are next to each other, as are those of the accounts that follow it.
  const ofAccounts = `json_each(?) AS place CROSS JOIN message_total
    WHERE level = place.value ->> 0 AND slot = place.value ->> 1 AND account_id BETWEEN ? AND ?`
  const sums = select(ofAccounts)
  const count = new SqlStatement<[place: number, rows: number]>(
    database,
    `SELECT place, count(*) FROM (SELECT place.key AS place FROM ${ofAccounts} LIMIT ${TOTALS_SLICE_ROWS + 1}) GROUP BY place`,
  )
  const edge = new SqlStatement<[account: number | null]>(
    database,
    `SELECT min((SELECT account_id FROM message_total WHERE level = place.value ->> 0 AND slot = place.value ->> 1
       AND account_id > ? ORDER BY account_id LIMIT 1 OFFSET ${TOTALS_SLICE_ROWS})) FROM json_each(?) AS place`,
  )
  return (query, places, rest) => {
    const { accountId, limit } = query
    const { groups, filters } = askedCells(query)
    const [first] = places
    if (first === undefined) return { rows: [], places: 0, rest: 0, isFull: false }
    const unit = wholeUnits(query, places, 1)
    if (isOfAllAccounts(query)) {
      const rows = ofAll.all(...groups, ...levelsOf(query), ...rangeOf(query, first), ...filters, limit)
      return { rows, places: unit, rest: 0, isFull: false }
    }
    if (accountId === null) {
      // The accounts after `rest` with at most so many rows in each place, or one account.
      const here = JSON.stringify(places.slice(0, unit))
      const next = edge.first(rest, here)?.[0] ?? null
      const last = next === null ? Number.MAX_SAFE_INTEGER : Math.max(next - 1, rest + 1)
      const rows = sums.all(...groups, here, rest + 1, last, ...filters, limit)
      return next === null
        ? { rows, places: unit, rest: 0, isFull: false }
        : { rows, places: 0, rest: last, isFull: true }
    }
    const fit = placesThatFit(query, places, count.all(JSON.stringify(places), accountId, accountId))
    const rows = sums.all(...groups, JSON.stringify(places.slice(0, fit)), accountId, accountId, ...filters, limit)
    return { rows, places: fit, rest: 0, isFull: fit < places.length }
  }
}
