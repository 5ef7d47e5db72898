/**
 * Meta's webhook calls: the check of the address, statuses of messages, inbound messages, changes of templates. Every
 * call must be signed. Every signed call is acknowledged, because Meta repeats others for days.
 */
import { createHmac } from 'node:crypto'
import type { ReceiptOutcome } from '../../domain/message/journey-event.ts'
import { FREE_CATEGORY, isCategory } from '../../domain/money/cost.ts'
import type { CarrierReceipt, WebhookAnswer, WebhookHead, WebhookRequest } from '../../ports/carriers/carrier.ts'
import { asText, isJsonObject, type JsonObject, parseJsonObject } from '../../wire/json.ts'
import { type AnsweredCall, answerCall, isSameSecret } from '../shared/webhook.ts'
import { graphMeaning, outcomeOf, readError } from './graph-error.ts'
import {
  objectsIn,
  type Party,
  type RenamedUser,
  readMessages,
  readOptOut,
  readParty,
  readPreferences,
  readRenamed,
  readSeconds,
  readUsers,
  type WhatsAppUser,
  type WrittenMessage,
} from './read-inbound.ts'
import type { WhatsAppSettings } from './settings.ts'

export type WhatsAppCall = AnsweredCall | WhatsAppNews

export interface WhatsAppNews {
  readonly kind: 'news'
  readonly receipts: readonly Omit<CarrierReceipt, 'carrierId'>[]
  readonly written: readonly WrittenMessage[]
  /** Phones of users whom messages may name by their user id only. */
  readonly users: readonly WhatsAppUser[]
  readonly renamed: readonly RenamedUser[]
  /** Errors of statuses that concern the account rather than the message. */
  readonly accountErrors: readonly string[]
  /** Conversations that Meta says are closed. */
  readonly closed: readonly (Party & { readonly phoneNumberId: string })[]
  readonly templatesChanged: boolean
  /** Ids of messages whose answer may have been lost, by Posthorn's reference. */
  readonly named: readonly { readonly ownRef: string; readonly ref: string }[]
}

const MAX_REF = 256

const OUTCOMES: ReadonlyMap<string, ReceiptOutcome> = new Map([
  ['sent', 'accepted'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
])

export function readWhatsAppCall(
  request: WebhookRequest,
  settings: Pick<WhatsAppSettings, 'appSecret' | 'verifyToken' | 'senders'>,
): WhatsAppCall {
  if (request.method === 'GET') return answerCheck(request.path, settings.verifyToken)
  const refusal = refuseWhatsAppCall(request)
  if (refusal !== null) return { kind: 'answer', answer: refusal }
  const signature = `sha256=${createHmac('sha256', settings.appSecret).update(request.body).digest('hex')}`
  if (!isSameSecret(request.headers['x-hub-signature-256'], signature)) return answerCall(401, 'wrong signature')
  const call = parseJsonObject(Buffer.from(request.body).toString())
  if (call === null) return answerCall(400, 'not a JSON object')
  return readNews(call, new Set(settings.senders.values()))
}

/** Meta signs every call but the check of the address, which is a GET. */
export function refuseWhatsAppCall({ method, headers }: WebhookHead): WebhookAnswer | null {
  if (method === 'GET') return null
  if (method !== 'POST') return { status: 405, body: 'use POST' }
  const maySign = /^sha256=[0-9a-f]{64}$/.test(headers['x-hub-signature-256'] ?? '')
  return maySign ? null : { status: 401, body: 'wrong signature' }
}

/** Meta checks the address with the verify token and expects its challenge back as plain text. */
function answerCheck(path: string, verifyToken: string): WhatsAppCall {
  const query = new URLSearchParams(path.split('?')[1])
  const challenge = query.get('hub.challenge') ?? ''
  const isOurs = query.get('hub.mode') === 'subscribe' && isSameSecret(query.get('hub.verify_token'), verifyToken)
  return isOurs && /^[\w-]{1,256}$/.test(challenge) ? answerCall(200, challenge) : answerCall(403, 'wrong verify token')
}

function readNews(call: JsonObject, ourNumbers: ReadonlySet<string>): WhatsAppNews {
  const changes = objectsIn(call['entry']).flatMap((entry) => objectsIn(entry['changes']))
  // Other numbers of the same business may be served by another system.
  const ours = changes.flatMap(({ field, value }) => {
    if (!isJsonObject(value)) return []
    const metadata = value['metadata']
    const phoneNumberId = isJsonObject(metadata) ? asText(metadata['phone_number_id']) : ''
    const recipient = isJsonObject(metadata) ? asText(metadata['display_phone_number']) : ''
    if (!ourNumbers.has(phoneNumberId)) return []
    return [{ field, value, number: { phoneNumberId, recipient: recipient || phoneNumberId } }]
  })
  const messages = ours.filter(({ field }) => field === 'messages')
  const statuses = messages.flatMap(({ value, number }) =>
    objectsIn(value['statuses']).map((status) => ({ status, number })),
  )
  return {
    kind: 'news',
    receipts: statuses.flatMap(({ status }) => readStatus(status)),
    written: [
      ...messages.flatMap(({ value, number }) => readMessages(value, number)),
      ...ours.flatMap(({ field, value, number }) =>
        field === 'user_preferences' ? readPreferences(value, number) : [],
      ),
      ...statuses.flatMap(({ status, number }) => readOptOut(status, number)),
    ],
    users: ours.flatMap(({ value }) => readUsers(value)),
    renamed: messages.flatMap(({ value }) => readRenamed(value)),
    accountErrors: statuses.flatMap(({ status }) => readAccountError(status)),
    closed: statuses.flatMap(({ status, number }) => readClosed(status, number.phoneNumberId)),
    named: statuses.flatMap(({ status }) => readName(status)),
    templatesChanged: changes.some(({ field }) => /^message_template_/.test(asText(field))),
  }
}

function readAccountError({ errors }: JsonObject): string[] {
  const error = readError(objectsIn(errors)[0])
  return error !== null && graphMeaning(error) === 'token' ? [error.words] : []
}

function readStatus({ id, status, errors, timestamp, pricing }: JsonObject): Omit<CarrierReceipt, 'carrierId'>[] {
  if (typeof id !== 'string' || id === '' || id.length > MAX_REF) return []
  const word = asText(status)
  if (word === 'failed') {
    const error = readError(objectsIn(errors)[0])
    return [{ ref: id, outcome: outcomeOf(error), detail: error === null ? word : `failed: ${error.words}` }]
  }
  const outcome = OUTCOMES.get(word)
  const at = readSeconds(timestamp)
  const detail = at === null ? word : `${word} at ${new Date(at).toISOString()}`
  const category = readCategory(pricing)
  return outcome === undefined ? [] : [{ ref: id, outcome, detail, ...(category === null ? {} : { category }) }]
}

/** Returns the category that Meta bills; null if the status does not say. It is in `sent`, `delivered` or `read`. */
function readCategory(pricing: unknown): string | null {
  if (!isJsonObject(pricing)) return null
  const { billable, type, category } = pricing
  if (billable === false || asText(type).startsWith('free_')) return FREE_CATEGORY
  const word = asText(category).toLowerCase()
  return isCategory(word) ? word : null
}

function readName({ id, biz_opaque_callback_data: ownRef }: JsonObject): WhatsAppNews['named'] {
  const isNamed = typeof ownRef === 'string' && typeof id === 'string' && id !== '' && id.length <= MAX_REF
  return isNamed ? [{ ownRef, ref: id }] : []
}

function readClosed(
  { recipient_id, recipient_user_id, errors }: JsonObject,
  phoneNumberId: string,
): WhatsAppNews['closed'] {
  const party = readParty(recipient_id, recipient_user_id)
  const error = readError(objectsIn(errors)[0])
  return error !== null && graphMeaning(error) === 'closed' && party !== null ? [{ phoneNumberId, ...party }] : []
}
