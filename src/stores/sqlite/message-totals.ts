/** The statistics of messages on SQLite (rows/message-total.ts): sweeping and reading. */
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
import type { Session } from './session.ts'
import { Statement } from './statement.ts'

/** Each becomes up to three rows. */
const SLICE_ROWS = 250
const COLUMNS = `${TOTAL_KEY}, ${TOTAL_SUMS.join(', ')}`

/** Rolls up new rows and deletes what is too old, a slice each; returns true if there may be more. */
export function sweepTotals({ database, totals }: Session): (now: number) => boolean {
  const slice = `(${TOTAL_KEY}) IN (SELECT ${TOTAL_KEY} FROM message_total WHERE level = ? AND slot < ? LIMIT ${SLICE_ROWS})`
  const take = new Statement<TotalRow>(database, `DELETE FROM message_total WHERE ${slice} RETURNING ${COLUMNS}`)
  const drop = new Statement(database, `DELETE FROM message_total WHERE ${slice}`)
  return (now) => {
    const rows = rolledUp(now).flatMap((range) => take.all(...range))
    for (const row of rows) totals.rollUp(row)
    const dropped = keptFrom(now).map((range) => drop.run(...range))
    return rows.length >= SLICE_ROWS || dropped.includes(SLICE_ROWS)
  }
}

export function messageTotals({ database }: Session): (query: StatisticsQuery) => readonly MessageTotal[] {
  const select = (from: string) =>
    new Statement<[...GroupedRow]>(
      database,
      `SELECT CASE ? WHEN 1 THEN slot WHEN 24 THEN slot - slot % 24 ELSE -1 END AS of_slot,
         iif(?, account_id, -1) AS of_account, iif(?, channel, '') AS of_channel, iif(?, carrier_id, '') AS of_carrier,
         iif(?, operator, '') AS of_operator, iif(?, country, '') AS of_country, iif(?, sender, '') AS of_sender,
         event, currency, cost_currency, sum(messages), sum(parts), sum(price_micros), sum(cost_micros)
       FROM ${from} AND channel = coalesce(?, channel) AND carrier_id = coalesce(?, carrier_id)
         AND operator = coalesce(?, operator) AND country = coalesce(?, country) AND sender = coalesce(?, sender)
       GROUP BY of_slot, of_account, of_channel, of_carrier, of_operator, of_country, of_sender, event, currency,
         cost_currency LIMIT ?`,
    )
  const ofAll = select('message_total WHERE level IN (?, ?, ?) AND slot BETWEEN ? AND ?')
  // The rows of an account in each hour are next to each other.
  const ofOne = select(
    'json_each(?) AS hours CROSS JOIN message_total WHERE level IN (?, ?, ?) AND slot = hours.value AND account_id = ?',
  )
  return (query) => {
    const { accountId, from, through, limit } = query
    const { groups, filters } = askedCells(query)
    const levels = levelsOf(query)
    const rows =
      accountId === null
        ? ofAll.all(...groups, ...levels, from, through, ...filters, limit)
        : ofOne.all(...groups, JSON.stringify(hoursOf(query)), ...levels, accountId, ...filters, limit)
    return rows.map(readTotal)
  }
}
