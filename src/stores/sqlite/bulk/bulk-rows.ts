/** The rows of bulks: read, changed, and counted in the turns of their messages. */
import type { Bulk, BulkView } from '../../../domain/bulk/bulk.ts'
import type { LineError } from '../../../domain/bulk/bulk-lines.ts'
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { BulkId } from '../../../domain/ids/message-id.ts'
import type { BulkErrorQuery, BulkQuery, DueBulkQuery, OfBulk, StoredLines } from '../../../ports/stores/bulk-store.ts'
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
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

export function countMove({ database }: Session): (move: MoveRow) => void {
  const add = new Statement(
    database,
    `INSERT INTO bulk_total (${TOTAL_COLUMNS}) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, micros = micros + excluded.micros`,
  )
  return (move) => {
    for (const row of addedTotals([move])) add.run(...row)
  }
}

/** Returns a bulk with its totals. */
export function readView(session: Session): (bulkId: number) => BulkView | null {
  const find = new Statement<BulkRow>(session.database, `SELECT ${BULK_COLUMNS} FROM bulk WHERE bulk_id = ?`)
  const withTotals = viewReader(session)
  return (bulkId) => {
    const row = find.first(bulkId)
    return row === undefined ? null : (withTotals([row])[0] ?? null)
  }
}

export function findBulk(session: Session): (accountId: number, id: BulkId) => BulkView | null {
  const read = readView(session)
  return (accountId, id) => {
    const view = read(id)
    return view?.accountId === accountId ? view : null
  }
}

export function listBulks(session: Session): (query: BulkQuery) => readonly BulkView[] {
  const list = new Statement<BulkRow>(
    session.database,
    `SELECT ${BULK_COLUMNS} FROM bulk WHERE account_id = ? AND test = ? AND bulk_id < ? ORDER BY bulk_id DESC LIMIT ?`,
  )
  const withTotals = viewReader(session)
  return ({ accountId, test, after, limit }) =>
    withTotals(list.all(accountId, Number(test), after ?? Number.MAX_SAFE_INTEGER, limit))
}

export function dueBulks(session: Session): (query: DueBulkQuery) => readonly BulkView[] {
  const list = new Statement<BulkRow>(
    session.database,
    `SELECT ${BULK_COLUMNS} FROM bulk WHERE due_at <= ? AND (account_id, bulk_id) > (?, ?)
     ORDER BY account_id, bulk_id LIMIT ?`,
  )
  const withTotals = viewReader(session)
  return ({ now, after, limit }) => withTotals(list.all(now, after?.accountId ?? 0, after?.bulkId ?? 0, limit))
}

export function bulkErrors({ database }: Session): (query: BulkErrorQuery) => readonly LineError[] {
  const list = new Statement<ErrorRow>(
    database,
    'SELECT line, cause FROM bulk_error WHERE bulk_id = ? AND line > ? ORDER BY line LIMIT ?',
  )
  return ({ bulkId, after, limit }) => list.all(bulkId, after, limit).map(readError)
}

export function bulksWithLines({ database }: Session): () => readonly OfBulk[] {
  const list = new Statement<[bulkId: BulkId, accountId: AccountId]>(
    database,
    'SELECT bulk_id, account_id FROM bulk WHERE EXISTS (SELECT 1 FROM bulk_lines WHERE bulk_lines.bulk_id = bulk.bulk_id)',
  )
  return () => list.all().map(([bulkId, accountId]) => ({ bulkId, accountId }))
}

export function readBulkLines({ database, vault }: Session): (bulkId: BulkId, from: number) => StoredLines | null {
  const find = new Statement<[last: number, sealed: Uint8Array]>(
    database,
    'SELECT last_line, sealed FROM bulk_lines WHERE bulk_id = ? AND last_line >= ? ORDER BY last_line LIMIT 1',
  )
  return (bulkId, from) => {
    const row = find.first(bulkId, from)
    return row === undefined ? null : linesFrom(row[0], row[1], from, vault)
  }
}

function viewReader({ database, vault }: Session): (rows: readonly BulkRow[]) => readonly BulkView[] {
  const totals = new Statement<TotalRow>(database, `SELECT ${TOTAL_COLUMNS} FROM bulk_total WHERE bulk_id = ?`)
  return (rows) => {
    const bulks: readonly Bulk[] = rows.map((row) => readBulk(row, vault))
    return viewsOf(
      bulks,
      bulks.flatMap(({ id }) => totals.all(id)),
    )
  }
}
