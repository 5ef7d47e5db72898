/**
 * Answers what a client asks about messages that it sent before. All that a request asks is read from the store in one
 * go, before anything else of the request is done; the store knows of every station as soon as it is recorded.
 */
import { writeItemError, writeResult } from '../contract/envelope.ts'
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import type { Message } from '../domain/message.ts'
import { statusFacts } from '../domain/report.ts'
import type { Inquiry, Planned, Scope } from './planned.ts'

export function isInquiry(each: Planned | Inquiry): each is Inquiry {
  return 'about' in each
}

/** The same with every inquiry answered. */
export async function answerInquiries(
  { account, tools }: Scope,
  planned: readonly (Planned | Inquiry)[],
): Promise<readonly Planned[]> {
  const names = planned.flatMap((each) => (isInquiry(each) ? each.about : []))
  const found = (await tools.store.findMessages(account.id, names)).values()
  return planned.map((each) => (isInquiry(each) ? answer(each, found.next().value ?? null) : each))
}

function answer({ id }: Inquiry, message: Message | null): Planned {
  const text = message === null ? writeItemError(id, ITEM_ERRORS.noSuchMessage) : describeMessage(message)
  return { draft: { kind: 'written', text }, item: null }
}

function describeMessage(message: Message): string {
  const facts = {
    msg_id: message.id,
    phone: Number(message.phone),
    ...statusFacts(message),
    accepted_at: new Date(message.createdAt).toISOString(),
  }
  return writeResult(facts, message.clientId)
}
