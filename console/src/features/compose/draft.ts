/** What the user composes, and the message that the client API gets for it. */
import { isUserId } from '../../parts/form/phone-text.ts'
import { factsOf, hasField, MESSAGE_CHANNELS, type MessageChannel } from '../../texts/channels.ts'
import { type CardDraft, EMPTY_CARD, linesOf, type RichContents, richOf } from './rich-draft.ts'

export type ComposedChannel = MessageChannel
export type Contents = 'text' | 'image' | RichContents

export interface Draft {
  readonly phone: string
  readonly channels: readonly ComposedChannel[]
  readonly text: string
  /** Texts of single channels; an empty one is the text of all. */
  readonly ownTexts: Readonly<Record<ComposedChannel, string>>
  readonly senders: Readonly<Record<ComposedChannel, string>>
  readonly contents: Contents
  readonly image: string
  readonly link: string
  readonly button: string
  readonly title: string
  /** One suggested reply a line. */
  readonly replies: string
  readonly cards: readonly CardDraft[]
  readonly file: string
  readonly fileName: string
  readonly caption: string
  /** Seconds before the next channel; empty for the account's. */
  readonly lifetime: string
  /** `2026-11-23T08:30` in the zone of the browser; empty to send at once. */
  readonly sendAt: string
  readonly hook: string
  readonly mode: 'test' | 'live'
}

const NOTHING = Object.fromEntries(MESSAGE_CHANNELS.map((channel) => [channel, ''])) as Draft['senders']

export const EMPTY_DRAFT: Draft = {
  phone: '',
  channels: MESSAGE_CHANNELS,
  text: '',
  ownTexts: NOTHING,
  senders: NOTHING,
  contents: 'text',
  image: '',
  link: '',
  button: '',
  title: '',
  replies: '',
  cards: [EMPTY_CARD, EMPTY_CARD],
  file: '',
  fileName: '',
  caption: '',
  lifetime: '',
  sendAt: '',
  hook: '',
  mode: 'test',
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

export function textOf({ text, ownTexts }: Draft, channel: ComposedChannel): string {
  return ownTexts[channel] === '' ? text : ownTexts[channel]
}

export function repliesOf({ replies }: Pick<Draft, 'replies'>): readonly string[] {
  return linesOf(replies)
}

/** Returns milliseconds; null for none, or a time that is not complete. */
export function sendTimeOf({ sendAt }: Pick<Draft, 'sendAt'>): number | null {
  const at = sendAt === '' ? Number.NaN : new Date(sendAt).getTime()
  return Number.isNaN(at) ? null : at
}

/** Returns the operation of the client API; fields without a value are left out. */
export function messageOf(draft: Draft): JsonObject {
  const { channels, phone, lifetime, hook } = draft
  const [first] = channels
  const hasLifetime = channels.length > 1 && first !== undefined && /^\d+$/.test(lifetime)
  const rich = channels.some((channel) => factsOf(channel).isRich) ? richOf(draft) : null
  const sendAt = sendTimeOf(draft)
  return given({
    type: channels.join('+'),
    phone: recipientOf(phone),
    ...Object.assign({}, ...channels.map((channel) => fieldsOf(draft, channel))),
    ...(hasLifetime ? { [`${first}_lifetime`]: Number(lifetime) } : {}),
    ...(rich === null ? {} : { rich }),
    hook: hook.trim(),
    ...(sendAt === null ? {} : { send_at: new Date(sendAt).toISOString().replace('.000Z', 'Z') }),
  })
}

/** The digits as a number; a user id as it is. */
function recipientOf(phone: string): string | number {
  if (isUserId(phone)) return phone.trim()
  const digits = phone.replace(/\D/g, '')
  return digits === '' ? '' : Number(digits)
}

/** A channel that has no field for pictures shows the text alone. */
function fieldsOf(draft: Draft, channel: ComposedChannel): JsonObject {
  const { image, link, button } = hasField(channel, 'image') ? pictureOf(draft) : NO_PICTURE
  const type = ['text', ...(image === '' || link === '' ? [] : ['image']), ...(link === '' ? [] : ['link'])].join('+')
  // The type names the parts: others would be ignored.
  const isTyped = hasField(channel, 'type')
  const has = (part: string) => !isTyped || type.includes(part)
  return {
    ...(isTyped ? { [`${channel}_type`]: type } : {}),
    [`${channel}_signature`]: draft.senders[channel],
    [`${channel}_message`]: textOf(draft, channel),
    ...(has('image') ? { [`${channel}_image`]: image } : {}),
    ...(has('link') ? { [`${channel}_link`]: link, [`${channel}_button`]: button } : {}),
  }
}

const NO_PICTURE = { image: '', link: '', button: '' }

function pictureOf({ contents, image, link, button }: Draft): typeof NO_PICTURE {
  return contents === 'image' ? { image: image.trim(), link: link.trim(), button: button.trim() } : NO_PICTURE
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}
