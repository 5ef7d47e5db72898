/** Telegram's reports: signed with the API token, and not older than five minutes, so that none can be replayed. */
import { createHash, createHmac } from 'node:crypto'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import { asText, isJsonObject, parseJsonObject } from '../../wire/json.ts'
import { type AnsweredCall, answerCall, isSameSecret } from '../shared/webhook.ts'

export type TelegramCall =
  | AnsweredCall
  | { readonly kind: 'receipt'; readonly receipt: Omit<CarrierReceipt, 'carrierId'> }

const MAX_AGE_SECONDS = 300
const MAX_REF = 256

const OUTCOMES: ReadonlyMap<string, ReceiptOutcome> = new Map([
  ['sent', 'accepted'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['expired', 'expired'],
  ['revoked', 'undeliverable'],
])

/** `now` in milliseconds. */
export function readTelegramCall(request: WebhookRequest, token: string, now: number): TelegramCall {
  const refusal = refuseTelegramCall(request, now)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const { headers, body } = request
  const key = createHash('sha256').update(token).digest()
  const signed = createHmac('sha256', key).update(`${headers['x-request-timestamp']}\n`).update(body).digest('hex')
  if (!isSameSecret(headers['x-request-signature'], signed)) return answerCall(401, 'wrong signature')
  const report = parseJsonObject(Buffer.from(body).toString())
  const status = report?.['delivery_status']
  const ref = asText(report?.['request_id'])
  const word = isJsonObject(status) ? asText(status['status']) : ''
  const outcome = OUTCOMES.get(word)
  // A report about something else is acknowledged.
  if (outcome === undefined || ref === '' || ref.length > MAX_REF) return answerCall(200, '')
  const refunded = report?.['is_refunded'] === true ? ', refunded' : ''
  return { kind: 'receipt', receipt: { ref, outcome, detail: `${word}${refunded}` } }
}

export function refuseTelegramCall({ method, headers }: WebhookHead, now: number): WebhookAnswer | null {
  if (method !== 'POST') return { status: 405, body: 'use POST' }
  const age = now / 1_000 - Number(headers['x-request-timestamp'] ?? Number.NaN)
  if (Number.isNaN(age) || Math.abs(age) > MAX_AGE_SECONDS) return { status: 401, body: 'too old or without a time' }
  return /^[0-9a-f]{64}$/.test(headers['x-request-signature'] ?? '') ? null : { status: 401, body: 'no signature' }
}
