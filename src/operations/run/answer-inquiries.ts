/**
 * Answers inquiries about earlier messages, events and inbound messages, cancels messages and checks codes. Reads all
 * messages of a request at once; cancels first, so that a status and the events in the same request reflect it.
 */
import { writeItemError, writeResult } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import { channelNameOf, type Message, typeOf } from '../../domain/message/message.ts'
import { recipientFacts } from '../../domain/numbers/phone.ts'
import { statusFacts } from '../../domain/reports/report.ts'
import type { MessageName } from '../../ports/records/message-name.ts'
import type { ReportTally } from '../../ports/records/pending-report.ts'
import { answerLookups } from '../lookup/answer-lookups.ts'
import { describeCancelled } from '../read/cancel.ts'
import { describeReplies } from '../read/describe-replies.ts'
import { describeReports } from '../read/describe-reports.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import {
  type Inquiry,
  isInquiry,
  isLookup,
  isReply,
  isResend,
  type LookupInquiry,
  type MessageInquiry,
  type Planned,
  type ReplyInquiry,
  type ResendInquiry,
  type Scope,
} from '../request/planned.ts'
import { answerReplies } from '../send/send.ts'
import { describeCheck } from '../verify/verify-check.ts'
import { answerResends } from '../verify/verify-resend.ts'

/** Returns the list with every inquiry answered. Cancellations and acknowledgements are durable by then. */
export async function answerInquiries(
  scope: Scope,
  planned: readonly (Planned | Inquiry)[],
): Promise<readonly Planned[]> {
  const inquiries = planned.filter((each) => isInquiry(each) && 'about' in each) as readonly MessageInquiry[]
  const texts = inquiries.length === 0 ? NO_TEXTS : await answerAboutMessages(scope, inquiries)
  const lookups = planned.filter(isLookup)
  const found = lookups.length === 0 ? NO_LOOKUPS : await answerLookups(scope, lookups)
  const replies = planned.filter(isReply)
  const sends = replies.length === 0 ? NO_REPLIES : await answerReplies(scope, replies)
  const resends = planned.filter(isResend)
  const again = resends.length === 0 ? NO_RESENDS : await answerResends(scope, resends)
  const answered: Planned[] = []
  for (const each of planned) {
    if (!isInquiry(each)) answered.push(each)
    else if (isLookup(each)) answered.push(warn(found.get(each), each.warnings))
    else if (isReply(each)) answered.push(warn(sends.get(each)))
    else if (isResend(each)) answered.push(warn(again.get(each)))
    else answered.push(answer(each, 'about' in each ? (texts.get(each) ?? '') : await each.answer()))
  }
  return answered
}

const NO_RESENDS: ReadonlyMap<ResendInquiry, Planned> = new Map()
const NO_REPLIES: ReadonlyMap<ReplyInquiry, Planned> = new Map()
const NO_LOOKUPS: ReadonlyMap<LookupInquiry, Planned> = new Map()
const NO_TEXTS: ReadonlyMap<MessageInquiry, string> = new Map()

async function answerAboutMessages(
  { account, key, tools }: Scope,
  inquiries: readonly MessageInquiry[],
): Promise<ReadonlyMap<MessageInquiry, string>> {
  const names = inquiries.map(({ about }) => about)
  const found = await tools.store.findMessages(account.id, names)
  const wanted = found.filter((message, index) => message !== null && inquiries[index]?.cancels === true)
  const cancelled = await cancel(tools, wanted as readonly Message[])
  const checked = await check(tools, inquiries, found)
  const asked = found.filter((message, index) => message !== null && isStatus(inquiries[index]))
  const reports = await tally(tools, account.id, asked as readonly Message[])
  // Texts of recipients need the scope of inbound messages.
  const isReader = key.scopes.includes('inbound') && !key.test
  const replies = isReader ? await findReplies(tools, account.id, asked as readonly Message[]) : NO_ANSWERS
  return new Map(
    inquiries.map((inquiry, index) => {
      const message = found[index] ?? null
      const { about, check: code, cancels, id } = inquiry
      if (code !== undefined) return [inquiry, describeCheck(checked.get(inquiry), code, id)]
      if (message === null) return [inquiry, writeItemError(id, ITEM_ERRORS.noSuchMessage, nameIn(about))]
      const latest = cancelled.get(message.id) ?? message
      return [
        inquiry,
        cancels === true ? describeCancelled(latest, id) : describeMessage(latest, reports, replies.get(latest.id)),
      ]
    }),
  )
}

/** Returns the field that names the message. */
function nameIn({ messageId }: MessageName): string {
  return messageId === null ? 'id' : 'msg_id'
}

async function cancel(tools: OperationTools, messages: readonly Message[]): Promise<ReadonlyMap<MessageId, Message>> {
  if (messages.length === 0) return new Map()
  const once = [...new Map(messages.map((message) => [message.id, message])).values()]
  return new Map((await tools.outbox.cancel(once)).map((message) => [message.id, message]))
}

function isStatus(inquiry: MessageInquiry | undefined): boolean {
  return inquiry?.cancels !== true && inquiry?.check === undefined
}

/** Checks all codes, in the order of the request; returns the verification after each check. */
async function check(
  { outbox }: OperationTools,
  inquiries: readonly MessageInquiry[],
  found: readonly (Message | null)[],
): Promise<ReadonlyMap<MessageInquiry, Message | undefined>> {
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

type Replies = ReadonlyMap<MessageId | undefined, readonly AccountInbound[]>
const NO_ANSWERS: Replies = new Map()

async function findReplies(
  { store }: OperationTools,
  accountId: AccountId,
  messages: readonly Message[],
): Promise<Replies> {
  const ids = messages.map(({ id }) => id)
  if (ids.length === 0) return NO_ANSWERS
  return Map.groupBy(await store.repliesTo(accountId, ids), ({ inReplyTo }) => inReplyTo?.messageId)
}

function answer({ warnings = [] }: Inquiry, text: string): Planned {
  return { draft: { kind: 'written', text, warnings }, item: null }
}

/** Every inquiry is answered. */
function warn(planned: Planned | undefined, warnings: readonly string[] = []): Planned {
  if (planned === undefined) throw new RangeError('an inquiry has no answer')
  return warnings.length === 0 ? planned : { ...planned, draft: { ...planned.draft, warnings } }
}

/** Clients that name the chat app otherwise expect the channel that delivered in place of the chain. */
function shownType({ plan, journey }: Message): string {
  const delivering = plan[journey.deliveredBy ?? -1]
  const isRenamed = plan.some((step) => step.channelName !== undefined)
  return delivering !== undefined && isRenamed ? channelNameOf(delivering) : typeOf(plan)
}

function describeMessage(message: Message, reports: Tallies, replies: readonly AccountInbound[] = []): string {
  const facts = {
    msg_id: message.id,
    ...recipientFacts(message.phone),
    type: message.journey.verification === undefined ? shownType(message) : 'verify/start',
    ...statusFacts(message),
    reports: describeReports(reports.get(message.id) ?? []),
    ...(replies.length === 0 ? {} : { replies: describeReplies(replies) }),
    accepted_at: new Date(message.createdAt).toISOString(),
    ...(message.test ? { test: true } : {}),
  }
  return writeResult(facts, message.clientId)
}
