/**
 * Viber's calls to our webhook. They carry no signature, so the address holds a secret and everything else is as if it
 * were not there. What is not news of a message is acknowledged and let go.
 */
import type { ReceiptOutcome } from '../../domain/journey-event.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carrier.ts'
import { asText, parseJsonObject } from '../../wire/json.ts'
import { isSameSecret } from '../webhook.ts'
import type { CallbackFields } from './read-settings.ts'

/** What a call asks of us: an answer at once, or a receipt to be recorded before it is answered with 200. */
export type ViberCall =
  | { readonly kind: 'answer'; readonly answer: WebhookAnswer }
  | { readonly kind: 'receipt'; readonly receipt: Omit<CarrierReceipt, 'carrierId'> }

export function readViberCall(request: WebhookRequest, webhookToken: string, fields: CallbackFields): ViberCall {
  const refusal = refuseViberCall(request, webhookToken)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const call = parseJsonObject(Buffer.from(request.body).toString())
  if (call === null) return answer(400, 'not a JSON object')
  const ref = asText(call[fields.token])
  const status = asText(call[fields.status]).slice(0, 40)
  const outcome = outcomeOf(status, fields)
  if (outcome === null || !/^\d{1,40}$/.test(ref)) return answer(200, '')
  return { kind: 'receipt', receipt: { ref, outcome, detail: status } }
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

function answer(status: number, body: string): ViberCall {
  return { kind: 'answer', answer: { status, body } }
}
