/** Sends: makes a priced send a message with its hold and short links; also as an answer (`reply_to`). */
import { isSent, RECIPIENT_FIELD, REPLY_TO_FIELD, readFields } from '../../contract/fields/fields.ts'
import type { SendSchema } from '../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS, notFrom } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import type { AccountInbound } from '../../domain/inbound/inbound-message.ts'
import { inboundFormsOf } from '../../domain/inbound/inbound-number.ts'
import {
  atNoCost,
  beginJourney,
  classByOperation,
  type JourneyTerms,
  type Message,
  type Plan,
  partsOf,
  tenantOf,
} from '../../domain/message/message.ts'
import { type Priority, priorityOf, type TrafficClass } from '../../domain/message/traffic-class.ts'
import { isFormOf, type Phone, readRecipient } from '../../domain/numbers/phone.ts'
import { isFree, type Planned, type ReplyInquiry, type Scope } from '../request/planned.ts'
import { countsOf, countsOfVerification, readSend, withCounts } from './read-send.ts'

/** Inbound messages read at one time. */
const READ_AT_ONCE = 32

/** Throws ItemRefused for an item that cannot be sent. */
export function planSendOrReply(scope: Scope, item: RequestObject, schema: SendSchema): Planned | ReplyInquiry {
  if (!isSent(item['reply_to'])) return planSend(scope, item, schema)
  const { replyTo, phone: named } = readFields(item, [REPLY_TO_FIELD, RECIPIENT_FIELD], scope.tools.limits)
  // Drawn now: while the inbound message is read, other requests may take the last ids.
  const id = scope.newId(scope.account.id)
  return {
    repliesTo: Number(replyTo) as MessageId,
    conclude: (inbound) => {
      if (inbound === null) throw new ItemRefused(ITEM_ERRORS.noSuchInbound)
      const phone = named ?? readRecipient(inbound.sender)
      if (phone === null || !isWriter(phone, inbound)) throw new ItemRefused(notFrom('reply_to'))
      const addressed = { ...item, [RECIPIENT_FIELD.name]: phone }
      return quoting(
        planSend(
          { ...scope, newId: () => id },
          fromItsNumber(scope, { item: addressed, schema, inbound, phone }),
          schema,
        ),
        inbound,
      )
    },
  }
}

function isWriter(phone: Phone, { sender, userId }: AccountInbound): boolean {
  return isFormOf(phone, sender) || isFormOf(phone, userId ?? '')
}

/** Plans all sends of a request that answer inbound messages. */
export async function answerReplies(
  { account, tools }: Scope,
  replies: readonly ReplyInquiry[],
): Promise<ReadonlyMap<ReplyInquiry, Planned>> {
  const ids = [...new Set(replies.map(({ repliesTo }) => repliesTo))]
  const found = new Map<MessageId, AccountInbound>()
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    const slice = ids.slice(start, start + READ_AT_ONCE)
    const pages = slice.map((id) =>
      tools.store.inboundOf({ accountId: account.id, after: id - 1, limit: 1, maxBytes: 1 }),
    )
    for (const inbound of (await Promise.all(pages)).flat()) found.set(inbound.id, inbound)
  }
  return new Map(replies.map((reply) => [reply, reply.conclude(found.get(reply.repliesTo) ?? null)]))
}

interface Reply {
  readonly item: RequestObject
  readonly schema: SendSchema
  readonly inbound: AccountInbound
  readonly phone: Phone
}

/** An SMS without a sender name, or with that of its pool, comes from the number that the recipient wrote to. */
function fromItsNumber({ account, directory }: Scope, { item, schema, inbound, phone }: Reply): RequestObject {
  const { channels } = schema
  const { channel, recipient } = inbound
  if (channel !== 'sms' || !channels.includes('sms')) return item
  const named = item['sms_signature']
  const forms = inboundFormsOf(recipient)
  const approved = forms.find((form) => directory.isApproved(account.id, 'sms', form, phone))
  if (!isSent(named)) return { ...item, sms_signature: approved ?? forms[0] }
  const [pool] = directory.sharingOf(account.id, { channel, sender: approved ?? '' })
  return approved !== undefined && named === pool ? { ...item, sms_signature: approved } : item
}

function quoting(planned: Planned, { channel, quotable }: AccountInbound): Planned {
  const { item } = planned
  if (item?.kind !== 'message' || quotable === null) return planned
  const plan = item.message.plan.map((step) => {
    const { content } = step
    if (step.channel !== channel || content.kind !== 'text') return step
    return { ...step, content: { ...content, quotes: quotable } }
  })
  return { ...planned, item: { ...item, message: { ...item.message, plan } } }
}

/** Throws ItemRefused for an item that cannot be sent. */
export function planSend(scope: Scope, item: RequestObject, schema: SendSchema): Planned {
  const { account, now, tools, testedCarrier } = scope
  const send = readSend(scope, item, schema, tools.random)
  const { clientId, phone, operator, sendAt, priority } = send
  const plan = isFree(scope) ? atNoCost(send.plan) : send.plan
  // The client has not sent the test of a carrier.
  const hook = testedCarrier === null ? send.hook : null
  const message = makeMessage(scope, { clientId, phone, operator, plan, hook, sendAt, priority })
  const beginsAt = message.journey.dueAt ?? now
  const expiresAt = beginsAt + tools.limits.shortLinkSeconds * 1000
  return {
    draft: { kind: 'send', id: clientId, parts: partsOf(plan) },
    item: withCounts(
      {
        kind: 'message',
        message,
        waits: beginsAt > now || !tools.outbox.hasRoom(plan[0]?.channel ?? 'sms', tenantOf(message)),
        links: send.links.made(message.id, expiresAt),
        uniqueId: account.settings.uniqueIds && clientId !== null,
      },
      scope.sendsCodes
        ? countsOfVerification(scope, 'messages', { phone, address: null })
        : countsOf(scope, 'messages', phone),
    ),
  }
}

/** What the operation says of its message. */
type Asked = Pick<Message, 'clientId' | 'phone' | 'operator' | 'plan' | 'hook'> &
  Pick<JourneyTerms, 'sendAt' | 'verification' | 'repeats'> & { readonly priority?: TrafficClass | null }

/** Makes the message of an accepted operation. */
export function makeMessage(
  { account, key, now, newId, bulk, trace, reporting, testedCarrier, sendsCodes }: Scope,
  { clientId, phone, operator, plan, hook, priority = null, ...asked }: Asked,
): Message {
  const terms = { ...asked, bulk, trace, testedCarrier, urgent: sendsCodes }
  return {
    clientId,
    phone,
    operator,
    plan,
    hook: reporting?.to ?? hook,
    id: newId(account.id),
    accountId: account.id,
    test: key.test,
    reportSteps: reporting?.steps ?? account.settings.reportSteps,
    currency: account.currency,
    createdAt: now,
    journey: beginJourney(plan, now, { ...terms, priority: priorityIn(plan, terms, priority, key) }),
  }
}

/** Returns what the request or its key says of the traffic class; null if the operation says it. */
function priorityIn(plan: Plan, terms: JourneyTerms, asked: TrafficClass | null, key: ApiKey): Priority | null {
  // As of most messages.
  if (asked === null && key.priority === null && terms.urgent !== true) return null
  const given = priorityOf(asked, key.priority, terms.urgent === true ? 'otp' : classByOperation(plan[0], terms))
  return given === null && terms.urgent === true ? { trafficClass: 'otp', by: 'operation' } : given
}
