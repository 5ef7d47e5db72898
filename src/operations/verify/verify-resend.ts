/** `verify/resend`: sends the code of a verification again, by its next channel or by a message of its own. */
import { readFields } from '../../contract/fields/fields.ts'
import { VERIFY_RESEND_FIELDS } from '../../contract/operations/verify-fields.ts'
import { type RequestObject, writeResult } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS } from '../../contract/request/error-texts.ts'
import { ItemRefused } from '../../contract/request/refused.ts'
import type { CodeChannel } from '../../domain/channels/channel.ts'
import { CHATAPP } from '../../domain/channels/chatapp.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { atNoCost, holdOf, type Message, type Plan, type Step, tenantOf } from '../../domain/message/message.ts'
import { type Resend, resendOf } from '../../domain/message/resend.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { Planned, ResendInquiry, Scope } from '../request/planned.ts'
import {
  type AskedStep,
  checkDestination,
  checkSenders,
  countsOfResend,
  priceStep,
  withCounts,
} from '../send/read-send.ts'
import { makeMessage } from '../send/send.ts'

/** Throws ItemRefused for an operation that names no verification. */
export function planVerifyResend(scope: Scope, item: RequestObject): ResendInquiry {
  const { account, checkIds, tools } = scope
  const { id = null, verifyId } = readFields(item, VERIFY_RESEND_FIELDS, tools.limits)
  const resendId = checkIds.next()
  // Drawn now: while the verification is read, other requests may take the last ids.
  const newId = scope.newId(account.id)
  return {
    messageId: verifyId as MessageId,
    resendId,
    conclude: (message) => conclude({ ...scope, newId: () => newId }, message, { id, resendId }),
  }
}

/** Tries the next channel of the verifications that have one, and plans the messages of the others. */
export async function answerResends(
  { account, key, tools }: Scope,
  inquiries: readonly ResendInquiry[],
): Promise<ReadonlyMap<ResendInquiry, Planned>> {
  const names = inquiries.map(({ messageId }) => ({ messageId, clientId: null, test: key.test }))
  const found = await tools.store.findMessages(account.id, names)
  const known = inquiries.filter((_, index) => found[index]?.journey.verification !== undefined)
  const resent = known.length === 0 ? [] : await tools.outbox.resend(known)
  const messages = new Map(known.map((each, index) => [each, resent[index]]))
  return new Map(inquiries.map((each) => [each, each.conclude(messages.get(each) ?? null)]))
}

interface Asked {
  /** The client's `id` of the operation as a JSON token; null without one. */
  readonly id: string | null
  readonly resendId: string
}

/** Throws ItemRefused if the code is not sent again. */
function conclude(scope: Scope, message: Message | null, { id, resendId }: Asked): Planned {
  const verification = message?.journey.verification
  if (message === null || verification === undefined) throw new ItemRefused(ITEM_ERRORS.noSuchVerification)
  const { plan, journey } = message
  const expiresAt = new Date(verification.expiresAt).toISOString()
  if (verification.resentBy === resendId) {
    const { channel } = plan[journey.step] ?? {}
    const result = { verify_id: message.id, msg_id: message.id, channel, expires_at: expiresAt, price: 0 }
    return { draft: { kind: 'written', text: writeResult(result, id) }, item: null }
  }
  const resend = resendOf(message, scope.now)
  if (resend.kind !== 'message') throw new ItemRefused(REFUSALS[resend.kind])
  const again = repeat(scope, message, resend.plan)
  const result = { channel: again.plan[0]?.channel, expires_at: expiresAt, price: toDecimal(holdOf(again.plan)) }
  const waits = !scope.tools.outbox.hasRoom(again.plan[0]?.channel ?? 'sms', tenantOf(again))
  return {
    draft: { kind: 'resend', id, verifyId: message.id, result },
    item: withCounts(
      { kind: 'message', message: again, waits, links: [], uniqueId: false },
      countsOfResend(scope, message),
    ),
  }
}

/** Its next channel has followed for another request in the meantime. */
const REFUSALS: Readonly<Record<Exclude<Resend['kind'], 'message'>, string>> = {
  'next channel': ITEM_ERRORS.codeUnderWay,
  'under way': ITEM_ERRORS.codeUnderWay,
  ended: ITEM_ERRORS.verificationEnded,
  call: ITEM_ERRORS.callNotRepeated,
}

/** Returns a message with the same code, to be delivered before the verification expires. Throws ItemRefused. */
function repeat(scope: Scope, { id, phone, operator, hook, journey }: Message, plan: Plan): Message {
  const { key, now } = scope
  const left = Math.max(1, Math.floor(((journey.verification?.expiresAt ?? now) - now) / 1_000))
  const asked = plan.flatMap((step, index) =>
    textOf(step, index === plan.length - 1 ? left : Math.min(step.lifetimeSeconds, left)),
  )
  checkSenders(scope, asked, phone)
  checkDestination(scope, 'unverified', phone)
  checkDestination(scope, 'messages', phone)
  const priced = asked.map((step, index) =>
    priceStep({ ...scope, chatappName: plan[index]?.channelName ?? CHATAPP.name }, { phone, operator }, step),
  )
  const free = key.test ? atNoCost(priced) : priced
  return makeMessage(scope, { clientId: null, phone, operator, hook, plan: free, repeats: id })
}

function textOf({ channel, sender, content }: Step, seconds: number): readonly AskedStep<CodeChannel>[] {
  return channel === 'call' || content.kind === 'call' ? [] : [{ channel, sender, content, lifetimeSeconds: seconds }]
}
