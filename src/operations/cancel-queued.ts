/**
 * Cancels what no carrier has, of an account or of a bulk, page by page. Keeps nothing: after a crash, a repeat goes on
 * with what is left.
 */
import type { AccountId } from '../domain/account.ts'
import type { BulkId } from '../domain/bulk.ts'
import type { MessageId } from '../domain/message-id.ts'
import { toMicros } from '../domain/money.ts'
import type { Cancelled } from '../ports/outbox.ts'
import type { OperationTools } from './operation-tools.ts'

type QueueTools = Pick<OperationTools, 'store' | 'outbox'>

interface CancelledPage extends Cancelled {
  /** Where a repeat goes on; null if nothing follows. */
  readonly next: number | null
}

/** Returns how many messages of the account no carrier has, and the money on hold for them. */
export async function countQueued({ store }: Pick<QueueTools, 'store'>, accountId: AccountId): Promise<Cancelled> {
  let [messages, micros] = [0, 0]
  for (let after: number | null = 0; after !== null; ) {
    const { queued, next } = await store.queuedOf({ accountId, after })
    messages += queued.length
    micros += queued.reduce((sum, { heldMicros }) => sum + heldMicros, 0)
    after = next
  }
  return { messages, releasedMicros: toMicros(micros) }
}

/** Cancels messages of the account behind `after` until `most` are cancelled or none follows. */
export async function discardQueued(
  tools: QueueTools,
  { accountId, after, most }: { readonly accountId: AccountId; readonly after: number; readonly most: number },
): Promise<CancelledPage> {
  let [messages, micros] = [0, 0]
  let from: number | null = after
  while (from !== null && messages < most) {
    const { queued, next } = await tools.store.queuedOf({ accountId, after: from })
    const ids = queued.map(({ id }) => id)
    const cancelled = await cancelAll(tools, ids, 'discard')
    messages += cancelled.messages
    micros += cancelled.releasedMicros
    from = next
  }
  return { messages, releasedMicros: toMicros(micros), next: from }
}

/** Cancels the messages of a stopped bulk that no carrier has; `most`: how many it may have. */
export async function cancelQueuedOfBulk(
  tools: QueueTools,
  { accountId, id, most }: { readonly accountId: AccountId; readonly id: BulkId; readonly most: number },
): Promise<void> {
  let left = most
  for (let after: number | null = 0; after !== null && left > 0; ) {
    const { queued, next } = await tools.store.queuedOf({ accountId, after })
    const ids = queued.flatMap((each) => (each.bulk === id ? each.id : []))
    await cancelAll(tools, ids, 'bulk')
    left -= ids.length
    after = next
  }
}

async function cancelAll(
  { store, outbox }: QueueTools,
  ids: readonly MessageId[],
  by: 'discard' | 'bulk',
): Promise<Cancelled> {
  return outbox.discard(ids.length === 0 ? [] : await store.loadMessages(ids), by)
}
