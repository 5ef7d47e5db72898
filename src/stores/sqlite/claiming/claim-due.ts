/**
 * OUT: claims, releases and reads open messages. Opening the database made everything due that a dead node held
 * (open-database.ts), so only waiting messages are ever claimed.
 */
import type { MessageId } from '../../../domain/ids/message-id.ts'
import type { EarlyReceipt } from '../../../ports/carriers/receipt-address.ts'
import type { DueClaim, DueClaimed, QueueOrder } from '../../../ports/records/due-claim.ts'
import { EARLY_RECEIPT_COLUMNS, type EarlyReceiptRow, toEarlyReceipt } from '../../rows/messages/early-receipt.ts'
import { type MessageRow, memberOfJourney } from '../../rows/messages/message-row.ts'
import { queueName } from '../../rows/queues/place.ts'
import { loadMessages } from '../requests/stored-message.ts'
import type { Session } from '../session/session.ts'
import { SqlStatement } from '../statement/statement.ts'
import { findQueued } from './find-queued.ts'

export interface ClaimedRows extends Omit<DueClaimed, 'messages' | 'queued'> {
  readonly messages: readonly MessageRow[]
  readonly queued: readonly MessageRow[]
}

export function claimDue(session: Session): (claim: DueClaim) => ClaimedRows {
  const { database, node } = session
  const due = new SqlStatement<[msgId: number]>(
    database,
    'SELECT msg_id FROM due WHERE node = 0 AND due_at <= ? ORDER BY due_at LIMIT ?',
  )
  const hold = new SqlStatement(database, 'UPDATE due SET node = ? WHERE msg_id = ?')
  const next = new SqlStatement<[dueAt: number | null]>(database, 'SELECT min(due_at) FROM due WHERE node = 0')
  const load = loadMessages(session)
  const chooseQueued = findQueued(session)
  const claimStranded = claimStrandedReceipts(session)
  return (claim) => {
    const ids = due.all(claim.now, claim.limit).map(([id]) => id)
    for (const id of ids) hold.run(node, id)
    const { ids: queued, ...rest } = chooseQueued(claim)
    for (const id of queued) hold.run(node, id)
    const { earlyReceipts, mayBeMore } = claimStranded(claim.limit)
    return {
      ...rest,
      messages: load(ids),
      queued: load(queued),
      earlyReceipts,
      nextDueAt: mayBeMore ? claim.now : (next.first()?.[0] ?? null),
    }
  }
}

export function release({ database, node }: Session): (ids: readonly number[]) => void {
  const wait = new SqlStatement(
    database,
    `UPDATE due SET node = 0, tenant = 0, due_at = (SELECT ${memberOfJourney('dueAt')} FROM message WHERE message.msg_id = due.msg_id)
     WHERE msg_id = ? AND node = ?`,
  )
  return (ids) => {
    for (const id of ids) wait.run(id, node)
  }
}

/** Returns the messages that were skipped. */
export function enqueue({ database, node }: Session): (orders: readonly QueueOrder[]) => MessageId[] {
  const find = new SqlStatement<[msgId: number]>(
    database,
    'SELECT msg_id FROM due JOIN message USING (msg_id) WHERE msg_id = ? AND node = ? AND version = ?',
  )
  const move = new SqlStatement(
    database,
    'UPDATE due SET node = 0, channel = ?, tenant = ?, due_at = ? WHERE msg_id = ?',
  )
  return (orders) => {
    return orders.flatMap((order) => {
      const { messageId, version, tenant, dueAt } = order
      if (find.first(messageId, node, version) === undefined) return messageId
      move.run(queueName(order), tenant, dueAt, messageId)
      return []
    })
  }
}

/**
 * Early receipts assigned to a dead node, which may not have recorded them. Dead nodes have lower numbers. Those with
 * no part, of older versions or another database, become unassigned. `mayBeMore` after a full page.
 */
function claimStrandedReceipts({ database, node }: Session) {
  const find = new SqlStatement<
    [id: number, msgId: MessageId | null, step: number, part: number, ...receipt: EarlyReceiptRow]
  >(
    database,
    `SELECT early_receipt_id, coalesce(early_receipt.msg_id, part_ref.msg_id), coalesce(early_receipt.step, part_ref.step),
       coalesce(early_receipt.part, part_ref.part), ${EARLY_RECEIPT_COLUMNS}
     FROM early_receipt INDEXED BY early_receipt_of_node LEFT JOIN part_ref USING (carrier_id, ref)
     WHERE node > 0 AND node < ? LIMIT ?`,
  )
  const hand = new SqlStatement(
    database,
    'UPDATE early_receipt SET node = ?, msg_id = ?, step = ?, part = ? WHERE early_receipt_id = ?',
  )
  let mayBeMore = true
  return (limit: number): { readonly earlyReceipts: readonly EarlyReceipt[]; readonly mayBeMore: boolean } => {
    if (!mayBeMore) return { earlyReceipts: [], mayBeMore }
    const rows = find.all(node, limit)
    mayBeMore = rows.length === limit
    const earlyReceipts = rows.flatMap(([id, msgId, step, part, ...row]) => {
      hand.run(msgId === null ? 0 : node, msgId, step, part, id)
      return msgId === null ? [] : toEarlyReceipt(row, { messageId: msgId, step, part })
    })
    return { earlyReceipts, mayBeMore }
  }
}
