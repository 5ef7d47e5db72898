/** Changes a bulk: creates it, adds lines, runs a command, or makes messages of lines. */
import { type Bulk, type BulkView, commanded, hasEnded, newBulk } from '../../../domain/bulk/bulk.ts'
import {
  type BulkLine,
  keptErrors,
  type LineError,
  mayProcess,
  processed,
  withBlock,
  withoutLines,
} from '../../../domain/bulk/bulk-lines.ts'
import { bucketOf } from '../../../domain/ids/message-id.ts'
import type { Phone } from '../../../domain/numbers/phone.ts'
import { addressed, hooksFor } from '../../../domain/reports/client-hook.ts'
import { type Report, writeBulkReport } from '../../../domain/reports/report.ts'
import type { BulkOrder, ErasedLines, LineStep, SentLines } from '../../../ports/stores/bulk-store.ts'
import { lineResults } from '../../admission/line-results.ts'
import { hashesOfLines, hashInBulk, withoutDuplicates } from '../../rows/bulk/bulk-phones.ts'
import {
  type BlockRow,
  BULK_IDENTITY,
  BULK_STATE,
  ERASED_BLOCKS,
  errorRow,
  identityCells,
  nextBlocks,
  stateCells,
  withoutPhone,
} from '../../rows/bulk/bulk-row.ts'
import {
  REPORTED_ACCOUNT_COLUMNS,
  type ReportedAccountRow,
  SELECT_REPORTED_ACCOUNTS,
  toReportedAccount,
} from '../../rows/reports/low-balance-report.ts'
import type { HashPhone } from '../../vault/phone-hash.ts'
import { type Command, first, own, rows, withBucket, write } from '../statement/command.ts'
import { insert, select, sql, update } from '../statement/sql.ts'
import { lockBulk } from './bulk-rows.ts'

const ACCOUNT = sql<ReportedAccountRow>(
  `${SELECT_REPORTED_ACCOUNTS} WHERE account.account_id = ?`,
  { table: 'account', columns: REPORTED_ACCOUNT_COLUMNS },
  { table: 'account_hooks', columns: REPORTED_ACCOUNT_COLUMNS },
)
const OPEN = sql<[count: number]>('SELECT count(*) FROM bulk WHERE {bucket} account_id = ? AND test = ? AND open = 1')
const INSERT = insert('bulk', `${BULK_IDENTITY}, ${BULK_STATE}`)
const CHANGE = update('bulk', BULK_STATE, 'bulk_id')
const INSERT_LINES = insert('bulk_lines', 'bulk_id, last_line, sealed')
const REPLACE_BLOCK = update('bulk_lines', 'sealed', 'bulk_id, last_line')
const DROP_BLOCK = sql('DELETE FROM bulk_lines WHERE {bucket} bulk_id = ? AND last_line = ?')
const DROP_LINES = sql('DELETE FROM bulk_lines WHERE {bucket} bulk_id = ? AND last_line < ?')
const BLOCKS = select<BlockRow>(
  'bulk_lines',
  'last_line, sealed',
  `WHERE {bucket} bulk_id = ? AND last_line > ? ORDER BY last_line LIMIT ${ERASED_BLOCKS}`,
)
const INSERT_ERRORS = insert('bulk_error', 'bulk_id, line, cause')
const INSERT_PHONES = insert('bulk_phone', 'bulk_id, phone_hash')
const PHONES = sql<[hash: string]>(
  'SELECT phone_hash FROM bulk_phone WHERE {bucket} bulk_id = ? AND phone_hash {any text}',
)

/** What each store does in its own way. `Request`: of the messages of lines, as the store takes it. */
export interface BulkTools<Request> {
  readonly hashPhone: HashPhone
  /** Admits lines up to the first that pauses the run; returns the outcomes of those that were processed. */
  admit(request: Request): SentLines['outcomes'] | Promise<SentLines['outcomes']>
  /** Writes reports of an event of this time. */
  report(reports: readonly Report[], at: number): void
}

/** What is read of a request in either form. */
interface Made {
  /** When the request was made. */
  readonly now: number
}

export type OrderOf<Request> =
  | Exclude<BulkOrder, LineStep>
  | (Omit<LineStep, 'request'> & { readonly request: Request })
type Of<Kind extends BulkOrder['kind'], Request = never> = Extract<OrderOf<Request>, { kind: Kind }>
export type BulkResult = boolean | Bulk | ErasedLines | SentLines | readonly Phone[] | null

export function changeBulk<Request extends Made>(
  order: OrderOf<Request>,
  tools: BulkTools<Request>,
): Command<BulkResult> {
  return withBucket(bucketOf(order.accountId), change(order, tools))
}

function change<Request extends Made>(order: OrderOf<Request>, tools: BulkTools<Request>): Command<BulkResult> {
  switch (order.kind) {
    case 'create':
      return create(order)
    case 'add lines':
      return addLines(order, tools)
    case 'command':
      return command(order, tools)
    case 'find new phones':
      return findNewPhones(order, tools)
    case 'erase lines':
      return eraseLines(order)
    case 'send lines':
      return sendLines(order, tools)
  }
}

function* create({ accountId, bulk, maxOpen }: Of<'create'>): Command<boolean> {
  const [open = 0] = (yield* first(OPEN, accountId, Number(bulk.test))) ?? []
  if (open >= maxOpen) return false
  const made = newBulk(bulk)
  yield* write(INSERT, [...identityCells(made), ...stateCells(made)])
  return true
}

function* addLines(order: Of<'add lines'>, { hashPhone }: Pick<BulkTools<never>, 'hashPhone'>): Command<Bulk | null> {
  const bulk = yield* lockBulk(order)
  if (bulk === null) return null
  const hashes = hashesOfLines(bulk, order.block, hashPhone)
  const known = hashes.length === 0 ? [] : yield* rows(PHONES, bulk.id, hashes)
  const { block, added } = withoutDuplicates(order.block, hashes, known.flat())
  const after = withBlock(bulk, block)
  if (after === null) return null
  yield* write(INSERT_PHONES, ...added.map((hash) => [bulk.id, hash]))
  if (block.lines.length > 0) yield* write(INSERT_LINES, [bulk.id, block.last, JSON.stringify(block.lines)])
  yield* addErrors(bulk, block.errors)
  yield* save(after)
  return after
}

function* command(order: Of<'command'>, { report }: Pick<BulkTools<never>, 'report'>): Command<Bulk | null> {
  const bulk = yield* lockBulk(order)
  const after = bulk === null ? null : commanded(bulk, order.command)
  if (bulk === null || after === null || after === bulk) return after
  yield* save(after)
  if (hasEnded(after) && !hasEnded(bulk)) {
    const { at } = order.command
    report(bulkReports({ ...bulk, ...after }, yield* first(ACCOUNT, bulk.accountId), at), at)
  }
  return after
}

function* findNewPhones(
  order: Of<'find new phones'>,
  { hashPhone }: Pick<BulkTools<never>, 'hashPhone'>,
): Command<readonly Phone[] | null> {
  const bulk = yield* lockBulk(order)
  if (bulk === null) return null
  const hashes = order.phones.map((phone) => hashInBulk(phone, hashPhone))
  const known = new Set((yield* rows(PHONES, bulk.id, hashes)).flat())
  return order.phones.filter((_, index) => !known.has(hashes[index] ?? ''))
}

function* eraseLines(order: Of<'erase lines'>): Command<ErasedLines | null> {
  const bulk = yield* lockBulk(order)
  if (bulk === null) return null
  const blocks = yield* rows(BLOCKS, bulk.id, order.after)
  const changed = withoutPhone(blocks, { phone: order.phone, from: bulk.nextLine })
  for (const { last, lines } of changed) {
    if (lines.length === 0) yield* write(DROP_BLOCK, [bulk.id, last])
    else yield* write(REPLACE_BLOCK, [JSON.stringify(lines satisfies readonly BulkLine[]), bulk.id, last])
  }
  const done = changed.reduce((sum, { erased }) => sum + erased, 0)
  if (done > 0) yield* save(withoutLines(bulk, done))
  return { done, next: nextBlocks(blocks) }
}

function* sendLines<Request extends Made>(
  step: Of<'send lines', Request>,
  { admit }: BulkTools<Request>,
): Command<SentLines | null> {
  const bulk = yield* lockBulk(step)
  if (bulk === null || !mayProcess(bulk, step)) return null
  const outcomes = yield* own(() => admit(step.request))
  const after = processed(bulk, { through: step.through, at: step.request.now }, lineResults(step.lines, outcomes))
  yield* addErrors(bulk, after.errors)
  yield* save(after.bulk)
  // Blocks of which every line is processed.
  yield* write(DROP_LINES, [bulk.id, after.bulk.nextLine])
  return { bulk: after.bulk, outcomes }
}

function save(bulk: Bulk): Command<void> {
  return write(CHANGE, [...stateCells(bulk), bulk.id])
}

function addErrors(bulk: BulkView, errors: readonly LineError[]): Command<void> {
  return write(INSERT_ERRORS, ...keptErrors(bulk, errors).map((error) => [bulk.id, ...errorRow(error)]))
}

/** Returns the reports of its end: to the hook of its message, and to the client's hooks that want them. */
function bulkReports(bulk: BulkView, account: ReportedAccountRow | undefined, at: number): readonly Report[] {
  if (account === undefined) return []
  const { listeners } = toReportedAccount(account)
  return addressed(writeBulkReport(bulk, at), bulk.hook, hooksFor(listeners, 'bulk.finished', bulk.hook))
}
