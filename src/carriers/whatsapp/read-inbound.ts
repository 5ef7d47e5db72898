/**
 * What recipients do, in Meta's webhook calls: they write, tap a button of a message, or stop and resume a sender's
 * marketing messages in the app. Meta may name a user by the user id (BSUID) only.
 */
import { type InboundContent, textOfInbound } from '../../domain/inbound/inbound-message.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import { asText, isJsonObject, type JsonObject } from '../../wire/json.ts'
import { readFile, readLocation } from '../shared/read-content.ts'
import { graphMeaning, readError } from './graph-error.ts'

/** A number of the account: its id, and as recipients see it. */
interface OurNumber {
  readonly phoneNumberId: string
  readonly recipient: string
}

export interface Conversation {
  readonly phoneNumberId: string
  readonly phone: string
}

/** A message, a tap or a setting of a recipient. */
export interface WrittenMessage extends OurNumber, Party {
  /** Meta's id, the same in all repeats. */
  readonly id: string
  /** Empty for anything but text, buttons, locations and files. */
  readonly text: string
  /** The value of a tapped button; empty for anything else. */
  readonly payload: string
  /** A location or a file; absent for anything else. */
  readonly content?: InboundContent
  /** Meta's id of the message that it quotes, or whose button was tapped; absent if there is none. */
  readonly quotes?: string
  readonly consent: 'stop' | 'start' | null
  /** Milliseconds. */
  readonly at: number
  /** Whether it opens the conversation: a setting does not, nor does a message to a group. */
  readonly isWritten: boolean
}

/** A user whom Meta names by both. */
export interface WhatsAppUser {
  readonly userId: string
  readonly phone: Phone
}

/** A user who has another number, or other ids, since a change of one of them. */
export interface RenamedUser {
  /** Names Meta's notice, the same in all repeats. */
  readonly notice: string
  /** The phone before the change; null if Meta does not name it. */
  readonly formerPhone: Phone | null
  readonly previous: readonly string[]
  readonly userIds: readonly string[]
  /** Null if Meta does not name it: then it is that of the previous ids. */
  readonly phone: Phone | null
}

const MAX_ID = 256
const MAX_PAYLOAD = 1_000
const MAX_NOTICE = 200

export function readMessages(value: JsonObject, number: OurNumber): readonly WrittenMessage[] {
  return objectsIn(value['messages']).flatMap((message) => {
    const party = readParty(message['from'], message['from_user_id'])
    const at = readSeconds(message['timestamp'])
    if (at === null || party === null || !isOfUser(message) || isOurs(party, number)) return []
    const id = asText(message['id']).slice(0, MAX_ID)
    const said = { ...number, ...party, id, at, consent: null, isWritten: asText(message['group_id']) === '' }
    return [{ ...said, ...readText(message), ...readQuoted(message['context']) }]
  })
}

/** What a user writes, taps or sends. Of other types are notices of Meta, and what Meta does not pass on. */
const TYPES = ['text', 'image', 'video', 'audio', 'voice', 'document', 'sticker', 'location', 'contacts', 'order']
const TAPS = ['button_reply', 'list_reply', 'nfm_reply']

function isOfUser({ type, interactive, reaction, ...message }: JsonObject): boolean {
  const kind = asText(type)
  if (kind === 'interactive' || (kind === '' && isJsonObject(interactive))) {
    return isJsonObject(interactive) && TAPS.some((name) => isJsonObject(interactive[name]))
  }
  // Without the sign, the user takes a reaction back.
  if (kind === 'reaction') return isJsonObject(reaction) && asText(reaction['emoji']) !== ''
  const written = [...TYPES, 'button']
  return kind === '' ? written.some((name) => isJsonObject(message[name])) : written.includes(kind)
}

/** Whether it is what the account itself has written, in an app for example. */
function isOurs({ phone }: Party, { recipient, phoneNumberId }: OurNumber): boolean {
  return phone !== '' && [recipient.replace(/\D/g, ''), phoneNumberId].includes(phone)
}

/** A user as Meta names them: by phone, by user id, or by both. */
export interface Party {
  /** Digits; of a user whom Meta names by the user id only first empty, then as messages are sent (name-users.ts). */
  readonly phone: string
  /** Meta's id of the user; empty if it names none. */
  readonly userId: string
}

/**
 * Returns null if the user has no name. Of a user whose phone Meta withholds, the field of the phone may hold the id.
 */
export function readParty(phone: unknown, id: unknown): Party | null {
  const named = asText(phone)
  const userId = readId(id) || (/^[A-Z]{2}\./.test(named) ? readId(named) : '')
  if (isPhone(named)) return { phone: named, userId }
  return userId === '' ? null : { phone: '', userId }
}

function readQuoted(context: unknown): Pick<WrittenMessage, 'quotes'> {
  const quotes = isJsonObject(context) ? asText(context['id']) : ''
  return quotes === '' || quotes.length > MAX_ID ? {} : { quotes }
}

/** Members of a message that are a file. */
const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const

function readText(message: JsonObject): Pick<WrittenMessage, 'text' | 'payload' | 'content'> {
  const { text, button, interactive, location } = message
  if (isJsonObject(text)) return { text: asText(text['body']).toWellFormed(), payload: '' }
  if (isJsonObject(button)) return tapped(button['text'], button['payload'])
  if (isJsonObject(location)) return described('', readLocation(location))
  const file = FILES.map((name) => message[name]).find(isJsonObject)
  if (file !== undefined) {
    const { id, mime_type: mimeType, filename: name, caption } = file
    return described(asText(caption).toWellFormed(), readFile({ mediaId: id, mimeType, name }))
  }
  if (!isJsonObject(interactive)) return { text: '', payload: '' }
  const reply = interactive['button_reply'] ?? interactive['list_reply']
  return isJsonObject(reply) ? tapped(reply['title'], reply['id']) : { text: '', payload: '' }
}

function described(
  caption: string,
  content: InboundContent | null,
): Pick<WrittenMessage, 'text' | 'payload' | 'content'> {
  if (content === null) return { text: caption, payload: '' }
  return { text: caption || textOfInbound(content), payload: '', content }
}

function tapped(caption: unknown, payload: unknown): Pick<WrittenMessage, 'text' | 'payload'> {
  return { text: asText(caption).toWellFormed(), payload: asText(payload).slice(0, MAX_PAYLOAD) }
}

/** Reads the field `user_preferences`: a recipient stops or resumes marketing messages in the app. */
export function readPreferences(value: JsonObject, number: OurNumber): readonly WrittenMessage[] {
  return objectsIn(value['user_preferences']).flatMap((preference) => {
    const consent = CONSENTS.get(asText(preference['value']))
    const party = readParty(preference['wa_id'], preference['user_id'])
    const at = readSeconds(preference['timestamp'])
    if (consent === undefined || at === null || party === null) return []
    const id = `preference ${party.phone || party.userId} ${at} ${consent}`
    const text = consent === 'stop' ? 'STOP' : 'START'
    return [{ ...number, ...party, id, text, payload: '', consent, at, isWritten: false }]
  })
}

const CONSENTS: ReadonlyMap<string, 'stop' | 'start'> = new Map([
  ['stop', 'stop'],
  ['resume', 'start'],
])

/**
 * Reads the failure of a message whose recipient has stopped the sender's marketing messages, as if the recipient
 * stopped them now.
 */
export function readOptOut(status: JsonObject, number: OurNumber): readonly WrittenMessage[] {
  const error = readError(objectsIn(status['errors'])[0])
  if (error === null || graphMeaning(error) !== 'opted out') return []
  const party = readParty(status['recipient_id'], status['recipient_user_id'])
  const at = readSeconds(status['timestamp'])
  if (at === null || party === null) return []
  const id = `stopped ${asText(status['id'])}`.slice(0, MAX_ID)
  const said = { text: 'STOP', payload: '', consent: 'stop', isWritten: false } as const
  return [{ ...number, ...party, id, at, ...said }]
}

/** Returns the users for whom the call has both the phone and the user id. */
export function readUsers(value: JsonObject): readonly WhatsAppUser[] {
  const contacts = objectsIn(value['contacts']).map(({ wa_id, user_id }) => [wa_id, user_id])
  const recipients = objectsIn(value['statuses']).map(({ recipient_id, recipient_user_id }) => [
    recipient_id,
    recipient_user_id,
  ])
  const writers = objectsIn(value['messages']).map(({ from, from_user_id }) => [from, from_user_id])
  return [...contacts, ...recipients, ...writers].flatMap(([from, id]) => {
    const userId = readId(id)
    const phone = toPhone(from)
    return phone !== null && userId !== '' ? [{ userId, phone }] : []
  })
}

/** Its name in this version of the interface and in former ones. */
const CHANGED_NUMBER = /^(user|customer)_changed_number$/

/** Reads the notices that a user has another number, or another id. */
export function readRenamed(value: JsonObject): readonly RenamedUser[] {
  return objectsIn(value['messages']).flatMap(({ id, timestamp, type, from, from_user_id, system }) => {
    if (asText(type) !== 'system' || !isJsonObject(system)) return []
    const userIds = idsIn(system['user_id'], system['parent_user_id'])
    const previous = idsIn(system['previous_user_id'], system['previous_parent_user_id'], from_user_id, from)
    const changesNumber = CHANGED_NUMBER.test(asText(system['type']))
    const formerPhone = toPhone(from) ?? toPhone(system['customer'])
    const named = toPhone(system['wa_id']) ?? toPhone(system['new_wa_id'])
    const phone = named ?? (changesNumber ? null : formerPhone)
    if (userIds.length === 0 && phone === formerPhone) return []
    const notice = `notice ${asText(id) || `${asText(from)} ${asText(timestamp)}`}`.slice(0, MAX_NOTICE)
    return [{ notice, formerPhone, previous: previous.filter((each) => !userIds.includes(each)), userIds, phone }]
  })
}

function idsIn(...values: readonly unknown[]): readonly string[] {
  return values.map(readId).filter((id) => id !== '')
}

function toPhone(value: unknown): Phone | null {
  const phone = asText(value)
  return isPhone(phone) ? phone : null
}

/** Returns milliseconds; null if the value is not a time. */
export function readSeconds(timestamp: unknown): number | null {
  const seconds = Number(asText(timestamp))
  return seconds > 0 && seconds < 1e11 ? seconds * 1000 : null
}

function isPhone(text: string): text is Phone {
  return /^\d{5,20}$/.test(text)
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function readId(value: unknown): string {
  const id = asText(value)
  return isId(id) ? id : ''
}

/** Whether it may be the id of a user: with its country and `ENT.`, one has up to 135 characters. */
export function isId(text: string): boolean {
  return /^[\w.:-]{1,140}$/.test(text)
}
