/** Reads open messages from their rows: those that no carrier has, or of which a carrier sent no receipt. */
import type { AccountId } from '../../../domain/ids/account-id.ts'
import type { MessageId } from '../../../domain/ids/message-id.ts'
import { isCancellable } from '../../../domain/journey/journey.ts'
import { isUnsettled } from '../../../domain/journey/settle-journey.ts'
import type { Journey } from '../../../domain/message/message.ts'
import { OPEN_LOOKS, type OpenMessage, type OpenPage, type OpenQuery } from '../../../ports/stores/queued-store.ts'
import { readJourney } from './message-row.ts'

export const OPEN_COLUMNS = 'msg_id, account_id, journey'

export type OpenRow = [id: MessageId, accountId: AccountId, journey: string]

/** `rows`: OPEN_LOOKS at most, in the order of their ids. */
export function openPage(rows: readonly OpenRow[], query: OpenQuery): OpenPage {
  const messages = rows.flatMap(([id, accountId, text]): readonly OpenMessage[] => {
    if (query.accountId !== null && accountId !== query.accountId) return []
    const journey = readJourney(text)
    const { heldMicros, chargedMicros, bulk = null, deadlineAt } = journey
    const { carrierId = null, at = 0 } = journey.steps[journey.step] ?? {}
    if (!isWanted(journey, { carrierId, at }, query)) return []
    return [{ id, accountId, heldMicros, chargedMicros, bulk, carrierId, since: at, deadlineAt }]
  })
  return { messages, next: rows.length < OPEN_LOOKS ? null : (rows.at(-1)?.[0] ?? null) }
}

function isWanted(
  journey: Journey,
  { carrierId, at }: { readonly carrierId: string | null; readonly at: number },
  { which }: Pick<OpenQuery, 'which'>,
): boolean {
  if (which === 'queued') return isCancellable(journey)
  if (!isUnsettled(journey) || at < which.from || at >= which.until) return false
  return which.carrierId === null || which.carrierId === carrierId
}
