/**
 * Cancels what no carrier has, of an account, of a bulk or for a carrier, page by page. Keeps nothing: after a crash, a
 * repeat goes on with what is left.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { BulkId, MessageId } from '../../domain/ids/message-id.ts'
import type { Message } from '../../domain/message/message.ts'
import { toMicros } from '../../domain/money/money.ts'
import type { Cancelled } from '../../ports/hooks/outbox.ts'
import type { OpenMessage } from '../../ports/stores/queued-store.ts'
import { nextTurn } from '../../ports/system/slices.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { openPages } from './open-pages.ts'

/** Looked at in one turn of the event loop: routes are chosen for each. */
const SLICE_MESSAGES = 100

type QueueTools = Pick<OperationTools, 'store' | 'outbox'>

/** Which of the messages that no carrier has. */
export interface QueuedScope {
  /** Null for all accounts. */
  readonly accountId: AccountId | null
  /** All of them if absent. */
  readonly isWanted?: (message: Message) => boolean
}

export interface QueuedSum extends Cancelled {
  readonly accountId: AccountId
}

interface DiscardedPage {
  readonly sums: readonly QueuedSum[]
  /** Where a repeat goes on; null if nothing follows. */
  readonly next: number | null
}

/** Returns how many messages no carrier has, and the money on hold for them, by account. */
export async function countQueued(
  tools: Pick<OperationTools, 'store'>,
  scope: QueuedScope,
): Promise<readonly QueuedSum[]> {
  const sums = new QueuedSums()
  for await (const { messages } of openPages(tools.store, { accountId: scope.accountId, which: 'queued' })) {
    for (const { accountId, heldMicros } of await pickWanted(tools, scope, messages)) {
      sums.add({ accountId, messages: 1, releasedMicros: heldMicros })
    }
  }
  return sums.all()
}

/** Cancels messages behind `after` until `most` are cancelled or none follows. */
export async function discardQueued(
  tools: QueueTools,
  scope: QueuedScope,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<DiscardedPage> {
  const sums = new QueuedSums()
  for await (const page of openPages(tools.store, { accountId: scope.accountId, which: 'queued' }, after)) {
    const wanted = await pickWanted(tools, scope, page.messages)
    for (const [accountId, messages] of Map.groupBy(wanted, (each) => each.accountId)) {
      const ids = messages.map(({ id }) => id)
      sums.add({ accountId, ...(await cancelAll(tools, ids, 'discard')) })
    }
    if (sums.messages >= most) return { sums: sums.all(), next: page.next }
  }
  return { sums: sums.all(), next: null }
}

async function pickWanted(
  { store }: Pick<OperationTools, 'store'>,
  { isWanted }: QueuedScope,
  queued: readonly OpenMessage[],
): Promise<readonly OpenMessage[]> {
  if (isWanted === undefined || queued.length === 0) return queued
  const wanted = new Set<MessageId>()
  for (const [place, message] of (await store.loadMessages(queued.map(({ id }) => id))).entries()) {
    if (place % SLICE_MESSAGES === 0) await nextTurn()
    if (isWanted(message)) wanted.add(message.id)
  }
  return queued.filter(({ id }) => wanted.has(id))
}

/** By account. */
class QueuedSums {
  readonly #sums = new Map<AccountId, QueuedSum>()
  /** Of all accounts. */
  messages = 0

  add({ accountId, messages, releasedMicros }: QueuedSum): void {
    if (messages === 0) return
    const before = this.#sums.get(accountId) ?? { messages: 0, releasedMicros: 0 }
    this.messages += messages
    this.#sums.set(accountId, {
      accountId,
      messages: before.messages + messages,
      releasedMicros: toMicros(before.releasedMicros + releasedMicros),
    })
  }

  all(): readonly QueuedSum[] {
    return [...this.#sums.values()]
  }
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
