/**
 * Cancels what no carrier has, of an account or of a bulk, page by page. Keeps nothing: after a crash, a repeat goes on
 * with what is left.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId, MessageId } from '../../domain/ids/message-id.ts'
import { toMicros } from '../../domain/money/money.ts'
import type { Cancelled } from '../../ports/hooks/outbox.ts'
import type { QueuedStore } from '../../ports/stores/queued-store.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { openPages } from './open-pages.ts'

type QueueTools = Pick<OperationTools, 'store' | 'outbox'>

interface CancelledPage extends Cancelled {
  /** Where a repeat goes on; null if nothing follows. */
  readonly next: number | null
}

/** Returns how many messages of the account no carrier has, and the money on hold for them. */
export async function countQueued(
  { store }: { readonly store: QueuedStore },
  accountId: AccountId,
): Promise<Cancelled> {
  let [messages, micros] = [0, 0]
  for await (const { messages: queued } of openPages(store, { accountId, which: 'queued' })) {
    messages += queued.length
    micros += queued.reduce((sum, { heldMicros }) => sum + heldMicros, 0)
  }
  return { messages, releasedMicros: toMicros(micros) }
}

/** Cancels messages of the account behind `after` until `most` are cancelled or none follows. */
export async function discardQueued(
  tools: QueueTools,
  { accountId, after, most }: { readonly accountId: AccountId; readonly after: number; readonly most: number },
): Promise<CancelledPage> {
  let [messages, micros] = [0, 0]
  for await (const page of openPages(tools.store, { accountId, which: 'queued' }, after)) {
    const ids = page.messages.map(({ id }) => id)
    const cancelled = await cancelAll(tools, ids, 'discard')
    messages += cancelled.messages
    micros += cancelled.releasedMicros
    if (messages >= most) return { messages, releasedMicros: toMicros(micros), next: page.next }
  }
  return { messages, releasedMicros: toMicros(micros), next: null }
}

/** Cancels the messages of a stopped bulk that no carrier has; `most`: how many it may have. */
export async function cancelQueuedOfBulk(
  tools: QueueTools,
  { accountId, id, most }: { readonly accountId: AccountId; readonly id: BulkId; readonly most: number },
): Promise<void> {
  let left = most
  if (left <= 0) return
  for await (const { messages } of openPages(tools.store, { accountId, which: 'queued' })) {
    const ids = messages.flatMap((each) => (each.bulk === id ? each.id : []))
    await cancelAll(tools, ids, 'bulk')
    left -= ids.length
    if (left <= 0) return
  }
}

async function cancelAll(
  { store, outbox }: QueueTools,
  ids: readonly MessageId[],
  by: 'discard' | 'bulk',
): Promise<Cancelled> {
  return outbox.discard(ids.length === 0 ? [] : await store.loadMessages(ids), by)
}
