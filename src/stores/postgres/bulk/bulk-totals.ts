/** Counts the turns of messages in the totals of their bulks. */
import { type BulkId, bucketOfMessage } from '../../../domain/ids/message-id.ts'
import { addedTotals, type MoveRow } from '../../rows/bulk/bulk-row.ts'
import type { Cell } from '../../rows/cells/cell.ts'
import { ByBucket } from '../connection/by-bucket.ts'
import { insertion } from '../connection/statement.ts'
import type { Session } from '../session/session.ts'

const ADD_TOTALS = insertion(
  'bulk_total',
  'bulk_id, status, messages, micros',
  // In one order everywhere, so that nodes do not deadlock.
  `ORDER BY bulk_id, status ON CONFLICT (bucket, bulk_id, status) DO UPDATE SET
     messages = bulk_total.messages + excluded.messages, micros = bulk_total.micros + excluded.micros`,
)

export function addTotals(session: Session, moves: readonly MoveRow[]): void {
  if (moves.length === 0) return
  session.insert(
    ADD_TOTALS,
    ByBucket.of<readonly Cell[]>(addedTotals(moves), ([bulkId]) => bucketOfMessage(bulkId as BulkId)),
  )
}
