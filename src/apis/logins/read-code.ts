/** Reads the request of each login server: whom it sends a code, and in which words. */
import { VERIFY_DEFAULTS } from '../../contract/operations/verify-fields.ts'
import { CODE_PLACEHOLDER, VERIFY_TEXTS, type VerifyLanguage } from '../../contract/operations/verify-texts.ts'
import { isObject } from '../../contract/request/envelope.ts'
import { required } from '../../contract/request/error-texts.ts'

/** A message with a code. */
export interface CodeMessage {
  readonly phone: string
  readonly text: string
  /** By which a repeat is recognized: the code, or the text of a server that gives it nowhere else. */
  readonly code: string
  /** Null if the server names none. */
  readonly sender: string | null
}

/** Reads a request; of a server that gives no text, it is written in a language. Returns why it cannot be read. */
export type ReadCode = (body: unknown, language: VerifyLanguage | null) => CodeMessage | string

/**
 * `sms.phone` is the number that the code is for. Auth before 2.180 does not send it: there it is `user.phone`, unless
 * the user is changing the number, when the code may be for either.
 */
export const readSupabase: ReadCode = (body, language) => {
  const isOnlyPhone = ['sms.phone', 'user.new_phone', 'user.phone_change'].every((path) => textAt(body, path) === '')
  const phone = isOnlyPhone && textAt(body, 'user.phone') !== '' ? 'user.phone' : 'sms.phone'
  return messageOf({ phone: [phone, body], code: ['sms.otp', body], language })
}

/** The code is `oTP` when a user logs in, and `code` when a number is verified. */
export const readZitadel: ReadCode = (body) => {
  const code = textAt(body, 'args.oTP') === '' ? 'args.code' : 'args.oTP'
  return messageOf({
    phone: ['contextInfo.recipientPhoneNumber', body],
    code: [code, body],
    text: ['templateData.text', body],
  })
}

export const readFusionAuth: ReadCode = (body) => {
  // Older versions send no type.
  const isVoice = textAt(body, 'type').toLowerCase() === 'voice'
  if (isVoice) return 'type: must be SMS'
  return messageOf({ phone: ['phoneNumber', body], code: ['code', body], text: ['textMessage', body] })
}

export const readAuthentik: ReadCode = (body) =>
  messageOf({ phone: ['To', body], code: ['Body', body], text: ['Message', body], sender: ['From', body] })

export const readLogto: ReadCode = (body, language) =>
  messageOf({
    phone: ['to', body],
    code: ['payload.code', body],
    language: language ?? languageOf(textAt(body, 'payload.locale')),
  })

export const readAuthgear: ReadCode = (body) =>
  messageOf({ phone: ['to', body], code: ['template_variables.code', body], text: ['body', body] })

/** It gives the code in the text only. */
export const readAuth0: ReadCode = (body) =>
  messageOf({ phone: ['recipient', body], text: ['body', body], sender: ['sender', body] })

type Place = readonly [path: string, body: unknown]

interface Places {
  readonly phone: Place
  /** At least one of the two. */
  readonly code?: Place
  readonly text?: Place
  readonly sender?: Place
  readonly language?: VerifyLanguage | null
}

function messageOf({ phone, code, text, sender, language = null }: Places): CodeMessage | string {
  const to = at(phone)
  if (to === '') return required(phone[0])
  const given = text === undefined ? '' : at(text)
  const sent = code === undefined ? '' : at(code)
  if (given === '' && sent === '') return required((text ?? code ?? phone)[0])
  return {
    phone: to,
    text:
      given === '' ? VERIFY_TEXTS[language ?? VERIFY_DEFAULTS.language].replace(CODE_PLACEHOLDER, () => sent) : given,
    code: sent === '' ? given : sent,
    sender: (sender === undefined ? '' : at(sender)) || null,
  }
}

/** Of a tag such as `pt-BR`. */
export function languageOf(tag: string): VerifyLanguage | null {
  const language = tag.toLowerCase().split(/[-_]/)[0] ?? ''
  return Object.hasOwn(VERIFY_TEXTS, language) ? (language as VerifyLanguage) : null
}

function at([path, body]: Place): string {
  return textAt(body, path)
}

/** Returns the text or number at a path of an object, without outer spaces; empty if there is none. */
function textAt(body: unknown, path: string): string {
  let value = body
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
