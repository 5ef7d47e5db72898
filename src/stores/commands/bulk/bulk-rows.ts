/** Reads bulks, their lines and their errors. */
import type { BulkView } from '../../../domain/bulk/bulk.ts'
import type { LineError } from '../../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type BulkId, bucketOf, bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { BulkErrorQuery, BulkQuery, DueBulkQuery, OfBulk, StoredLines } from '../../../ports/stores/bulk-store.ts'
import {
  type BlockRow,
  BULK_COLUMNS,
  BULK_TOTAL_COLUMNS,
  type BulkRow,
  type BulkTotalRow,
  type ErrorRow,
  linesFrom,
  readBulk,
  readLineError,
  viewsOf,
} from '../../rows/bulk/bulk-row.ts'
import { type Command, first, query, readAll, rows, withBucket } from '../statement/command.ts'
import { lookUpRows, type Sql, select, sql } from '../statement/sql.ts'

const OF_ID = 'WHERE {bucket} bulk_id = ?'
const FIND = select<BulkRow>('bulk', BULK_COLUMNS, OF_ID)
/** Other nodes change the bulk too: the row stays locked until the commit. */
const LOCK = select<BulkRow>('bulk', BULK_COLUMNS, `${OF_ID} {lock}`)
const WANTED = 'test BETWEEN ? AND ? AND open >= ? AND bulk_id < ? ORDER BY bulk_id DESC LIMIT ?'
const LIST = select<BulkRow>('bulk', BULK_COLUMNS, `WHERE {bucket} account_id = ? AND ${WANTED}`)
const LIST_ALL = select<BulkRow>('bulk', BULK_COLUMNS, `WHERE ${WANTED}`)
const DUE = lookUpRows<BulkRow>(
  'bulk',
  BULK_COLUMNS,
  'WHERE {buckets} due_at <= ? AND (account_id, bulk_id) > (?, ?) ORDER BY account_id, bulk_id LIMIT ?',
)
const TOTALS = sql<BulkTotalRow>(`SELECT ${BULK_TOTAL_COLUMNS} FROM bulk_total WHERE {bucket} bulk_id {any bigint}`)
const ERRORS = sql<ErrorRow>(
  'SELECT line, cause FROM bulk_error WHERE {bucket} bulk_id = ? AND line > ? ORDER BY line LIMIT ?',
)
const WITH_LINES = sql<[bulkId: BulkId, accountId: AccountId]>(
  `SELECT bulk_id, account_id FROM bulk WHERE EXISTS
   (SELECT 1 FROM bulk_lines WHERE {same bucket bulk_lines bulk} bulk_lines.bulk_id = bulk.bulk_id)`,
)
const LINES = select<BlockRow>(
  'bulk_lines',
  'last_line, sealed',
  `${OF_ID} AND last_line >= ? ORDER BY last_line LIMIT 1`,
)

/** Returns a bulk with its totals; null if there is none, or it is of another account. */
export function findBulk(accountId: AccountId, bulkId: BulkId): Command<BulkView | null> {
  return readView(FIND, { accountId, bulkId })
}

/** Locks its row too. */
export function lockBulk(of: OfBulk): Command<BulkView | null> {
  return readView(LOCK, of)
}

function* readView(statement: Sql<BulkRow>, { accountId, bulkId }: OfBulk): Command<BulkView | null> {
  const reading = readAll(query(statement, bulkId), query(TOTALS, [bulkId]))
  const [bulks, totals] = yield* withBucket(bucketOf(accountId), reading)
  const [view] = viewsOf(bulks.map(readBulk), totals)
  return view?.accountId === accountId ? view : null
}

export function listBulks({ accountId, test, isOpen = false, after, limit }: BulkQuery): Command<readonly BulkView[]> {
  const wanted = [Number(test ?? false), Number(test ?? true), Number(isOpen), after ?? Number.MAX_SAFE_INTEGER, limit]
  return withTotals(
    accountId === null ? rows(LIST_ALL, ...wanted) : withBucket(bucketOf(accountId), rows(LIST, accountId, ...wanted)),
  )
}

/** Returns those of these buckets: a page of fewer than the limit is the last one. */
export function dueBulks(
  { now, after, limit }: DueBulkQuery,
  buckets: readonly number[],
): Command<readonly BulkView[]> {
  return withTotals(rows(DUE, buckets, now, after?.accountId ?? 0, after?.bulkId ?? 0, limit))
}

export function* bulkErrors({ bulkId, after, limit }: BulkErrorQuery): Command<readonly LineError[]> {
  const errors = yield* withBucket(bucketOfMessage(bulkId), rows(ERRORS, bulkId, after, limit))
  return errors.map(readLineError)
}

export function* bulksWithLines(): Command<readonly OfBulk[]> {
  return (yield* rows(WITH_LINES)).map(([bulkId, accountId]) => ({ bulkId, accountId }))
}

export function* readBulkLines(bulkId: BulkId, from: number): Command<StoredLines | null> {
  const block = yield* withBucket(bucketOfMessage(bulkId), first(LINES, bulkId, from))
  return block === undefined ? null : linesFrom(block, from)
}

function* withTotals(reading: Command<readonly BulkRow[]>): Command<readonly BulkView[]> {
  const bulks = (yield* reading).map(readBulk)
  const ids = Map.groupBy(
    bulks.map(({ id }) => id),
    bucketOfMessage,
  )
  const asked = [...ids].map(([bucket, some]) => ({ ...query(TOTALS, some), bucket }))
  return viewsOf(bulks, (yield* readAll(...asked)).flat())
}
