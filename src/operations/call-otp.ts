/** `call/otp`: a flash call, whose calling number ends in the code for the recipient to type. */
import type { JsonObject } from '../contract/envelope.ts'
import { ITEM_ERRORS, noPrice, REQUEST_ERRORS } from '../contract/error-texts.ts'
import { readFields } from '../contract/fields.ts'
import { CALL_FIELDS } from '../contract/operation-schemas.ts'
import { ItemRefused, Refused } from '../contract/refused.ts'
import type { Message } from '../domain/message.ts'
import type { MessageId } from '../domain/message-id.ts'
import { type Micros, NO_MONEY, toDecimal } from '../domain/money.ts'
import type { Phone } from '../domain/phone.ts'
import type { CallContent, Plan } from '../domain/plan.ts'
import type { NumberPool } from '../domain/route.ts'
import { tenantOf } from '../domain/tenant.ts'
import { TEST_OPERATOR, TEST_POOL } from '../domain/test-mode.ts'
import type { Random } from '../ports/random.ts'
import type { AwaitedCall } from './answer.ts'
import { checkDestination, countsOf } from './check-destination.ts'
import { makeMessage } from './make-message.ts'
import type { OperationTools } from './operation-tools.ts'
import type { Planned, Scope } from './planned.ts'

/**
 * Additional calling numbers for concurrent calls. The store gets as many candidates as an account may call one phone
 * while a code is valid, plus these, and takes the first whose code the phone was not given lately.
 */
const SPARE_CANDIDATES = 3
/** Maximum draws for distinct codes; bounds the work in pools whose numbers end alike. */
const MAX_DRAWS = 64
const HOUR_MS = 3_600_000
/** How long to wait beyond its time for a call whose failure is not yet known. */
const RECORD_MS = 5_000

/** Throws ItemRefused, or Refused if no route serves the number's operator, as the specification demands. */
export function planCall(scope: Scope, item: JsonObject): Planned {
  const { account, key, now, tools, waitUntil } = scope
  const { limits } = tools
  const { id: clientId = null, phone } = readFields(item, CALL_FIELDS, limits)
  checkDestination(scope, 'calls', phone)
  const operator = scope.lookup.operatorOf(phone)
  const { pool, priceMicros } = key.test ? testTerms(operator) : termsOf(scope, phone, operator)
  const { settings } = account
  const maxCalls = settings.callsPerHourToPhone ?? limits.callsPerHourToPhone
  const codeMs = (settings.callCodeSeconds ?? limits.callCodeSeconds) * 1_000
  const maxCodes = maxCalls * Math.max(1, Math.ceil(codeMs / HOUR_MS)) + SPARE_CANDIDATES
  const candidates =
    pool === null ? [] : drawCandidates(pool, settings.callCodeDigits ?? pool.codeDigits, maxCodes, tools.random)
  const first = candidates[0]
  if (first === undefined) throw new ItemRefused(ITEM_ERRORS.noNumberFree)

  // A call must ring before its answer; otherwise it has failed.
  const lifetimeSeconds = waitUntil === null ? limits.callLifetimeSeconds : limits.callAnswerSeconds
  const plan: Plan = [{ channel: 'call', sender: '', content: first, lifetimeSeconds, priceMicros, parts: 1 }]
  const message = makeMessage(scope, { clientId, phone, operator, plan, hook: settings.defaultHook, sendAt: null })
  return {
    draft: { kind: 'call', id: clientId, price: toDecimal(priceMicros), waitUntil },
    item: {
      kind: 'call',
      message,
      waits: !tools.outbox.hasRoom('call', tenantOf(message)),
      candidates,
      codesSince: now - codeMs,
      limit: { max: maxCalls, since: now - HOUR_MS },
      ...countsOf(scope, 'calls', phone),
    },
  }
}

interface CallTerms {
  /** Draws calling numbers; null without a pool. */
  readonly pool: NumberPool | null
  readonly priceMicros: Micros
}

/** Throws ItemRefused without a price and Refused without a route. */
function termsOf({ account, directory, now, tools }: Scope, phone: Phone, operator: string | null): CallTerms {
  const step = { channel: 'call', phone, operator, accountId: account.id, sender: '' } as const
  const routes = directory.routes.candidates(step, tools.random.below(1_000) / 1_000)
  // The calling number determines the carriers, so numbers of pools whose carriers are down are avoided.
  const route = routes.find(({ carrierId }) => tools.outbox.isOpen(carrierId)) ?? routes[0]
  if (route === undefined) throw new Refused(REQUEST_ERRORS.operatorNotSupported)
  const priceMicros = directory.tariff.priceOf({ ...step, currency: account.currency, at: now })
  if (priceMicros === null) throw new ItemRefused(noPrice('call'))
  return { pool: route.poolId === null ? null : directory.pool(route.poolId), priceMicros }
}

/** Throws Refused for phones of an unsupported operator. */
function testTerms(operator: string | null): CallTerms {
  if (operator !== TEST_OPERATOR) throw new Refused(REQUEST_ERRORS.operatorNotSupported)
  return { pool: TEST_POOL, priceMicros: NO_MONEY }
}

/** Draws distinct numbers evenly and keeps the first of each code: a partial Fisher-Yates shuffle. */
function drawCandidates(
  { numbers }: NumberPool,
  codeDigits: number,
  most: number,
  random: Random,
): readonly CallContent[] {
  const moved = new Map<number, number>()
  const candidates = new Map<string, CallContent>()
  const draws = Math.min(numbers.length, MAX_DRAWS)
  for (let index = 0; index < draws && candidates.size < most; index += 1) {
    const drawn = index + random.below(numbers.length - index)
    const from = numbers[moved.get(drawn) ?? drawn] ?? ''
    moved.set(drawn, moved.get(index) ?? index)
    const code = from.slice(-codeDigits)
    if (!candidates.has(code)) candidates.set(code, { kind: 'call', from, code })
  }
  return [...candidates.values()]
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
