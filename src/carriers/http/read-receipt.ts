/**
 * Webhook calls of a generic HTTP carrier. Every call must carry the proof that the settings ask for. Calls without
 * news of a message are acknowledged and ignored.
 */
import { createHmac } from 'node:crypto'
import { isCategory } from '../../domain/cost.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carrier.ts'
import { parseJson } from '../../wire/json.ts'
import { type AnsweredCall, answer, isSameSecret } from '../webhook.ts'
import { textAt, valueAt } from './find-text.ts'
import type { ReceiptAuth, ReceiptSettings } from './read-receipt-settings.ts'

export type HttpCall =
  | AnsweredCall
  /** To be recorded before the call is acknowledged; may be empty. */
  | { readonly kind: 'receipts'; readonly receipts: readonly Omit<CarrierReceipt, 'carrierId'>[] }

/** Receipts in one call. */
const MAX_RECEIPTS = 1_000

export function readHttpCall(request: WebhookRequest, settings: ReceiptSettings): HttpCall {
  const refusal = refuseHttpCall(request, settings)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  if (!isSigned(request, settings.auth)) return answer(401, 'not authorized')
  const items = readItems(request, settings)
  if (items === null) return answer(400, `not ${settings.format}`)
  if (items.length > MAX_RECEIPTS) return answer(413, `more than ${MAX_RECEIPTS} receipts`)
  return { kind: 'receipts', receipts: items.flatMap((item) => readReceipt(item, settings)) }
}

/** Checks what the address and the headers prove; of a signature only whether it is present. */
export function refuseHttpCall(head: WebhookHead, { auth, method }: ReceiptSettings): WebhookAnswer | null {
  if (!isKnown(head, auth)) {
    return auth.kind === 'token' ? { status: 404, body: 'not found' } : { status: 401, body: 'not authorized' }
  }
  return head.method === method ? null : { status: 405, body: `use ${method}` }
}

function isKnown({ path, headers }: WebhookHead, auth: ReceiptAuth): boolean {
  switch (auth.kind) {
    case 'token':
      return isSameSecret(path.split('?', 1)[0]?.replace(/^\//, ''), auth.token)
    case 'header':
      return isSameSecret(headers[auth.name], auth.value)
    case 'hmac':
      return headers[auth.name] !== undefined
  }
}

function isSigned({ headers, body }: WebhookRequest, auth: ReceiptAuth): boolean {
  if (auth.kind !== 'hmac') return true
  const given = headers[auth.name]
  const proof = createHmac(auth.algorithm, auth.secret).update(body).digest(auth.encoding)
  return isSameSecret(auth.encoding === 'hex' ? given?.toLowerCase() : given, `${auth.prefix}${proof}`)
}

/** Returns null if the body does not have the format of the settings. */
function readItems({ path, body }: WebhookRequest, { format, list }: ReceiptSettings): readonly unknown[] | null {
  if (format !== 'json') {
    const text = format === 'query' ? path.split('?').slice(1).join('?') : Buffer.from(body).toString()
    return [Object.fromEntries(new URLSearchParams(text))]
  }
  const json = parseJson(Buffer.from(body).toString())
  if (typeof json !== 'object' || json === null) return null
  const found = list === null ? json : valueAt(json, list)
  return Array.isArray(found) ? found : [found]
}

function readReceipt(item: unknown, settings: ReceiptSettings): Omit<CarrierReceipt, 'carrierId'>[] {
  const ref = textAt(item, settings.id)
  const status = textAt(item, settings.status).slice(0, 60)
  const outcome = settings.outcomes.get(status.toLowerCase())
  if (ref === '' || outcome === undefined) return []
  const reason = settings.reason === null ? '' : textAt(item, settings.reason)
  const detail = (reason === '' ? status : `${status}: ${reason}`).toWellFormed()
  const category = settings.category === null ? '' : textAt(item, settings.category).toLowerCase()
  return [{ ref, outcome, detail, ...(isCategory(category) ? { category } : {}) }]
}
