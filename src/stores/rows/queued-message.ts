/** Reads messages that no carrier has from rows of open messages. */
import type { AccountId } from '../../domain/account.ts'
import { isCancellable } from '../../domain/journey.ts'
import type { MessageId } from '../../domain/message-id.ts'
import { QUEUED_LOOKS, type QueuedMessage, type QueuedPage } from '../../ports/queued-store.ts'
import { readJourney } from './journey-text.ts'

export const QUEUED_COLUMNS = 'msg_id, account_id, journey'

export type QueuedRow = [id: MessageId, accountId: AccountId, journey: string]

/** `rows`: QUEUED_LOOKS at most, in the order of their ids. */
export function queuedPage(rows: readonly QueuedRow[], accountId: AccountId): QueuedPage {
  const queued = rows.flatMap(([id, owner, text]): readonly QueuedMessage[] => {
    if (owner !== accountId) return []
    const journey = readJourney(text)
    return isCancellable(journey) ? [{ id, heldMicros: journey.heldMicros, bulk: journey.bulk ?? null }] : []
  })
  return { queued, next: rows.length < QUEUED_LOOKS ? null : (rows.at(-1)?.[0] ?? null) }
}
