/** `call/otp`: a flash call, whose calling number ends in the code for the recipient to type. */
import { readFields } from '../../contract/fields/fields.ts'
import { CALL_FIELDS } from '../../contract/operations/operation-schemas.ts'
import type { RequestObject } from '../../contract/request/envelope.ts'
import { REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import { Refused } from '../../contract/request/refused.ts'
import type { MessageId } from '../../domain/ids/message-id.ts'
import { type Message, tenantOf } from '../../domain/message/message.ts'
import { toDecimal } from '../../domain/money/money.ts'
import type { AwaitedCall } from '../request/answer.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import type { Planned, Scope } from '../request/planned.ts'
import { planCallStep } from './plan-call.ts'
import { checkDestination, countsOf, withCounts } from './read-send.ts'
import { makeMessage } from './send.ts'

/** How long to wait beyond its time for a call whose failure is not yet known. */
const RECORD_MS = 5_000

/** Throws ItemRefused, or Refused if no route serves the number's operator, as the specification demands. */
export function planCall(scope: Scope, item: RequestObject): Planned {
  const { account, tools, waitUntil } = scope
  const { limits } = tools
  const { id: clientId = null, phone } = readFields(item, CALL_FIELDS, limits)
  checkDestination(scope, 'calls', phone)
  const operator = scope.lookup.operatorOf(phone)
  // A call must ring before its answer; otherwise it has failed.
  const lifetimeSeconds = waitUntil === null ? limits.callLifetimeSeconds : limits.callAnswerSeconds
  const planned = planCallStep(scope, { phone, operator }, lifetimeSeconds)
  if (planned === null) throw new Refused(REQUEST_ERRORS.operatorNotSupported)
  const { step, numbers } = planned
  const message = makeMessage(scope, { clientId, phone, operator, plan: [step], hook: account.settings.defaultHook })
  const waits = !tools.outbox.hasRoom('call', tenantOf(message))
  return {
    draft: { kind: 'call', id: clientId, price: toDecimal(step.priceMicros), waitUntil },
    item: withCounts({ kind: 'call', message, waits, ...numbers }, countsOf(scope, 'calls', phone)),
  }
}

/** Waits for the calls just accepted; returns those whose phone did not ring. */
export async function waitForCalls(tools: OperationTools, calls: readonly AwaitedCall[]): Promise<Set<MessageId>> {
  return failedOf(calls, await Promise.all(calls.map((call) => waitForCall(tools, call))))
}

/** The same for a repeated request: reads the outcome from the store. */
export async function recallCalls(tools: OperationTools, calls: readonly AwaitedCall[]): Promise<Set<MessageId>> {
  const stored = new Map(
    (await tools.store.loadMessages(calls.map((call) => call.messageId))).map((message) => [message.id, message]),
  )
  const answered = calls.map((call) => {
    const message = stored.get(call.messageId)
    return message?.journey.phase === 'ended' ? message : waitForCall(tools, call)
  })
  return failedOf(calls, await Promise.all(answered))
}

/** `waitUntil` is wall-clock time, which may have been set back: bounds every wait by the first. */
function waitForCall(tools: OperationTools, { messageId, waitUntil }: AwaitedCall): Promise<Message | null> {
  const { clock, limits, outbox } = tools
  const remainingMs = Math.min(waitUntil - clock.now(), limits.callAnswerSeconds * 1_000) + RECORD_MS
  return outbox.untilAnswered(messageId, Math.max(0, remainingMs))
}

/** A call has rung only once that is durable. */
function failedOf(calls: readonly AwaitedCall[], answered: readonly (Message | null)[]): Set<MessageId> {
  const failed = calls.filter((_, index) => (answered[index]?.journey.deliveredBy ?? null) === null)
  return new Set(failed.map((call) => call.messageId))
}
