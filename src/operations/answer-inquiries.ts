/**
 * Answers what a client asks about messages that it sent before, and cancels those that it wants back. All that a request
 * names is read from the store in one go; cancelling comes first, so that a status of the same request tells of it.
 */
import { writeItemError, writeResult } from '../contract/envelope.ts'
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import { isForgotten, type Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { typeOf } from '../domain/plan.ts'
import { statusFacts } from '../domain/report.ts'
import { describeCancelled } from './cancel.ts'
import type { OperationTools } from './operation-tools.ts'
import type { Inquiry, Planned, Scope } from './planned.ts'

export function isInquiry(each: Planned | Inquiry): each is Inquiry {
  return 'about' in each
}

/** The same with every inquiry answered. What was cancelled is on disk then. */
export async function answerInquiries(
  { account, tools }: Scope,
  planned: readonly (Planned | Inquiry)[],
): Promise<readonly Planned[]> {
  const inquiries = planned.filter(isInquiry)
  const names = inquiries.map(({ about }) => about)
  const found = await tools.store.findMessages(account.id, names)
  const wanted = found.filter((message, index) => message !== null && inquiries[index]?.cancels === true)
  const cancelled = await cancel(tools, wanted as readonly Message[])
  const named = new Map(inquiries.map((inquiry, index) => [inquiry, found[index] ?? null]))
  return planned.map((each) => {
    if (!isInquiry(each)) return each
    const message = named.get(each) ?? null
    return answer(each, message === null ? null : (cancelled.get(message.id) ?? message))
  })
}

async function cancel(tools: OperationTools, messages: readonly Message[]): Promise<ReadonlyMap<MessageId, Message>> {
  if (messages.length === 0) return new Map()
  const once = [...new Map(messages.map((message) => [message.id, message])).values()]
  return new Map((await tools.outbox.cancel(once)).map((message) => [message.id, message]))
}

function answer(inquiry: Inquiry, message: Message | null): Planned {
  const { warnings = [] } = inquiry
  return { draft: { kind: 'written', text: describe(inquiry, message), warnings }, item: null }
}

function describe({ id, cancels }: Inquiry, message: Message | null): string {
  if (message === null) return writeItemError(id, ITEM_ERRORS.noSuchMessage)
  return cancels === true ? describeCancelled(message, id) : describeMessage(message)
}

function describeMessage(message: Message): string {
  const facts = {
    msg_id: message.id,
    phone: isForgotten(message) ? null : Number(message.phone),
    type: typeOf(message.plan),
    ...statusFacts(message),
    accepted_at: new Date(message.createdAt).toISOString(),
    ...(message.test ? { test: true } : {}),
  }
  return writeResult(facts, message.clientId)
}
