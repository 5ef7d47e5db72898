/**
 * Google's webhook calls: the set-up call, events about messages, and what recipients write, tap, subscribe to and
 * unsubscribe from. Every call must be signed. Every signed call is acknowledged, because Google repeats others for
 * days.
 */
import { createHash, createHmac } from 'node:crypto'
import { type InboundContent, textOfInbound } from '../../domain/inbound/inbound-message.ts'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import { readTime } from '../../domain/time/read-time.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import { asText, isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { readFile, readLocation } from '../shared/read-content.ts'
import { type AnsweredCall, answerCall, isSameSecret } from '../shared/webhook.ts'
import { readCategory } from './submit.ts'

/** What to do with a call: answer it at once, or record a receipt or an inbound message and then answer it with 200. */
export type RbmCall =
  | AnsweredCall
  | {
      readonly kind: 'receipt'
      readonly receipt: Omit<CarrierReceipt, 'carrierId'>
      /** The same in all repeats; empty if the event has none. */
      readonly eventId: string
    }
  | { readonly kind: 'inbound'; readonly inbound: RbmInbound; readonly eventId: string }

/** A message or tap of a recipient, or a change of the subscription. */
interface RbmInbound {
  /** Digits. */
  readonly phone: string
  readonly agentId: string
  readonly text: string
  /** The value of a tapped suggestion; empty for anything else. */
  readonly payload: string
  readonly consent: 'stop' | 'start' | null
  /** A location or a file; null for anything else. */
  readonly content: InboundContent | null
  /** Milliseconds; null if Google does not report it. */
  readonly at: number | null
}

const MAX_SECRET = 1_024
const MAX_REF = 256

const OUTCOMES: ReadonlyMap<unknown, ReceiptOutcome> = new Map([
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['TTL_EXPIRATION_REVOKED', 'expired'],
  // The message may have arrived: a DELIVERED that follows says so, and the step's own lifetime ends the wait.
  ['TTL_EXPIRATION_REVOKE_FAILED', 'accepted'],
])

export function readRbmCall(request: WebhookRequest, clientToken: string): RbmCall {
  const refusal = refuseRbmCall(request)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const call = parseJsonObject(Buffer.from(request.body).toString())
  if (call === null) return answerCall(400, 'not a JSON object')
  if (typeof call['secret'] === 'string') return answerSetUp(call, call['secret'], clientToken)
  const message = call['message']
  const data = isJsonObject(message) ? message['data'] : undefined
  if (typeof data !== 'string') return answerCall(400, 'no message.data')
  const bytes = Buffer.from(data, 'base64')
  const signature = createHmac('sha512', clientToken).update(bytes).digest('base64')
  if (!isSameSecret(request.headers['x-goog-signature'], signature)) return answerCall(401, 'wrong signature')
  return readEvent(parseJsonObject(bytes.toString()) ?? {})
}

/** The set-up call has no signature, every other call has one. */
export function refuseRbmCall({ method, headers }: WebhookHead): WebhookAnswer | null {
  if (method !== 'POST') return { status: 405, body: 'use POST' }
  const signature = headers['x-goog-signature']
  const mayFit = signature === undefined || signature.length === SIGNATURE_LENGTH
  return mayFit ? null : { status: 401, body: 'wrong signature' }
}

/** SHA-512 in base64. */
const SIGNATURE_LENGTH = 88

/** Google checks the address with a secret that it expects back as plain text. */
function answerSetUp(call: JsonObject, secret: string, clientToken: string): RbmCall {
  if (!isSameSecret(call['clientToken'], clientToken)) return answerCall(403, 'wrong clientToken')
  return secret.length > MAX_SECRET ? answerCall(400, 'secret is too long') : answerCall(200, secret)
}

function readEvent(event: JsonObject): RbmCall {
  const { eventType, messageId, eventId } = event
  const outcome = OUTCOMES.get(eventType)
  const isNamed = typeof eventId === 'string' && eventId.length <= MAX_REF
  const id = isNamed ? eventId : ''
  if (outcome === undefined) return readInbound(event, id)
  const isOurs = typeof messageId === 'string' && messageId !== '' && messageId.length <= MAX_REF
  if (!isOurs) return answerCall(200, '')
  const at = readTime(asText(event['sendTime']))
  const detail = at === null ? String(eventType) : `${eventType} at ${new Date(at).toISOString()}`
  return { kind: 'receipt', receipt: { ref: messageId, outcome, detail, ...readCategory(event) }, eventId: id }
}

const CONSENTS: ReadonlyMap<unknown, 'stop' | 'start'> = new Map([
  ['UNSUBSCRIBE', 'stop'],
  ['SUBSCRIBE', 'start'],
])

const MAX_TEXT = 3_072
const MAX_PAYLOAD = 2_048

function readInbound(event: JsonObject, eventId: string): RbmCall {
  const { eventType } = event
  const consent = CONSENTS.get(eventType) ?? null
  // What a recipient writes or taps has no type of event.
  if (consent === null && eventType !== undefined) return answerCall(200, '')
  const phone = asText(event['senderPhoneNumber']).replace(/^\+/, '')
  const agentId = asText(event['agentId']).split('@', 1)[0] ?? ''
  const tapped = event['suggestionResponse']
  const source = isJsonObject(tapped) ? tapped['text'] : event['text']
  const content = readContent(event)
  const standIn = content !== null ? textOfInbound(content) : consent === null ? '' : String(eventType)
  const text = (asText(source) || standIn).slice(0, MAX_TEXT).toWellFormed()
  if (!/^\d{5,20}$/.test(phone) || text === '') return answerCall(200, '')
  const payload = isJsonObject(tapped) ? asText(tapped['postbackData']).slice(0, MAX_PAYLOAD) : ''
  const inbound = { phone, agentId, text, payload, consent, content, at: readTime(asText(event['sendTime'])) }
  // An inbound message has a message id in place of an event id.
  return {
    kind: 'inbound',
    inbound,
    eventId: (eventId || asText(event['messageId']) || hashOf(event)).slice(0, MAX_KEY),
  }
}

function readContent({ location, userFile }: JsonObject): InboundContent | null {
  if (isJsonObject(location)) return readLocation(location)
  const file = isJsonObject(userFile) ? userFile['payload'] : undefined
  if (!isJsonObject(file)) return null
  return readFile({ link: file['fileUri'], mimeType: file['mimeType'], name: file['fileName'] })
}

const MAX_KEY = 200

function hashOf(event: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(event)).digest('base64url')
}
