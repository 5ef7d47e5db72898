/** Takes a message through a store as a gateway would: accepted, then one recorded turn for each event. */
import { advance } from '../../src/domain/journey/journey.ts'
import type { JourneyEvent } from '../../src/domain/message/journey-event.ts'
import type { Message } from '../../src/domain/message/message.ts'
import type { ShortLink } from '../../src/ports/records/short-link.ts'
import type { Store } from '../../src/ports/stores/store.ts'

/** The account must exist and have the money. Answers with the message as it is then. */
export async function walkMessage(
  store: Store,
  message: Message,
  events: readonly JourneyEvent[],
  links: readonly ShortLink[] = [],
): Promise<Message> {
  const { accountId, createdAt } = message
  const items = [{ kind: 'message', message, waits: false, links, uniqueId: false }] as const
  await store.accept({ accountId, now: createdAt, idempotency: null, items })
  let now = message
  for (const event of events) {
    const turn = advance(now, event)
    if (turn === null) throw new Error(`nothing came of ${event.kind}`)
    now = turn.message
    await store.record([{ turn, held: false, reportsHeld: true, clickedCode: null }])
  }
  return now
}
