/** Changes a bulk: creates it, adds lines, runs a command, or makes messages of lines. */
import { type Bulk, type BulkView, commanded, hasEnded, newBulk } from '../../../domain/bulk/bulk.ts'
import {
  keptErrors,
  type LineError,
  mayProcess,
  processed,
  withBlock,
  withoutLines,
} from '../../../domain/bulk/bulk-lines.ts'
import type { BulkOrder, ErasedLines, LineStep, OfBulk, SentLines } from '../../../ports/stores/bulk-store.ts'
import { lineResults } from '../../admission/line-results.ts'
import { hashesOfLines, withoutDuplicates } from '../../rows/bulk/bulk-phones.ts'
import { bulkReports } from '../../rows/bulk/bulk-report.ts'
import {
  type BlockRow,
  BULK_IDENTITY,
  BULK_STATE_COLUMNS,
  ERASED_BLOCKS,
  errorRow,
  identityCells,
  nextBlocks,
  sealLines,
  stateCells,
  withoutPhone,
} from '../../rows/bulk/bulk-row.ts'
import { type ReportedAccountRow, SELECT_REPORTED_ACCOUNTS } from '../../rows/reports/low-balance-report.ts'
import { admitLines, type PackedOrder, packOrder } from '../requests/accept-messages.ts'
import { EventReports } from '../session/event-reports.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'
import { readView } from './bulk-rows.ts'

type PackedStep = Omit<LineStep, 'request'> & { readonly request: PackedOrder }
export type PackedBulkOrder = Exclude<BulkOrder, LineStep> | PackedStep

export function packBulkOrder(order: BulkOrder): PackedBulkOrder {
  return order.kind === 'send lines' ? { ...order, request: packOrder(order.request) } : order
}

type Of<Kind extends BulkOrder['kind']> = Extract<PackedBulkOrder, { kind: Kind }>

export function changeBulk(
  session: Session,
): (order: PackedBulkOrder) => boolean | Bulk | ErasedLines | SentLines | null {
  const rows = new BulkRows(session)
  const admit = admitLines(session)
  return (order) => {
    switch (order.kind) {
      case 'create':
        return rows.create(order)
      case 'add lines':
        return rows.addLines(order)
      case 'command':
        return rows.command(order)
      case 'erase lines':
        return rows.eraseLines(order)
      case 'send lines':
        return sendLines(rows, admit, order)
    }
  }
}

function sendLines(
  rows: BulkRows,
  admit: (order: PackedOrder) => SentLines['outcomes'],
  step: PackedStep,
): SentLines | null {
  const bulk = rows.find(step)
  if (bulk === null || !mayProcess(bulk, step)) return null
  const [, at] = step.request
  const outcomes = admit(step.request)
  const after = processed(bulk, { through: step.through, at }, lineResults(step.lines, outcomes))
  rows.addErrors(bulk, after.errors)
  rows.change(after.bulk)
  rows.dropLines(after.bulk)
  return { bulk: after.bulk, outcomes }
}

class BulkRows {
  readonly #session: Session
  readonly #find: (bulkId: number) => BulkView | null
  readonly #open: Statement<[count: number]>
  readonly #insert: Statement
  readonly #update: Statement
  readonly #insertLines: Statement
  readonly #findPhone: Statement<[one: number]>
  readonly #insertPhone: Statement
  readonly #blocks: Statement<BlockRow>
  readonly #replaceBlock: Statement
  readonly #dropBlock: Statement
  readonly #insertError: Statement
  readonly #dropLines: Statement
  readonly #reports: EventReports
  readonly #account: Statement<[...ReportedAccountRow]>

  constructor(session: Session) {
    const { database } = session
    this.#session = session
    this.#find = readView(session)
    this.#open = new Statement(database, 'SELECT count(*) FROM bulk WHERE account_id = ? AND test = ? AND open = 1')
    this.#insert = new Statement(
      database,
      `INSERT INTO bulk (${BULK_IDENTITY}, ${BULK_STATE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#update = new Statement(
      database,
      'UPDATE bulk SET open = ?, due_at = ?, kept_since = ?, facts = ? WHERE bulk_id = ?',
    )
    this.#insertLines = new Statement(database, 'INSERT INTO bulk_lines (bulk_id, last_line, sealed) VALUES (?, ?, ?)')
    this.#findPhone = new Statement(database, 'SELECT 1 FROM bulk_phone WHERE bulk_id = ? AND phone_hash = ?')
    this.#insertPhone = new Statement(database, 'INSERT INTO bulk_phone (bulk_id, phone_hash) VALUES (?, ?)')
    this.#blocks = new Statement(
      database,
      `SELECT last_line, sealed FROM bulk_lines WHERE bulk_id = ? AND last_line > ? ORDER BY last_line LIMIT ${ERASED_BLOCKS}`,
    )
    this.#replaceBlock = new Statement(database, 'UPDATE bulk_lines SET sealed = ? WHERE bulk_id = ? AND last_line = ?')
    this.#dropBlock = new Statement(database, 'DELETE FROM bulk_lines WHERE bulk_id = ? AND last_line = ?')
    this.#insertError = new Statement(database, 'INSERT INTO bulk_error (bulk_id, line, cause) VALUES (?, ?, ?)')
    this.#dropLines = new Statement(database, 'DELETE FROM bulk_lines WHERE bulk_id = ? AND last_line < ?')
    this.#reports = new EventReports(database)
    this.#account = new Statement(database, `${SELECT_REPORTED_ACCOUNTS} WHERE account_id = ?`)
  }

  find({ accountId, bulkId }: OfBulk): BulkView | null {
    const bulk = this.#find(bulkId)
    return bulk?.accountId === accountId ? bulk : null
  }

  create({ accountId, bulk, maxOpen }: Of<'create'>): boolean {
    const [open = 0] = this.#open.first(accountId, Number(bulk.test)) ?? []
    if (open >= maxOpen) return false
    const made = newBulk(bulk)
    this.#insert.run(...identityCells(made, this.#session.vault), ...stateCells(made))
    return true
  }

  addLines(order: Of<'add lines'>): Bulk | null {
    const bulk = this.find(order)
    if (bulk === null) return null
    const hashes = hashesOfLines(bulk, order.block, this.#session.hashPhone)
    const known = hashes.filter((hash) => this.#findPhone.first(bulk.id, hash) !== undefined)
    const { block, added } = withoutDuplicates(order.block, hashes, known)
    const after = withBlock(bulk, block)
    if (after === null) return null
    const { last, lines, errors } = block
    for (const hash of added) this.#insertPhone.run(bulk.id, hash)
    if (lines.length > 0) this.#insertLines.run(bulk.id, last, sealLines(lines, this.#session.vault))
    this.addErrors(bulk, errors)
    this.change(after)
    return after
  }

  command(order: Of<'command'>): Bulk | null {
    const bulk = this.find(order)
    const after = bulk === null ? null : commanded(bulk, order.command)
    if (bulk === null || after === null || after === bulk) return after
    this.change(after)
    if (hasEnded(after) && !hasEnded(bulk)) this.#report({ ...bulk, ...after }, order.command.at)
    return after
  }

  #report(bulk: BulkView, at: number): void {
    const account = this.#account.first(bulk.accountId)
    for (const report of bulkReports(bulk, account, at)) this.#reports.write(report, at)
  }

  eraseLines(order: Of<'erase lines'>): ErasedLines | null {
    const bulk = this.find(order)
    if (bulk === null) return null
    const rows = this.#blocks.all(bulk.id, order.after)
    const blocks = withoutPhone(rows, { phone: order.phone, from: bulk.nextLine }, this.#session.vault)
    for (const { last, sealed } of blocks) {
      if (sealed === null) this.#dropBlock.run(bulk.id, last)
      else this.#replaceBlock.run(sealed, bulk.id, last)
    }
    const done = blocks.reduce((sum, { erased }) => sum + erased, 0)
    if (done > 0) this.change(withoutLines(bulk, done))
    return { done, next: nextBlocks(rows) }
  }

  change(bulk: Bulk): void {
    this.#update.run(...stateCells(bulk), bulk.id)
  }

  addErrors(bulk: Bulk, errors: readonly LineError[]): void {
    for (const error of keptErrors(bulk, errors)) this.#insertError.run(bulk.id, ...errorRow(error))
  }

  /** Deletes blocks of which every line is processed. */
  dropLines({ id, nextLine }: Bulk): void {
    this.#dropLines.run(id, nextLine)
  }
}
