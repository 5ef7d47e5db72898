/** Passes stored messages to delivery without reading them again; announces those that wait in the store. */
import type { Message } from '../../domain/message/message.ts'
import type { AcceptItem, ItemOutcome } from '../../ports/stores/intake-store.ts'
import type { OperationTools } from './operation-tools.ts'

/** `outcomes` are those of the first items. */
export function passAccepted(
  { outbox, onAccepted }: Pick<OperationTools, 'outbox' | 'onAccepted'>,
  items: readonly AcceptItem[],
  outcomes: readonly ItemOutcome[],
): void {
  const messages: Message[] = []
  const accepted: Message[] = []
  let dueAt: number | null = null
  let index = 0
  for (const item of items) {
    const outcome = outcomes[index]
    index += 1
    if (outcome?.kind !== 'accepted' || (item.kind !== 'message' && item.kind !== 'call')) continue
    accepted.push(item.message)
    if (item.waits) dueAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, item.message.journey.dueAt ?? 0)
    else if (outcome.call === null) messages.push(item.message)
    else messages.push(withCall(item.message, outcome.call))
  }
  if (dueAt !== null || messages.length > 0) outbox.take(messages, dueAt)
  onAccepted?.(accepted)
}

function withCall(message: Message, content: NonNullable<Extract<ItemOutcome, { kind: 'accepted' }>['call']>): Message {
  return { ...message, plan: message.plan.map((step) => (step.channel === 'call' ? { ...step, content } : step)) }
}
