/** Changes bulks: creates them, adds lines, runs commands, or makes messages of lines. */
import { type Bulk, type BulkView, commanded, hasEnded, newBulk } from '../../../domain/bulk/bulk.ts'
import {
  keptErrors,
  type LineError,
  mayProcess,
  processed,
  withBlock,
  withoutLines,
} from '../../../domain/bulk/bulk-lines.ts'
import { type BulkId, bucketOf, bucketOfMessage } from '../../../domain/ids/message-id.ts'
import type { BulkOrder, ErasedLines, LineStep, OfBulk, SentLines } from '../../../ports/stores/bulk-store.ts'
import { lineResults } from '../../admission/line-results.ts'
import { hashesOfLines, withoutDuplicates } from '../../rows/bulk/bulk-phones.ts'
import { bulkReports } from '../../rows/bulk/bulk-report.ts'
import {
  type BlockRow,
  ERASED_BLOCKS,
  errorRow,
  identityCells,
  nextBlocks,
  sealLines,
  stateCells,
  withoutPhone,
} from '../../rows/bulk/bulk-row.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { type ReportedAccountRow, SELECT_REPORTED_ACCOUNTS } from '../../rows/reports/low-balance-report.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { inBucket, insertion, rare, type Statement } from '../connection/statement.ts'
import { admitLines } from '../requests/accept-messages.ts'
import { writeEventReports } from '../session/event-reports.ts'
import type { Session } from '../session/session.ts'
import { findBulk } from './bulk-rows.ts'

const ACCOUNT = rare<[...ReportedAccountRow]>(`${SELECT_REPORTED_ACCOUNTS} WHERE account.account_id = $1`)
const OPEN = inBucket<[count: number]>(
  'SELECT count(*) FROM bulk WHERE bucket = $1 AND account_id = $2 AND test = $3 AND open = 1',
)
const LOCK = inBucket('SELECT 1 FROM bulk WHERE bucket = $1 AND bulk_id = $2 FOR UPDATE')
const INSERT = insertion('bulk', {
  bulk_id: 'bigint',
  account_id: 'bigint',
  test: 'smallint',
  message: 'text',
  open: 'smallint',
  due_at: 'bigint',
  kept_since: 'bigint',
  facts: 'text',
})
const CHANGE = inBucket(
  'UPDATE bulk SET open = $3, due_at = $4, kept_since = $5, facts = $6 WHERE bucket = $1 AND bulk_id = $2',
)
const INSERT_LINES = insertion('bulk_lines', { bulk_id: 'bigint', last_line: 'bigint', sealed: 'bytea' })
const INSERT_ERRORS = insertion('bulk_error', { bulk_id: 'bigint', line: 'bigint', cause: 'text' })
const INSERT_PHONES = insertion('bulk_phone', { bulk_id: 'bigint', phone_hash: 'text' })
const PHONES = inBucket<[hash: string]>(
  'SELECT phone_hash FROM bulk_phone WHERE bucket = $1 AND bulk_id = $2 AND phone_hash = ANY ($3::text[])',
)
const BLOCKS = inBucket<BlockRow>(
  `SELECT last_line, sealed FROM bulk_lines WHERE bucket = $1 AND bulk_id = $2 AND last_line > $3
   ORDER BY last_line LIMIT ${ERASED_BLOCKS}`,
)
const DROP_BLOCK = inBucket('DELETE FROM bulk_lines WHERE bucket = $1 AND bulk_id = $2 AND last_line = $3')
const DROP_LINES = inBucket('DELETE FROM bulk_lines WHERE bucket = $1 AND bulk_id = $2 AND last_line < $3')

type BulkResult = boolean | Bulk | ErasedLines | SentLines | null
type Of<Kind extends BulkOrder['kind']> = Extract<BulkOrder, { kind: Kind }>

export async function changeBulks(session: Session, orders: readonly BulkOrder[]): Promise<readonly BulkResult[]> {
  const answers: BulkResult[] = []
  for (const order of orders) answers.push(await change(session, order))
  return answers
}

function change(session: Session, order: BulkOrder): Promise<BulkResult> {
  switch (order.kind) {
    case 'create':
      return create(session, order)
    case 'add lines':
      return addLines(session, order)
    case 'command':
      return command(session, order)
    case 'erase lines':
      return eraseLines(session, order)
    case 'send lines':
      return sendLines(session, order)
  }
}

async function create(session: Session, { accountId, bulk, maxOpen }: Of<'create'>): Promise<boolean> {
  const [row] = await session.query(OPEN, bucketOf(accountId), accountId, Number(bulk.test))
  if ((row?.[0] ?? 0) >= maxOpen) return false
  const made = newBulk(bulk)
  insert(session, INSERT, made.id, [[...identityCells(made, session.vault), ...stateCells(made)]])
  return true
}

async function addLines(session: Session, order: Of<'add lines'>): Promise<Bulk | null> {
  const bulk = await lock(session, order)
  if (bulk === null) return null
  const hashes = hashesOfLines(bulk, order.block, (phone) => session.hashPhone(phone))
  const known = hashes.length === 0 ? [] : await session.query(PHONES, bucketOfMessage(bulk.id), bulk.id, hashes)
  const { block, added } = withoutDuplicates(order.block, hashes, known.flat())
  const after = withBlock(bulk, block)
  if (after === null) return null
  const { last, lines, errors } = block
  const phones = added.map((hash) => [bulk.id, hash])
  if (phones.length > 0) insert(session, INSERT_PHONES, bulk.id, phones)
  if (lines.length > 0) insert(session, INSERT_LINES, bulk.id, [[bulk.id, last, sealLines(lines, session.vault)]])
  addErrors(session, bulk, errors)
  write(session, after)
  return after
}

async function command(session: Session, order: Of<'command'>): Promise<Bulk | null> {
  const bulk = await lock(session, order)
  const after = bulk === null ? null : commanded(bulk, order.command)
  if (bulk === null || after === null || after === bulk) return after
  write(session, after)
  if (hasEnded(after) && !hasEnded(bulk)) await report(session, { ...bulk, ...after }, order.command.at)
  return after
}

async function eraseLines(session: Session, order: Of<'erase lines'>): Promise<ErasedLines | null> {
  const bulk = await lock(session, order)
  if (bulk === null) return null
  const bucket = bucketOfMessage(bulk.id)
  const rows = await session.query(BLOCKS, bucket, bulk.id, order.after)
  const blocks = withoutPhone(rows, { phone: order.phone, from: bulk.nextLine }, session.vault)
  for (const { last, sealed } of blocks) {
    session.write(DROP_BLOCK, bucket, bulk.id, last)
    if (sealed !== null) insert(session, INSERT_LINES, bulk.id, [[bulk.id, last, sealed]])
  }
  const done = blocks.reduce((sum, { erased }) => sum + erased, 0)
  if (done > 0) write(session, withoutLines(bulk, done))
  return { done, next: nextBlocks(rows) }
}

async function report(session: Session, bulk: BulkView, at: number): Promise<void> {
  const [account] = await session.query(ACCOUNT, bulk.accountId)
  const events = bulkReports(bulk, account, at).map((each) => ({ report: each, at }))
  if (events.length > 0) session.noteReports(writeEventReports(session, events))
}

async function sendLines(session: Session, step: LineStep): Promise<SentLines | null> {
  const bulk = await lock(session, step)
  if (bulk === null || !mayProcess(bulk, step)) return null
  const outcomes = await admitLines(session, step.request)
  const after = processed(bulk, { through: step.through, at: step.request.now }, lineResults(step.lines, outcomes))
  addErrors(session, bulk, after.errors)
  write(session, after.bulk)
  session.write(DROP_LINES, bucketOfMessage(bulk.id), bulk.id, after.bulk.nextLine)
  return { bulk: after.bulk, outcomes }
}

/** Other nodes change the bulk too: the row stays locked until the commit. */
async function lock(session: Session, order: OfBulk): Promise<BulkView | null> {
  await session.query(LOCK, bucketOf(order.accountId), order.bulkId)
  return findBulk(session, session.vault, order)
}

function write(session: Session, bulk: Bulk): void {
  session.write(CHANGE, bucketOfMessage(bulk.id), bulk.id, ...stateCells(bulk))
}

function addErrors(session: Session, bulk: Bulk, errors: readonly LineError[]): void {
  const rows = keptErrors(bulk, errors).map((error) => [bulk.id, ...errorRow(error)])
  if (rows.length > 0) insert(session, INSERT_ERRORS, bulk.id, rows)
}

function insert(session: Session, statement: Statement, bulkId: BulkId, rows: readonly (readonly Cell[])[]): void {
  session.insert(
    statement,
    ByBucket.of(rows, () => bucketOfMessage(bulkId)),
  )
}
