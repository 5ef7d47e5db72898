/** What the user composes, and the message that the client API gets for it. */
export const CHANNELS = ['rcs', 'chatapp', 'sms'] as const
export type ComposedChannel = (typeof CHANNELS)[number]
export type Contents = 'text' | 'image' | 'card'

export interface Draft {
  readonly phone: string
  readonly channels: readonly ComposedChannel[]
  readonly text: string
  /** Empty: the same text in all channels. */
  readonly smsText: string
  readonly senders: Readonly<Record<ComposedChannel, string>>
  readonly contents: Contents
  readonly image: string
  readonly link: string
  readonly button: string
  readonly title: string
  /** One suggested reply a line. */
  readonly replies: string
  /** Seconds before the next channel; empty for the account's. */
  readonly lifetime: string
  readonly hook: string
  readonly mode: 'test' | 'live'
}

export const EMPTY_DRAFT: Draft = {
  phone: '',
  channels: ['rcs', 'chatapp', 'sms'],
  text: '',
  smsText: '',
  senders: { rcs: '', chatapp: '', sms: '' },
  contents: 'text',
  image: '',
  link: '',
  button: '',
  title: '',
  replies: '',
  lifetime: '',
  hook: '',
  mode: 'test',
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

export function textOf({ text, smsText }: Draft, channel: ComposedChannel): string {
  return channel === 'sms' && smsText !== '' ? smsText : text
}

export function repliesOf({ replies }: Pick<Draft, 'replies'>): readonly string[] {
  const lines = replies.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

/** Returns the operation of the client API; fields without a value are left out. */
export function messageOf(draft: Draft): JsonObject {
  const { channels, phone, lifetime, hook } = draft
  const digits = phone.replace(/\D/g, '')
  const [first] = channels
  const hasLifetime = channels.length > 1 && first !== undefined && /^\d+$/.test(lifetime)
  return given({
    type: channels.join('+'),
    phone: digits === '' ? '' : Number(digits),
    ...Object.assign({}, ...channels.map((channel) => fieldsOf(draft, channel))),
    ...(hasLifetime ? { [`${first}_lifetime`]: Number(lifetime) } : {}),
    ...(draft.contents === 'card' && channels.some((channel) => channel !== 'sms') ? { rich: cardOf(draft) } : {}),
    hook: hook.trim(),
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

function cardOf(draft: Draft): JsonObject {
  const { title, text, image, link, button } = draft
  const suggestions = [
    ...repliesOf(draft).map((reply) => ({ type: 'reply', text: reply, postback: reply })),
    ...(link.trim() === '' ? [] : [{ type: 'url', text: button.trim() || link.trim(), url: link.trim() }]),
  ]
  return given({ type: 'card', title: title.trim(), description: text, image: image.trim(), suggestions })
}

function given(fields: JsonObject): JsonObject {
  const set = Object.entries(fields).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(set)
}
