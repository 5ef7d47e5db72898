/** Stops a bulk: the lines that wait are never sent, and its messages that no carrier has are cancelled. */
import { type BulkView, queuedMessages } from '../../domain/bulk/bulk.ts'
import { cancelQueuedOfBulk } from '../read/cancel-queued.ts'
import type { OperationTools } from '../request/operation-tools.ts'

/**
 * Returns the bulk afterwards; null if its state does not allow it. What is not cancelled when this ends early, the
 * runner cancels.
 */
export async function stopBulk(
  tools: Pick<OperationTools, 'store' | 'outbox'>,
  { accountId, id }: BulkView,
  at: number,
): Promise<BulkView | null> {
  const { store } = tools
  const order = { kind: 'command', accountId, bulkId: id, command: { kind: 'stop', at } } as const
  if ((await store.bulk(order)) === null) return null
  const stopped = await store.findBulk(accountId, id)
  if (stopped === null) return null
  await cancelQueuedOfBulk(tools, { accountId, id, most: queuedMessages(stopped) })
  return store.findBulk(accountId, id)
}
