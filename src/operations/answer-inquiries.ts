/**
 * Answers inquiries about earlier messages, cancels messages and checks codes. Reads all messages of a request at once;
 * cancels first, so that a status in the same request reflects it.
 */
import { writeItemError, writeResult } from '../contract/envelope.ts'
import { ITEM_ERRORS } from '../contract/error-texts.ts'
import type { AccountId } from '../domain/account.ts'
import { isForgotten, type Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { typeOf } from '../domain/plan.ts'
import { statusFacts } from '../domain/report.ts'
import type { ReportTally } from '../ports/pending-report.ts'
import { describeCancelled } from './cancel.ts'
import { describeReports } from './describe-reports.ts'
import type { OperationTools } from './operation-tools.ts'
import type { Inquiry, Planned, Scope } from './planned.ts'
import { describeCheck } from './verify-check.ts'

export function isInquiry(each: Planned | Inquiry): each is Inquiry {
  return 'about' in each
}

/** Returns the list with every inquiry answered. Cancellations are durable by then. */
export async function answerInquiries(
  { account, tools }: Scope,
  planned: readonly (Planned | Inquiry)[],
): Promise<readonly Planned[]> {
  const inquiries = planned.filter(isInquiry)
  const names = inquiries.map(({ about }) => about)
  const found = await tools.store.findMessages(account.id, names)
  const wanted = found.filter((message, index) => message !== null && inquiries[index]?.cancels === true)
  const cancelled = await cancel(tools, wanted as readonly Message[])
  const checked = await check(tools, inquiries, found)
  const asked = found.filter((message, index) => message !== null && isStatus(inquiries[index]))
  const reports = await tally(tools, account.id, asked as readonly Message[])
  const named = new Map(inquiries.map((inquiry, index) => [inquiry, found[index] ?? null]))
  return planned.map((each) => {
    if (!isInquiry(each)) return each
    const message = named.get(each) ?? null
    if (each.check !== undefined) return answer(each, describeCheck(checked.get(each), each.check, each.id))
    if (message === null) return answer(each, writeItemError(each.id, ITEM_ERRORS.noSuchMessage))
    const latest = cancelled.get(message.id) ?? message
    return answer(each, each.cancels === true ? describeCancelled(latest, each.id) : describeMessage(latest, reports))
  })
}

async function cancel(tools: OperationTools, messages: readonly Message[]): Promise<ReadonlyMap<MessageId, Message>> {
  if (messages.length === 0) return new Map()
  const once = [...new Map(messages.map((message) => [message.id, message])).values()]
  return new Map((await tools.outbox.cancel(once)).map((message) => [message.id, message]))
}

function isStatus(inquiry: Inquiry | undefined): boolean {
  return inquiry?.cancels !== true && inquiry?.check === undefined
}

/** Checks all codes, in the order of the request; returns the verification after each check. */
async function check(
  { outbox }: OperationTools,
  inquiries: readonly Inquiry[],
  found: readonly (Message | null)[],
): Promise<ReadonlyMap<Inquiry, Message | undefined>> {
  const checks = inquiries.flatMap((inquiry, index) => {
    const message = found[index]
    if (inquiry.check === undefined || message?.journey.verification === undefined) return []
    return [{ inquiry, check: { messageId: message.id, ...inquiry.check } }]
  })
  if (checks.length === 0) return new Map()
  const after = await outbox.check(checks.map((each) => each.check))
  return new Map(checks.map(({ inquiry }, index) => [inquiry, after[index]]))
}

type Tallies = ReadonlyMap<MessageId, readonly ReportTally[]>

/** Only for messages that have reports. */
async function tally({ store }: OperationTools, accountId: AccountId, messages: readonly Message[]): Promise<Tallies> {
  const ids = new Set(messages.filter(({ journey }) => journey.reports > 0).map(({ id }) => id))
  return ids.size === 0
    ? new Map()
    : Map.groupBy(await store.tallyReports(accountId, [...ids]), (each) => each.messageId)
}

function answer({ warnings = [] }: Inquiry, text: string): Planned {
  return { draft: { kind: 'written', text, warnings }, item: null }
}

function describeMessage(message: Message, reports: Tallies): string {
  const facts = {
    msg_id: message.id,
    phone: isForgotten(message) ? null : Number(message.phone),
    type: message.journey.verification === undefined ? typeOf(message.plan) : 'verify/start',
    ...statusFacts(message),
    reports: describeReports(reports.get(message.id) ?? []),
    accepted_at: new Date(message.createdAt).toISOString(),
    ...(message.test ? { test: true } : {}),
  }
  return writeResult(facts, message.clientId)
}
