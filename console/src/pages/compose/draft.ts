/** What the user composes, and the message that the client API gets for it. */
import { type CardDraft, EMPTY_CARD, linesOf, type RichContents, richOf } from './rich-draft.ts'

export const CHANNELS = ['rcs', 'chatapp', 'sms'] as const
export type ComposedChannel = (typeof CHANNELS)[number]
export type Contents = 'text' | 'image' | RichContents

export interface Draft {
  readonly phone: string
  readonly channels: readonly ComposedChannel[]
  readonly text: string
  /** Empty: the same text in all channels. */
  readonly smsText: string
  readonly chatText: string
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

export const EMPTY_DRAFT: Draft = {
  phone: '',
  channels: ['rcs', 'chatapp', 'sms'],
  text: '',
  smsText: '',
  chatText: '',
  senders: { rcs: '', chatapp: '', sms: '' },
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

export function textOf({ text, smsText, chatText }: Draft, channel: ComposedChannel): string {
  const own = { rcs: '', chatapp: chatText, sms: smsText }[channel]
  return own === '' ? text : own
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
  const digits = phone.replace(/\D/g, '')
  const [first] = channels
  const hasLifetime = channels.length > 1 && first !== undefined && /^\d+$/.test(lifetime)
  const rich = channels.some((channel) => channel !== 'sms') ? richOf(draft) : null
  const sendAt = sendTimeOf(draft)
  return given({
    type: channels.join('+'),
    phone: digits === '' ? '' : Number(digits),
    ...Object.assign({}, ...channels.map((channel) => fieldsOf(draft, channel))),
    ...(hasLifetime ? { [`${first}_lifetime`]: Number(lifetime) } : {}),
    ...(rich === null ? {} : { rich }),
    hook: hook.trim(),
    ...(sendAt === null ? {} : { send_at: new Date(sendAt).toISOString().replace('.000Z', 'Z') }),
  })
}

function fieldsOf(draft: Draft, channel: ComposedChannel): JsonObject {
  const { senders, contents } = draft
  const text = textOf(draft, channel)
  const isPicture = contents === 'image'
  const image = isPicture ? draft.image.trim() : ''
  const link = isPicture ? draft.link.trim() : ''
  const button = isPicture ? draft.button.trim() : ''
  if (channel === 'sms') return { sms_signature: senders.sms, sms_message: text }
  if (channel === 'rcs') {
    return { rcs_signature: senders.rcs, rcs_message: text, rcs_image: image, rcs_link: link, rcs_button: button }
  }
  const type = ['text', ...(image === '' || link === '' ? [] : ['image']), ...(link === '' ? [] : ['link'])].join('+')
  return {
    chatapp_type: type,
    chatapp_signature: senders.chatapp,
    chatapp_message: text,
    ...(type.includes('image') ? { chatapp_image: image } : {}),
    ...(type.includes('link') ? { chatapp_link: link, chatapp_button: button } : {}),
  }
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}
