/** Deletes bulks that were kept long enough, and the lines that will never be sent. */
import { DAY_MS } from '../../../domain/accounts/retention.ts'
import { BULKS_KEPT_DAYS } from '../../../domain/bulk/bulk.ts'
import type { Session } from '../session/session.ts'
import { Statement } from '../statement/statement.ts'

/** Blocks are large. */
const SLICE_BLOCKS = 50
const SLICE_ROWS = 1_000
/** How long the lines of a bulk are looked for after its end: longer than a gateway is stopped. */
const LINES_SOUGHT_DAYS = 7

/** Runs one slice; returns true if there may be more. */
export function sweepBulks({ database }: Session): (now: number) => boolean {
  const ended = 'SELECT bulk_id FROM bulk WHERE open = 0 AND kept_since > ?'
  const old = 'SELECT bulk_id FROM bulk WHERE kept_since <= ?'
  const drop = (table: string, of: string, most: number) =>
    new Statement(
      database,
      `DELETE FROM ${table} WHERE (${KEYS[table]}) IN
         (SELECT ${KEYS[table]} FROM ${table} WHERE bulk_id IN (${of}) LIMIT ${most})`,
    )
  const lines = drop('bulk_lines', ended, SLICE_BLOCKS)
  const phones = drop('bulk_phone', ended, SLICE_ROWS)
  const parts = [
    [drop('bulk_lines', old, SLICE_BLOCKS), SLICE_BLOCKS],
    [drop('bulk_phone', old, SLICE_ROWS), SLICE_ROWS],
    [drop('bulk_error', old, SLICE_ROWS), SLICE_ROWS],
    [drop('bulk_total', old, SLICE_ROWS), SLICE_ROWS],
  ] as const
  const reports = new Statement(database, `DELETE FROM report WHERE msg_id IN (${old})`)
  const bulks = new Statement(database, 'DELETE FROM bulk WHERE kept_since <= ?')
  return (now) => {
    const before = now - BULKS_KEPT_DAYS * DAY_MS
    const sought = now - LINES_SOUGHT_DAYS * DAY_MS
    const isMore = [lines.change(sought) === SLICE_BLOCKS, phones.change(sought) === SLICE_ROWS]
    isMore.push(...parts.map(([statement, most]) => statement.change(before) === most))
    // The parts of a bulk are found by its row.
    if (!isMore.includes(true)) {
      reports.run(before)
      bulks.run(before)
    }
    return isMore.includes(true)
  }
}

const KEYS: Readonly<Record<string, string>> = {
  bulk_lines: 'bulk_id, last_line',
  bulk_phone: 'bulk_id, phone_hash',
  bulk_error: 'bulk_id, line',
  bulk_total: 'bulk_id, status',
}
