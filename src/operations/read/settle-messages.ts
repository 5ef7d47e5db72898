/**
 * Decides about messages of which a carrier sent no receipt, page by page. Keeps nothing: after a crash, a repeat goes
 * on with what is left, because a message that was sent again is taken later.
 */
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { Settlement } from '../../domain/message/journey-event.ts'
import { type Micros, NO_MONEY, toMicros } from '../../domain/money/money.ts'
import type { OpenMessage, Unsettled } from '../../ports/stores/queued-store.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import { openPages } from './open-pages.ts'

type SettleTools = Pick<OperationTools, 'store' | 'outbox'>

export interface UnsettledQuery {
  /** Null for all accounts. */
  readonly accountId: AccountId | null
  readonly which: Unsettled
}

/** A sum over messages of one account. */
export interface SettledSum {
  readonly accountId: AccountId
  readonly messages: number
  readonly chargedMicros: Micros
  /** On hold before; of settled ones: released. */
  readonly heldMicros: Micros
}

/** Returns the sums of messages that are unsettled, by account. */
export async function countUnsettled(
  { store }: Pick<SettleTools, 'store'>,
  query: UnsettledQuery,
): Promise<readonly SettledSum[]> {
  const sums = new Map<AccountId, SettledSum>()
  for await (const { messages } of openPages(store, query)) for (const message of messages) add(sums, message)
  return [...sums.values()]
}

export interface SettledMessages {
  readonly sums: readonly SettledSum[]
  /** Messages that had a receipt in the meantime, or that another gateway has right now. */
  readonly skipped: number
  /** Where a repeat goes on; null if nothing follows. */
  readonly next: number | null
}

/** Settles messages behind `after` until `most` were looked at or none follows. */
export async function settleMessages(
  tools: SettleTools,
  query: UnsettledQuery,
  { by, after, most }: { readonly by: Settlement; readonly after: number; readonly most: number },
): Promise<SettledMessages> {
  const sums = new Map<AccountId, SettledSum>()
  let [found, done] = [0, 0]
  for await (const page of openPages(tools.store, query, after)) {
    found += page.messages.length
    for (const settled of await settleAll(tools, page.messages, by)) {
      add(sums, settled)
      done += 1
    }
    if (found >= most) return { sums: [...sums.values()], skipped: found - done, next: page.next }
  }
  return { sums: [...sums.values()], skipped: found - done, next: null }
}

/** Returns those that were settled, with the money that this released. */
export async function settleAll(
  { store, outbox }: SettleTools,
  messages: readonly Pick<OpenMessage, 'id' | 'since'>[],
  by: Settlement,
): Promise<readonly Pick<OpenMessage, 'id' | 'accountId' | 'chargedMicros' | 'heldMicros'>[]> {
  if (messages.length === 0) return []
  const found = new Map(messages.map(({ id, since }) => [id, since]))
  const stored = await store.loadMessages([...found.keys()])
  // Another run may have had some sent again, and a carrier may have taken them since.
  const before = stored.filter(({ id, journey: { steps, step } }) => steps[step]?.at === found.get(id))
  const held = new Map<MessageId, Micros>(before.map(({ id, journey }) => [id, journey.heldMicros]))
  const settled = await outbox.settle(before, by)
  return settled.map(({ id, accountId, journey: { chargedMicros, heldMicros } }) => {
    return { id, accountId, chargedMicros, heldMicros: toMicros((held.get(id) ?? NO_MONEY) - heldMicros) }
  })
}

function add(
  sums: Map<AccountId, SettledSum>,
  { accountId, chargedMicros, heldMicros }: Omit<SettledSum, 'messages'>,
): void {
  const before = sums.get(accountId) ?? { messages: 0, chargedMicros: NO_MONEY, heldMicros: NO_MONEY }
  sums.set(accountId, {
    accountId,
    messages: before.messages + 1,
    chargedMicros: toMicros(before.chargedMicros + chargedMicros),
    heldMicros: toMicros(before.heldMicros + heldMicros),
  })
}
