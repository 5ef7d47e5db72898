/**
 * What can be asked of the gateway, in the words of its JSON API: every field is named here as it is on the wire. The
 * project's tests hold these types equal to the gateway's own table of operations.
 */
import type { BulkCreateFields, BulkErrorsFields, BulkListFields, BulkNamingFields, BulkStartFields } from './bulk.ts'
import type { PostingListFields, StatementFields } from './money.ts'
import type { RichFields } from './rich.ts'
import type { StatisticsFields } from './statistics.ts'

/** Whole numbers beyond 2^53 are bigints: as numbers they would have been spoiled before they came here. */
export type Id = number | bigint | string

/** What the chat app may be called: answers and reports use the name of the request. */
export type ChatappName = 'chatapp' | 'viber'

export type Channel = 'rcs' | ChatappName | 'sms'

/** One channel, or several in the order in which they are tried: as `sms`, `rcs+chatapp+sms` or `rcs+viber+sms`. */
export type SendType = ChainOf<'rcs' | 'chatapp' | 'sms'> | ChainOf<'rcs' | 'viber' | 'sms'>

type ChainOf<C extends Channel, Each extends C = C> = Each extends Channel
  ? Each | ([Exclude<C, Each>] extends [never] ? never : `${Each}+${ChainOf<Exclude<C, Each>>}`)
  : never

export interface RecipientFields {
  /** Your own identifier, at most 64 characters. It comes back with the result and in reports, and may repeat. */
  readonly id?: Id | undefined
  /** With country code: digits, or a string with a leading plus, spaces and dashes. */
  readonly phone: number | string
}

/** Of a send: the phone, or the `user_id` of a WhatsApp user; without either, it goes to who wrote `reply_to`. */
export type SendRecipientFields = RecipientFields | (Partial<RecipientFields> & { readonly reply_to: number | string })

export interface SendingFields {
  /** `inbound_id` of a message that this one answers: quoted by WhatsApp. */
  readonly reply_to?: number | string | undefined
  /** Replace addresses in texts and buttons by short ones that count clicks. */
  readonly short_link?: boolean | undefined
  /** Put a link with which the recipient opts out at `{{unsubscribe}}`, or at the end of each text. */
  readonly unsubscribe_link?: boolean | undefined
  /** The http(s) address that reports are posted to, or `feed:` to read them with `events`. */
  readonly hook?: string | undefined
  /** What waits for the same carrier leaves in this order; above `transactional` only if the key may ask for it. */
  readonly priority?: 'otp' | 'transactional' | 'bulk' | undefined
  /**
   * When it is sent, up to 35 days ahead: a Date, or a time with its offset as in RFC 3339. One that has passed: at
   * once.
   */
  readonly send_at?: Date | string | undefined
}

export interface RcsFields {
  /** An approved RCS sender name. */
  readonly rcs_signature: string
  /** At most 3072 characters, 2000 with an image. */
  readonly rcs_message: string
  readonly rcs_image?: string | undefined
  /** What the button opens; without `rcs_button` it is put behind the text. */
  readonly rcs_link?: string | undefined
  /** The button's caption, at most 25 characters; only together with `rcs_link`. */
  readonly rcs_button?: string | undefined
  /** Seconds within which it must be delivered: 60 to 1,209,600, by default two days. */
  readonly rcs_lifetime?: number | string | undefined
}

/** What `chatapp_type` names is required; the rest is ignored. */
export type ChatappFields = ChatappText | ChatappImage | ChatappTextImage | ChatappTextLink | ChatappTextImageLink

interface ChatappAnyFields {
  /** An approved sender name of the chat app. */
  readonly chatapp_signature: string
  /** At most 1000 characters. */
  readonly chatapp_message?: string | undefined
  readonly chatapp_image?: string | undefined
  /** What the button opens. */
  readonly chatapp_link?: string | undefined
  /** The button's caption, at most 30 characters. */
  readonly chatapp_button?: string | undefined
}

export interface ChatappText extends ChatappAnyFields {
  readonly chatapp_type: 'text'
  readonly chatapp_message: string
}

export interface ChatappImage extends ChatappAnyFields {
  readonly chatapp_type: 'image'
  readonly chatapp_image: string
}

export interface ChatappTextImage extends ChatappAnyFields {
  readonly chatapp_type: 'text+image'
  readonly chatapp_message: string
  readonly chatapp_image: string
}

export interface ChatappTextLink extends ChatappAnyFields {
  readonly chatapp_type: 'text+link'
  readonly chatapp_message: string
  readonly chatapp_link: string
  readonly chatapp_button: string
}

export interface ChatappTextImageLink extends ChatappAnyFields {
  readonly chatapp_type: 'text+image+link'
  readonly chatapp_message: string
  readonly chatapp_image: string
  readonly chatapp_link: string
  readonly chatapp_button: string
}

/** Not in `rcs+chatapp+sms`, whose later steps have the account's lifetime. */
export interface ChatappLifetime {
  /** Seconds within which it must be delivered: 60 to 1,209,600. */
  readonly chatapp_lifetime?: number | string | undefined
}

/** Not in `rcs+chatapp+sms`, whose later steps have the account's lifetime. */
export interface SmsLifetime {
  /** Seconds within which it must be delivered: 60 to 1,209,600. */
  readonly sms_lifetime?: number | string | undefined
}

export interface SmsFields {
  /**
   * An approved sender name: 3 to 11 GSM characters, or 3 to 15 digits. Required unless the account has a default one.
   */
  readonly sms_signature?: string | undefined
  /** At most 10 SMS parts. */
  readonly sms_message: string
}

export interface TemplateFields {
  /** At most 10 SMS parts. */
  readonly template: string
  /** Unique in the account, at most 100 characters. */
  readonly name: string
}

/** What a hook may ask for. */
export type ReportType =
  | 'message.status'
  | 'link.clicked'
  | 'recipient.opted_out'
  | 'recipient.opted_in'
  | 'verify.status'
  | 'bulk.finished'
  | 'balance.low'
  | 'message.inbound'

export interface HookCreateFields {
  /** The http(s) address that reports are posted to. */
  readonly hook: string
  /** Types of reports that the hook gets; without it, all. */
  readonly events?: readonly ReportType[] | undefined
  /** At most 200 characters, shown in lists. */
  readonly description?: string | undefined
}

export interface HookNamingFields {
  readonly hook_id: number | string
}

/** What is absent stays as it is. */
export interface HookUpdateFields extends HookNamingFields, Partial<HookCreateFields> {}

export interface HookReplayFields {
  /** The hook whose reports are sent again, with or without its query; without it, all hooks. */
  readonly hook?: string | undefined
  /** Only reports of events at this time or later: a Date, or a time with its offset as in RFC 3339. */
  readonly since?: Date | string | undefined
}

export interface EventListFields {
  /**
   * `next` of an earlier page, or `cursor` of one of its events: the events up to there are acknowledged. Without it
   * the page begins after the last acknowledged event.
   */
  readonly after?: number | string | undefined
  /** Maximum number of events: 1 to 1,000, by default 100. */
  readonly limit?: number | string | undefined
}

export interface InboundListFields {
  /** `inbound_id` of an inbound message; the list continues after it. 0: from the beginning. */
  readonly after?: number | string | undefined
  /** Maximum number of messages: 1 to 200, by default 100. */
  readonly limit?: number | string | undefined
}

export interface TemplateListFields {
  /** `id` of a template; the list continues after it. */
  readonly after?: number | string | undefined
}

/** A template by its name or by the `id` that it was given; both must be right where both are given. */
export type TemplateNamingFields =
  | { readonly name: string; readonly id?: number | string | undefined }
  | { readonly name?: string | undefined; readonly id: number | string }

/** A message by the `msg_id` that it was given or by the `id` that its send had; by both where both are given. */
export type MessageNamingFields =
  | { readonly msg_id: number | string; readonly id?: Id | undefined }
  | { readonly msg_id?: number | string | undefined; readonly id: Id }

export type VerifyChannel = 'call' | 'telegram' | 'rcs' | 'chatapp' | 'sms'

export type VerifyLanguage = 'en' | 'de' | 'es' | 'fr' | 'it' | 'nl' | 'pl' | 'pt' | 'tr' | 'uk'

export interface VerifyStartFields extends RecipientFields {
  /** In the order in which they are tried; `['sms']` by default. */
  readonly channels?: readonly VerifyChannel[] | undefined
  /** Digits of the code in a text: 4 to 8, by default 6. */
  readonly length?: number | string | undefined
  /** Seconds within which the code must be checked: 60 to 3600, by default 600. */
  readonly lifetime?: number | string | undefined
  /** At most 300 characters, with `{code}` in place of the code. */
  readonly text?: string | undefined
  /** Of the text if there is none in `text`; `en` by default. */
  readonly language?: VerifyLanguage | undefined
  /** Required with `sms` unless the account has a default sender. */
  readonly sms_signature?: string | undefined
  /** Required with `rcs`. */
  readonly rcs_signature?: string | undefined
  /** Required with `chatapp`. */
  readonly chatapp_signature?: string | undefined
  /** The end user's IP address, to limit how many verifications one user starts. */
  readonly ip?: string | undefined
  /** The http(s) address that the report of its end is posted to. */
  readonly hook?: string | undefined
}

export interface VerifyCheckFields {
  /** Your own identifier of the check. It comes back with the result. */
  readonly id?: Id | undefined
  readonly verify_id: number | string
  /** What the recipient has typed: digits, as text because they may begin with a zero. */
  readonly code: string
}

export interface VerifyResendFields {
  /** Your own identifier of the operation. It comes back with the result. */
  readonly id?: Id | undefined
  readonly verify_id: number | string
}

export interface LookupFields extends RecipientFields {
  /** Seconds: an answer that is not older is used again; 0 to 86,400, by default a day. */
  readonly max_age?: number | string | undefined
}

/** What an operation without fields takes. */
export type NoFields = Readonly<Record<never, never>>

type FieldsOfChannel<T extends SendType, C extends Channel, F> = T extends
  | C
  | `${C}+${string}`
  | `${string}+${C}`
  | `${string}+${C}+${string}`
  ? F
  : NoFields

type Lifetime<T extends SendType, F> = T extends `rcs+${ChatappName}+sms` ? NoFields : F

/** Fields of the chat app under another name of it. */
type Renamed<F, N extends ChatappName> = F extends unknown
  ? { readonly [K in keyof F as K extends `chatapp_${infer Rest}` ? `${N}_${Rest}` : K]: F[K] }
  : never

type ChatappFieldsOf<T extends SendType, N extends ChatappName> = FieldsOfChannel<
  T,
  N,
  Renamed<ChatappFields, N> & Lifetime<T, Renamed<ChatappLifetime, N>>
>

type FieldsOfSend<T extends SendType> = SendRecipientFields &
  SendingFields &
  (T extends 'sms' ? NoFields : RichFields) &
  FieldsOfChannel<T, 'rcs', RcsFields> &
  ChatappFieldsOf<T, 'chatapp'> &
  ChatappFieldsOf<T, 'viber'> &
  FieldsOfChannel<T, 'sms', SmsFields & Lifetime<T, SmsLifetime>>

/** What a send would be: its type under another name, and its fields. */
export type PriceFields = { readonly [T in SendType]: { readonly send_type: T } & FieldsOfSend<T> }[SendType]

type Without<F, K extends string> = F extends unknown ? { readonly [P in keyof F as Exclude<P, K>]: F[P] } : never

/** A send to many: without what its lines say. Its texts may have placeholders such as `{{name}}`. */
export type BulkMessage = {
  readonly [T in SendType]: { readonly type: T } & Without<FieldsOfSend<T>, 'id' | 'phone' | 'send_at'>
}[SendType]

/** The fields of each operation, by its type. */
export type OperationFields = { readonly [T in SendType]: FieldsOfSend<T> } & {
  readonly 'call/otp': RecipientFields
  readonly 'template/create': TemplateFields
  readonly 'template/list': TemplateListFields
  readonly 'template/delete': TemplateNamingFields
  readonly 'template/chatapp/list': NoFields
  readonly 'template/viber/list': NoFields
  readonly balance: NoFields
  readonly price: PriceFields
  readonly status: MessageNamingFields
  readonly statistics: StatisticsFields
  readonly 'posting/list': PostingListFields
  readonly 'statement/get': StatementFields
  readonly cancel: MessageNamingFields
  readonly 'verify/start': VerifyStartFields
  readonly 'verify/check': VerifyCheckFields
  readonly 'verify/resend': VerifyResendFields
  readonly 'event/list': EventListFields
  readonly 'inbound/list': InboundListFields
  readonly 'hook/create': HookCreateFields
  readonly 'hook/list': NoFields
  readonly 'hook/update': HookUpdateFields
  readonly 'hook/rotate': HookNamingFields
  readonly 'hook/delete': HookNamingFields
  readonly 'hook/test': HookNamingFields
  readonly 'hook/replay': HookReplayFields
  readonly lookup: LookupFields
  readonly hlr: LookupFields
  readonly 'bulk/create': BulkCreateFields
  readonly 'bulk/start': BulkStartFields
  readonly 'bulk/pause': BulkNamingFields
  readonly 'bulk/stop': BulkNamingFields
  readonly 'bulk/status': BulkNamingFields
  readonly 'bulk/errors': BulkErrorsFields
  readonly 'bulk/list': BulkListFields
}

export type OperationType = keyof OperationFields

/** One operation; for a union of types, one of those. */
export type Operation<T extends OperationType = OperationType> = T extends OperationType
  ? { readonly type: T } & OperationFields[T]
  : never

/** Any send. */
export type Send = Operation<SendType>

/** Operations that may be executed twice: they change nothing, or acknowledge the same events again. */
const READING: readonly OperationType[] = [
  'template/list',
  'template/chatapp/list',
  'template/viber/list',
  'balance',
  'price',
  'status',
  'statistics',
  'posting/list',
  'statement/get',
  'event/list',
  'inbound/list',
  'hook/list',
  'bulk/status',
  'bulk/errors',
  'bulk/list',
]

export function onlyReads(operation: Operation): boolean {
  return READING.includes(operation.type)
}
