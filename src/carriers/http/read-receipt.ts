/**
 * Calls of a generic HTTP carrier to our webhook. Nothing is believed without what the settings want as a proof, and
 * what is not news of a message is acknowledged and let go.
 */
import { createHmac } from 'node:crypto'
import type { CarrierReceipt, WebhookAnswer, WebhookRequest } from '../../ports/carrier.ts'
import { parseJson } from '../../wire/json.ts'
import { isSameSecret } from '../webhook.ts'
import { textAt, valueAt } from './find-text.ts'
import type { ReceiptAuth, ReceiptSettings } from './read-receipt-settings.ts'

export type HttpCall =
  | { readonly kind: 'answer'; readonly answer: WebhookAnswer }
  /** To be recorded before they are acknowledged; may be none. */
  | { readonly kind: 'receipts'; readonly receipts: readonly Omit<CarrierReceipt, 'carrierId'>[] }

/** Receipts in one call. */
const MOST_RECEIPTS = 1_000

export function readHttpCall(request: WebhookRequest, settings: ReceiptSettings): HttpCall {
  if (!isProven(request, settings.auth)) {
    return settings.auth.kind === 'token' ? answer(404, 'not found') : answer(401, 'not authorized')
  }
  if (request.method !== settings.method) return answer(405, `use ${settings.method}`)
  const items = readItems(request, settings)
  if (items === null) return answer(400, `not ${settings.format}`)
  if (items.length > MOST_RECEIPTS) return answer(413, `more than ${MOST_RECEIPTS} receipts`)
  return { kind: 'receipts', receipts: items.flatMap((item) => readReceipt(item, settings)) }
}

function isProven({ path, headers, body }: WebhookRequest, auth: ReceiptAuth): boolean {
  switch (auth.kind) {
    case 'token':
      return isSameSecret(path.split('?', 1)[0]?.replace(/^\//, ''), auth.token)
    case 'header':
      return isSameSecret(headers[auth.name], auth.value)
    case 'hmac': {
      const given = headers[auth.name]
      const proof = createHmac(auth.algorithm, auth.secret).update(body).digest(auth.encoding)
      return isSameSecret(auth.encoding === 'hex' ? given?.toLowerCase() : given, `${auth.prefix}${proof}`)
    }
  }
}

/** Null when the body is not what it should be. */
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
  return [{ ref, outcome, detail: (reason === '' ? status : `${status}: ${reason}`).toWellFormed() }]
}

function answer(status: number, body: string): HttpCall {
  return { kind: 'answer', answer: { status, body } }
}
