/** Reads what a statement says of a month: its cost does not depend on the number of postings. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import { toMicros } from '../../../domain/money/money.ts'
import type { AccountMonth } from '../../../domain/money/statement.ts'
import { beginningOf, type Month, monthAfter } from '../../../domain/time/month.ts'
import { firstZonedMonth, monthIn, quarterOf, type ZonedMonth } from '../../../domain/time/zoned-month.ts'
import { MAX_PAYMENTS } from '../../../ports/changes/money-change.ts'
import {
  balanceOf,
  POSTING_COLUMNS,
  type PostingRow,
  type PurposeTotalRow,
  readPosting,
  readPurposeTotal,
} from '../../rows/money/posting-row.ts'
import { type Command, query, readAll, withBucket } from '../statement/command.ts'
import { type Sql, sql } from '../statement/sql.ts'

const PAYMENTS = sql<PostingRow>(
  `SELECT ${POSTING_COLUMNS} FROM posting WHERE {bucket} account_id = ? AND msg_id IS NULL AND at >= ? AND at < ?
   ORDER BY at, posting_id LIMIT ${MAX_PAYMENTS}`,
)
const BOOKS = sql<[booksFrom: number, quartersFrom: number]>('SELECT books_from, quarters_from FROM meta')

/** `purposes` sums up what an account posted from one period until before another, in the way of the store. */
export function* accountMonth(
  accountId: AccountId,
  { month, zone, from, until }: ZonedMonth,
  purposes: Sql<PurposeTotalRow>,
): Command<AccountMonth> {
  const [begin, end] = [beginningOf(month), beginningOf(monthAfter(month))]
  const between = (some: number, other: number) =>
    query(purposes, accountId, quarterOf(Math.min(some, other)), quarterOf(Math.max(some, other)))
  const [earlier, ofMonth, atBegin, atEnd, payments, [books]] = yield* withBucket(
    bucketOf(accountId),
    readAll(
      query(purposes, accountId, 0, month),
      query(purposes, accountId, month, monthAfter(month)),
      between(from, begin),
      between(end, until),
      query(PAYMENTS, accountId, from, until),
      query(BOOKS),
    ),
  )
  const [booksFrom = 0, quartersFrom = 0] = books ?? []
  const signAtBegin = Math.sign(begin - from)
  const balance = (rows: readonly PurposeTotalRow[]) => balanceOf(rows.map(([kind, , , , , amount]) => [kind, amount]))
  const months = earlier.map(([, , , , , , first]) => first as Month).concat(atBegin.length > 0 ? [month] : [])
  const firstMonths = months.map((each) => monthIn(zone, beginningOf(each)))
  return {
    openingMicros: toMicros(balance(earlier) - signAtBegin * balance(atBegin)),
    totals: sumUp([1, ofMonth], [signAtBegin, atBegin], [Math.sign(until - end), atEnd]).map(readPurposeTotal),
    payments: payments.map(readPosting),
    isClosed: until <= booksFrom,
    firstMonth: firstMonths.reduce((first, each) => (each < first ? each : first), month),
    firstZonedMonth: firstZonedMonth(quartersFrom),
  }
}

/** Adds up totals, or takes them away, in the order of their purposes. */
function sumUp(...signed: readonly (readonly [sign: number, rows: readonly PurposeTotalRow[]])[]): PurposeTotalRow[] {
  const sums = new Map<string, PurposeTotalRow>()
  for (const [sign, rows] of signed) {
    for (const [kind, channel, operator, postings, parts, amount, first] of rows) {
      const key = `${kind} ${channel} ${operator}`
      const [, , , otherPostings, otherParts, otherAmount] = sums.get(key) ?? [kind, channel, operator, 0, 0, 0]
      const sum = toMicros(otherAmount + sign * amount)
      sums.set(key, [
        ...([kind, channel, operator] as const),
        ...([otherPostings + sign * postings, otherParts + sign * parts, sum, first] as const),
      ])
    }
  }
  const kept = [...sums].filter(([, [, , , postings]]) => postings > 0)
  return kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
