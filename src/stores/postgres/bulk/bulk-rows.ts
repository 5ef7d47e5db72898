/** The rows of bulks: read, and counted in the turns of their messages. */
import type { BulkView } from '../../../domain/bulk/bulk.ts'
import type { LineError } from '../../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import { type BulkId, bucketOf, bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { BulkErrorQuery, BulkQuery, DueBulkQuery, OfBulk, StoredLines } from '../../../ports/stores/bulk-store.ts'
import type { Vault } from '../../../ports/system/vault.ts'
import {
  addedTotals,
  BULK_COLUMNS,
  type BulkRow,
  type ErrorRow,
  linesFrom,
  type MoveRow,
  readBulk,
  readError,
  TOTAL_COLUMNS,
  type TotalRow,
  viewsOf,
} from '../../rows/bulk/bulk-row.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import type { Value } from '../connection/link.ts'
import { inBucket, insertion, lookUp, rare, type Statement } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const ADD_TOTALS = insertion(
  'bulk_total',
  { bulk_id: 'bigint', status: 'text', messages: 'bigint', micros: 'bigint' },
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY bulk_id, status ON CONFLICT (bucket, bulk_id, status) DO UPDATE SET
     messages = bulk_total.messages + excluded.messages, micros = bulk_total.micros + excluded.micros`,
)
const FIND = inBucket<BulkRow>(`SELECT ${BULK_COLUMNS} FROM bulk WHERE bucket = $1 AND bulk_id = $2`)
const LIST = inBucket<BulkRow>(
  `SELECT ${BULK_COLUMNS} FROM bulk WHERE bucket = $1 AND account_id = $2 AND test = $3 AND bulk_id < $4
   ORDER BY bulk_id DESC LIMIT $5`,
)
const DUE = lookUp<BulkRow>(
  `SELECT ${BULK_COLUMNS} FROM bulk WHERE due_at <= $1 AND (account_id, bulk_id) > ($2, $3) AND bucket = ANY ($5::smallint[])
   ORDER BY account_id, bulk_id LIMIT $4`,
)
const TOTALS = inBucket<TotalRow>(
  `SELECT ${TOTAL_COLUMNS} FROM bulk_total WHERE bucket = $1 AND bulk_id = ANY ($2::bigint[])`,
)
const ERRORS = inBucket<ErrorRow>(
  'SELECT line, cause FROM bulk_error WHERE bucket = $1 AND bulk_id = $2 AND line > $3 ORDER BY line LIMIT $4',
)
const WITH_LINES = rare<[bulkId: BulkId, accountId: AccountId]>(
  `SELECT bulk_id, account_id FROM bulk WHERE EXISTS
   (SELECT 1 FROM bulk_lines WHERE bulk_lines.bucket = bulk.bucket AND bulk_lines.bulk_id = bulk.bulk_id)`,
)
const LINES = inBucket<[last: number, sealed: Uint8Array]>(
  `SELECT last_line, sealed FROM bulk_lines WHERE bucket = $1 AND bulk_id = $2 AND last_line >= $3
   ORDER BY last_line LIMIT 1`,
)

interface Reading {
  query<Row extends readonly Cell[]>(statement: Statement<Row>, ...values: readonly Value[]): Promise<readonly Row[]>
}

export function addTotals(session: Session, moves: readonly MoveRow[]): void {
  if (moves.length === 0) return
  session.insert(
    ADD_TOTALS,
    ByBucket.of<readonly Cell[]>(addedTotals(moves), ([bulkId]) => bucketOfMessage(bulkId as BulkId)),
  )
}

export async function findBulk(
  link: Reading,
  vault: Vault,
  { accountId, bulkId }: { readonly accountId: AccountId; readonly bulkId: BulkId },
): Promise<BulkView | null> {
  // Of another account: the bucket differs, or the check below.
  const [view] = await withTotals(link, vault, await link.query(FIND, bucketOf(accountId), bulkId))
  return view?.accountId === accountId ? view : null
}

export async function listBulks(
  link: Reading,
  vault: Vault,
  { accountId, test, after, limit }: BulkQuery,
): Promise<readonly BulkView[]> {
  const from = after ?? Number.MAX_SAFE_INTEGER
  return withTotals(link, vault, await link.query(LIST, bucketOf(accountId), accountId, Number(test), from, limit))
}

/** Returns those of these buckets: a page of fewer than the limit is the last one. */
export async function dueBulks(
  link: Reading,
  vault: Vault,
  { now, after, limit }: DueBulkQuery,
  buckets: readonly number[],
): Promise<readonly BulkView[]> {
  return withTotals(link, vault, await link.query(DUE, now, after?.accountId ?? 0, after?.bulkId ?? 0, limit, buckets))
}

export async function bulkErrors(
  link: Reading,
  { bulkId, after, limit }: BulkErrorQuery,
): Promise<readonly LineError[]> {
  return (await link.query(ERRORS, bucketOfMessage(bulkId), bulkId, after, limit)).map(readError)
}

export async function bulksWithLines(link: Reading): Promise<readonly OfBulk[]> {
  return (await link.query(WITH_LINES)).map(([bulkId, accountId]) => ({ bulkId, accountId }))
}

export async function readBulkLines(
  link: Reading,
  vault: Vault,
  { bulkId, from }: { readonly bulkId: BulkId; readonly from: number },
): Promise<StoredLines | null> {
  const [row] = await link.query(LINES, bucketOfMessage(bulkId), bulkId, from)
  return row === undefined ? null : linesFrom(row[0], row[1], from, vault)
}

async function withTotals(link: Reading, vault: Vault, rows: readonly BulkRow[]): Promise<readonly BulkView[]> {
  const bulks = rows.map((row) => readBulk(row, vault))
  const buckets = ByBucket.of(
    bulks.map(({ id }) => id),
    bucketOfMessage,
  )
  const totals = await Promise.all(buckets.entries().map(([bucket, ids]) => link.query(TOTALS, bucket, ids)))
  return viewsOf(bulks, totals.flat())
}
