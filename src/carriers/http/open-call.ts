/**
 * Opens webhook calls of a generic HTTP carrier. Every call must carry the proof that the settings ask for; whatever
 * they contain, no call fails.
 */
import { createHmac } from 'node:crypto'
import type { WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import { hasTooManyMembers, MAX_MEMBERS, parseJson } from '../../wire/json.ts'
import { type AnsweredCall, answer, isSameSecret } from '../shared/webhook.ts'
import type { CallAuth, CallSettings } from './call-settings.ts'
import { valueAt } from './find-text.ts'

/** Receipts or inbound messages in one call. */
const MAX_ITEMS = 1_000

/** Items as the carrier wrote them. */
export interface OpenedCall {
  readonly kind: 'items'
  readonly items: readonly unknown[]
}

export function openHttpCall(request: WebhookRequest, settings: CallSettings): AnsweredCall | OpenedCall {
  const refusal = refuseHttpCall(request, settings)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  if (!isSigned(request, settings.auth)) return answer(401, 'not authorized')
  const isTooLarge = settings.format === 'json' && hasTooManyMembers(Buffer.from(request.body).toString())
  if (isTooLarge) return answer(413, `more than ${MAX_MEMBERS} members and elements`)
  const items = readItems(request, settings)
  if (items === null) return answer(400, `not ${settings.format}`)
  if (items.length > MAX_ITEMS) return answer(413, `more than ${MAX_ITEMS} items`)
  return { kind: 'items', items }
}

/** Checks what the address and the headers prove; of a signature only whether it is present. */
export function refuseHttpCall(head: WebhookHead, { auth, method }: CallSettings): WebhookAnswer | null {
  if (!isKnown(head, auth)) {
    return auth.kind === 'token' ? { status: 404, body: 'not found' } : { status: 401, body: 'not authorized' }
  }
  return head.method === method ? null : { status: 405, body: `use ${method}` }
}

function isKnown({ path, headers }: WebhookHead, auth: CallAuth): boolean {
  switch (auth.kind) {
    case 'token':
      return isSameSecret(path.split('?', 1)[0]?.replace(/^\//, ''), auth.token)
    case 'header':
      return isSameSecret(headers[auth.name], auth.value)
    case 'hmac':
      return headers[auth.name] !== undefined
  }
}

function isSigned({ headers, body }: WebhookRequest, auth: CallAuth): boolean {
  if (auth.kind !== 'hmac') return true
  const given = headers[auth.name]
  const proof = createHmac(auth.algorithm, auth.secret).update(body).digest(auth.encoding)
  return isSameSecret(auth.encoding === 'hex' ? given?.toLowerCase() : given, `${auth.prefix}${proof}`)
}

/** Returns null if the body does not have the format of the settings. */
function readItems({ path, body }: WebhookRequest, { format, list, charset }: CallSettings): readonly unknown[] | null {
  if (format !== 'json') {
    const text = format === 'query' ? path.split('?').slice(1).join('?') : Buffer.from(body).toString('latin1')
    return [readForm(text, charset)]
  }
  const json = parseJson(Buffer.from(body).toString())
  if (typeof json !== 'object' || json === null) return null
  const found = list === null ? json : valueAt(json, list)
  return Array.isArray(found) ? found : [found]
}

/** `text` has a character for each byte. Of fields with the same name the last one counts. */
function readForm(text: string, charset: CallSettings['charset']): Readonly<Record<string, string>> {
  const decoder = new TextDecoder(charset)
  const decode = (value: string) => decoder.decode(Buffer.from(unescapeBytes(value), 'latin1'))
  const fields = text.split('&', MAX_FIELDS).map((field): [string, string] => {
    const at = field.indexOf('=')
    // Names are ASCII also where values are UTF-16.
    return at === -1 ? [field, ''] : [unescapeBytes(field.slice(0, at)), decode(field.slice(at + 1))]
  })
  return Object.fromEntries(fields)
}

/** Fields of a form or a query. */
const MAX_FIELDS = 1_000

/** Returns a character for each byte. */
function unescapeBytes(value: string): string {
  return value
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
