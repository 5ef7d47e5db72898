/**
 * Viber's webhook calls. They carry no signature: the address holds a secret. Calls without news of a message are
 * acknowledged and ignored.
 */
import { createHash } from 'node:crypto'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import { asText, isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { type AnsweredCall, answerCall, isSameSecret } from '../shared/webhook.ts'
import type { CallbackFields } from './settings.ts'

/** What to do with a call: answer it at once, or record something and then answer it with 200. */
export type ViberCall =
  | AnsweredCall
  | { readonly kind: 'receipt'; readonly receipt: Omit<CarrierReceipt, 'carrierId'> }
  | { readonly kind: 'inbound'; readonly inbound: ViberInbound }

/** A message of a recipient, or a change of the subscription in Viber. */
export interface ViberInbound {
  /** Digits. */
  readonly phone: string
  /** Null if the call names none. */
  readonly serviceId: number | null
  readonly text: string
  readonly consent: 'stop' | 'start' | null
  /** Milliseconds; null if the call names none. A call that comes late changes nothing that is newer. */
  readonly at: number | null
  /** The same in all repeats of the call. */
  readonly key: string
}

export function readViberCall(request: WebhookRequest, webhookToken: string, fields: CallbackFields): ViberCall {
  const refusal = refuseViberCall(request, webhookToken)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const call = parseJsonObject(Buffer.from(request.body).toString())
  if (call === null) return answerCall(400, 'not a JSON object')
  const ref = asText(call[fields.token])
  const status = asText(call[fields.status]).slice(0, 40)
  const outcome = outcomeOf(status, fields)
  if (outcome !== null && /^\d{1,40}$/.test(ref)) return { kind: 'receipt', receipt: { ref, outcome, detail: status } }
  const inbound = readInbound(call, ref, fields)
  return inbound === null ? answerCall(200, '') : { kind: 'inbound', inbound }
}

const MAX_TEXT = 7_000

/** Returns null for a call that concerns neither a message nor a recipient. */
function readInbound(call: JsonObject, ref: string, fields: CallbackFields): ViberInbound | null {
  const status = asText(call[fields.status]).toLowerCase()
  const consent =
    status === fields.unsubscribed.toLowerCase() ? 'stop' : status === fields.subscribed.toLowerCase() ? 'start' : null
  const phone = asText(valueAt(call, fields.phone)).replace(/^\+/, '')
  const text = asText(valueAt(call, fields.text)).slice(0, MAX_TEXT).toWellFormed()
  // A call with another status repeats the text of our message.
  const isWritten = text !== '' && (status === '' || status === fields.received.toLowerCase())
  if (!/^\d{5,20}$/.test(phone) || (consent === null && !isWritten)) return null
  const serviceId = Number(asText(valueAt(call, fields.service)))
  const key = createHash('sha256').update(JSON.stringify(call)).digest('base64url')
  return {
    phone,
    serviceId: Number.isSafeInteger(serviceId) && serviceId > 0 ? serviceId : null,
    text: text || (consent === 'stop' ? 'UNSUBSCRIBE' : 'SUBSCRIBE'),
    consent,
    at: readTime(asText(valueAt(call, fields.time))),
    key: /^\d{1,40}$/.test(ref) ? `${ref} ${key}` : key,
  }
}

/** Of 1973 in milliseconds, and of the year 5138 in seconds. */
const MILLISECONDS_FROM = 100_000_000_000

/** Reads milliseconds, or seconds as some calls of resellers have them. */
function readTime(text: string): number | null {
  const at = Number(text)
  if (!Number.isSafeInteger(at) || at <= 0) return null
  return at < MILLISECONDS_FROM ? at * 1_000 : at
}

/** Returns the value at a path of names such as `message.text`. */
function valueAt(call: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), call)
}

export function refuseViberCall({ method, path }: WebhookHead, webhookToken: string): WebhookAnswer | null {
  const token = path.split('?', 1)[0]?.replace(/^\//, '')
  if (!isSameSecret(token, webhookToken)) return { status: 404, body: 'not found' }
  return method === 'POST' ? null : { status: 405, body: 'use POST' }
}

function outcomeOf(status: string, fields: CallbackFields): ReceiptOutcome | null {
  const is = (word: string) => word.toLowerCase() === status.toLowerCase()
  if (is(fields.delivered)) return 'delivered'
  if (is(fields.seen)) return 'read'
  return is(fields.expired) ? 'expired' : null
}
