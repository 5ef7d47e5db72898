/**
 * Google's calls to our webhook: the set-up call, events about our messages, and messages from people, which are not for
 * us. Nothing is believed without its signature; everything that is signed is acknowledged, or Google repeats it for days.
 */
import { createHmac } from 'node:crypto'
import type { ReceiptOutcome } from '../../domain/journey-event.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carrier.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { isSameSecret } from '../webhook.ts'

/** What a call asks of us: an answer at once, or a receipt to be recorded before it is answered with 200. */
export type RbmCall =
  | { readonly kind: 'answer'; readonly answer: WebhookAnswer }
  | {
      readonly kind: 'receipt'
      readonly receipt: Omit<CarrierReceipt, 'carrierId'>
      /** The same when Google repeats itself; empty when it has none. */
      readonly eventId: string
    }

const LONGEST_SECRET = 1_024
const LONGEST_REF = 256

const OUTCOMES: ReadonlyMap<unknown, ReceiptOutcome> = new Map([
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['TTL_EXPIRATION_REVOKED', 'expired'],
  // It may or may not have arrived: a DELIVERED that follows tells, and our own timer ends the wait.
  ['TTL_EXPIRATION_REVOKE_FAILED', 'accepted'],
])

export function readRbmCall(request: WebhookRequest, clientToken: string): RbmCall {
  const refusal = refuseRbmCall(request)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const call = parseJsonObject(Buffer.from(request.body).toString())
  if (call === null) return answer(400, 'not a JSON object')
  if (typeof call['secret'] === 'string') return answerSetUp(call, call['secret'], clientToken)
  const message = call['message']
  const data = isJsonObject(message) ? message['data'] : undefined
  if (typeof data !== 'string') return answer(400, 'no message.data')
  const bytes = Buffer.from(data, 'base64')
  const signature = createHmac('sha512', clientToken).update(bytes).digest('base64')
  if (!isSameSecret(request.headers['x-goog-signature'], signature)) return answer(401, 'wrong signature')
  return readEvent(parseJsonObject(bytes.toString()) ?? {})
}

/** The call that sets the webhook up has no signature, every other one has. */
export function refuseRbmCall({ method, headers }: WebhookHead): WebhookAnswer | null {
  if (method !== 'POST') return { status: 405, body: 'use POST' }
  const signature = headers['x-goog-signature']
  const mayFit = signature === undefined || signature.length === SIGNATURE_LENGTH
  return mayFit ? null : { status: 401, body: 'wrong signature' }
}

/** Of SHA-512 in base64. */
const SIGNATURE_LENGTH = 88

/** Google checks the address with a secret that it wants back as plain text. */
function answerSetUp(call: JsonObject, secret: string, clientToken: string): RbmCall {
  if (!isSameSecret(call['clientToken'], clientToken)) return answer(403, 'wrong clientToken')
  return secret.length > LONGEST_SECRET ? answer(400, 'secret is too long') : answer(200, secret)
}

function readEvent(event: JsonObject): RbmCall {
  const { eventType, messageId, eventId } = event
  const outcome = OUTCOMES.get(eventType)
  const isOurs = typeof messageId === 'string' && messageId !== '' && messageId.length <= LONGEST_REF
  if (outcome === undefined || !isOurs) return answer(200, '')
  const isNamed = typeof eventId === 'string' && eventId.length <= LONGEST_REF
  return {
    kind: 'receipt',
    receipt: { ref: messageId, outcome, detail: String(eventType) },
    eventId: isNamed ? eventId : '',
  }
}

function answer(status: number, body: string): RbmCall {
  return { kind: 'answer', answer: { status, body } }
}
