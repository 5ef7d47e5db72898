/**
 * The fields of operations, in the order of spec 2.3: the only place with the clients' snake_case names. The same table
 * reads requests and makes the OpenAPI document. Unknown fields are ignored (ignored-fields.ts); null and the empty
 * string mean that a field was not sent.
 */
import { DEFAULT_INBOUND_LISTED, MAX_INBOUND_LISTED } from '../../domain/inbound/inbound-message.ts'
import { TRAFFIC_CLASSES } from '../../domain/message/traffic-class.ts'
import { DEFAULT_EVENTS, MAX_EVENTS } from '../../domain/reports/event-feed.ts'
import { countParts } from '../../domain/text/text-parts.ts'
import { fitsTransliterated } from '../../domain/text/transliterate.ts'
import type { RequestObject } from '../request/envelope.ts'
import { needs, required, requiredOr, tooLong, tooManyParts } from '../request/error-texts.ts'
import type { Limits, ReadingRules } from '../request/limits.ts'
import { ItemRefused } from '../request/refused.ts'
import {
  ADDRESS,
  AFTER,
  CURSOR,
  choice,
  FLAG,
  fitsWithin,
  HOOK,
  ID,
  type Kind,
  NUMBER,
  PHONE,
  RECIPIENT,
  TIME,
  text,
  whole,
} from './kinds.ts'

export interface Field<N extends string = string, V = unknown, R extends boolean = boolean> {
  readonly name: N
  readonly kind: Kind<V>
  readonly required: R
  readonly description: string
  readonly rules: FieldRules
  /** The name inside Posthorn: `rcs_message` is `rcsMessage`. */
  readonly key: string
}

export interface FieldRules {
  /** A field that must be sent together with this one. */
  readonly needs?: string
  /** Required if the other field is not sent. */
  readonly orElse?: string
  /** A shorter limit that applies if the other field is sent too. */
  readonly shorterWith?: { readonly field: string; readonly maxCharacters: number }
  /** Required unless the account has a default, which the caller fills in. */
  readonly accountDefault?: true
  /** Required if the value of the other field, one of `types`, contains the word `part`; otherwise not used. */
  readonly partOf?: { readonly field: string; readonly part: string; readonly types: readonly string[] }
  /**
   * The text must fit the parts of one SMS: `sent` allows for short links and transliteration, `kept` counts the text
   * as it is.
   */
  readonly fitsSms?: 'sent' | 'kept'
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type ValueOf<F> = F extends Field<string, infer V, boolean> ? V : never
type Named<F extends readonly Field[], R extends boolean> = Extract<F[number], { readonly required: R }>

/** The result of `readFields` for a list of fields. */
export type Values<F extends readonly Field[]> = {
  readonly [E in Named<F, true> as Camel<E['name']>]: ValueOf<E>
} & { readonly [E in Named<F, false> as Camel<E['name']>]?: ValueOf<E> }

/** Of an SMS text as sent, with long addresses that short links will replace. */
export const SMS_TEXT_MAX = 8_192

export const ID_FIELD = optional('id', ID, "The client's own identifier, returned exactly as sent. Need not be unique.")

const PHONE_WRITTEN =
  'Phone number with country code: a number, or a string of digits of any script that may begin with a plus, `00` or `tel:` and have spaces, dots, slashes, dashes and brackets.'

export const PHONE_FIELD = mandatory('phone', PHONE, PHONE_WRITTEN)

export const RECIPIENT_FIELD = optional(
  'phone',
  RECIPIENT,
  `${PHONE_WRITTEN} Or the \`user_id\` of a report, which only WhatsApp reaches. Required without \`reply_to\`.`,
  { orElse: 'reply_to' },
)

export const REPLY_TO_FIELD = optional(
  'reply_to',
  NUMBER,
  '`inbound_id` of a message that this send answers; without `phone` it goes to who wrote it. WhatsApp shows it quoted; an SMS without `sms_signature` comes from the number that the recipient wrote to.',
)

export const HOOK_FIELD = optional('hook', HOOK, 'Address for delivery reports; `feed:` keeps them for event/list.')

export const PRIORITY_FIELD = optional(
  'priority',
  choice(TRAFFIC_CLASSES),
  'What waits for the same carrier leaves in this order. By default `bulk` with `send_at` and in bulks, otherwise that of the key, or `transactional`. A higher one than that of the key, or than `transactional`, is refused; in bulks `otp`, and `transactional` without a priority of the key.',
)

export const SENDING_FIELDS = [
  REPLY_TO_FIELD,
  optional('short_link', FLAG, 'Replaces addresses in texts and buttons by short links that count clicks.'),
  optional(
    'unsubscribe_link',
    FLAG,
    'Puts a link with which the recipient opts out of the sender at `{{unsubscribe}}`, or at the end of each text.',
  ),
  HOOK_FIELD,
  PRIORITY_FIELD,
  optional('send_at', TIME, 'Time to send the message, up to 35 days ahead. A past time sends it at once.'),
] as const

export const TEMPLATE_FIELDS = [
  mandatory('template', text(SMS_TEXT_MAX), 'Text of up to 10 SMS parts.', { fitsSms: 'kept' }),
  mandatory('name', text(100), 'Unique within the account.'),
] as const

export const MESSAGE_NAMING_FIELDS = [
  optional('msg_id', NUMBER, '`msg_id` of the message; required without id.', { orElse: 'id' }),
  optional(
    'id',
    ID,
    "The client's own identifier of the message; selects the newest of several. Digits match a number and a string.",
  ),
] as const

export const TEMPLATE_LIST_FIELDS = [
  optional('after', AFTER, '`id` of a template; the list continues after it. 0: from the beginning.'),
] as const

export const HOOK_REPLAY_FIELDS = [
  optional('hook', ADDRESS, 'Hook whose reports are sent again, with or without its query. Without it: all hooks.'),
  optional('since', TIME, 'Only reports of events at this time or later.'),
] as const

export const EVENT_LIST_FIELDS = [
  optional(
    'after',
    CURSOR,
    '`next` of an earlier answer, or `cursor` of one of its events: acknowledges the events up to there. Without it the list begins after the last acknowledged event.',
  ),
  optional('limit', whole(1, MAX_EVENTS, DEFAULT_EVENTS), 'Maximum number of events.'),
] as const

export const INBOUND_LIST_FIELDS = [
  optional('after', AFTER, '`inbound_id` of an inbound message; the list continues after it. 0: from the beginning.'),
  optional('limit', whole(1, MAX_INBOUND_LISTED, DEFAULT_INBOUND_LISTED), 'Maximum number of messages.'),
] as const

export const TEMPLATE_NAMING_FIELDS = [
  optional('name', text(100), 'Name of the template; required without id.', { orElse: 'id' }),
  optional('id', NUMBER, '`id` of the template.'),
] as const

/** Reads the listed fields of an item. Throws an ItemRefused for the first invalid one, in the order of the list. */
export function readFields<F extends readonly Field[]>(
  item: RequestObject,
  fields: F,
  limits: ReadingRules,
): Values<F> {
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const raw = item[field.name]
    if (isSent(raw)) {
      const value = field.kind.read(raw, field.name, limits)
      checkRules(item, field, value, limits)
      values[field.key] = value
    } else if (field.required || field.rules.accountDefault === true || isPartOfType(item, field)) {
      throw new ItemRefused(required(field.name))
    } else {
      checkAbsence(item, field)
    }
  }
  return values as Values<F>
}

/** Returns the id of an item as a JSON token, even if the item is invalid; null if it has none that can be echoed. */
export function echoedId(item: RequestObject, limits: Limits): string | null {
  try {
    return readFields(item, [ID_FIELD] as const, limits).id ?? null
  } catch {
    return null
  }
}

/** Returns whether a value was sent: null and the empty string mean that it was not. */
export function isSent(raw: unknown): boolean {
  return raw !== undefined && raw !== null && raw !== ''
}

function checkAbsence(item: RequestObject, { name, rules: { orElse } }: Field): void {
  if (orElse !== undefined && !isSent(item[orElse])) throw new ItemRefused(requiredOr(name, orElse))
}

/** Returns whether the type of the message leaves out the part that the field is for. */
export function isUnusedPart(item: RequestObject, field: Field): boolean {
  const { partOf } = field.rules
  return partOf?.types.some((type) => type === item[partOf.field]) === true && !isPartOfType(item, field)
}

function isPartOfType(item: RequestObject, { rules: { partOf } }: Field): boolean {
  return partOf !== undefined && String(item[partOf.field]).split('+').includes(partOf.part)
}

function checkRules(item: RequestObject, field: Field, value: unknown, limits: Limits): void {
  const { needs: other, shorterWith, fitsSms } = field.rules
  if (other !== undefined && !isSent(item[other])) throw new ItemRefused(needs(field.name, other))
  if (typeof value !== 'string') return
  if (shorterWith !== undefined && isSent(item[shorterWith.field]) && !fitsWithin(value, shorterWith.maxCharacters)) {
    throw new ItemRefused(tooLong(field.name, shorterWith.maxCharacters, shorterWith.field))
  }
  // Not every account sends transliterated texts, so the parts are counted again once the account is known.
  const fits =
    fitsSms === undefined ||
    countParts(value) <= limits.smsParts ||
    (fitsSms === 'sent' && (hasLinks(item) || fitsTransliterated(value, limits.smsParts)))
  if (!fits) throw new ItemRefused(tooManyParts(field.name, limits.smsParts))
}

/** Links of ours will change the length of the text. */
function hasLinks(item: RequestObject): boolean {
  return item['short_link'] === true || item['unsubscribe_link'] === true
}

export function mandatory<const N extends string, V>(
  name: N,
  kind: Kind<V>,
  description: string,
  rules: FieldRules = {},
) {
  return { name, kind, required: true, description, rules, key: camel(name) } satisfies Field as Field<N, V, true>
}

export function optional<const N extends string, V>(
  name: N,
  kind: Kind<V>,
  description: string,
  rules: FieldRules = {},
) {
  return { name, kind, required: false, description, rules, key: camel(name) } satisfies Field as Field<N, V, false>
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
