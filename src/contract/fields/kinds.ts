/**
 * The kinds of field values. Each reads a value and describes it for OpenAPI, side by side so that they cannot drift.
 * Reading throws an ItemRefused that names the field and the rule.
 */
import { descriptorOf, type MessageChannel } from '../../domain/channels/channel.ts'
import { readAddress } from '../../domain/network/networks.ts'
import { isNationalNumber, type Phone, readPhone, readUserId } from '../../domain/numbers/phone.ts'
import { digitsOf } from '../../domain/numbers/written-digits.ts'
import { EVENT_FEED } from '../../domain/reports/event-feed.ts'
import { isGsmText } from '../../domain/text/gsm-alphabet.ts'
import {
  hasHiddenCharacters,
  hasTooManyMarks,
  isBlank,
  isStorable,
  MAX_COMBINING_MARKS,
} from '../../domain/text/hidden-characters.ts'
import { readWhole, wholeNumber } from '../../domain/text/schema-rule.ts'
import { lacksOffset, looksLikeTime, readTime, readTimeIn } from '../../domain/time/read-time.ts'
import {
  blank,
  ITEM_ERRORS,
  lacksItsOffset,
  needsCountryCode,
  noSuchTime,
  notACode,
  notACursor,
  notAFlag,
  notALifetime,
  notAListOf,
  notANumber,
  notAnAddress,
  notAnId,
  notAnIpAddress,
  notATime,
  notInRange,
  notOneOf,
  notText,
  tooLong,
  tooManyMarks,
} from '../request/error-texts.ts'
import type { Limits, ReadingRules } from '../request/limits.ts'
import { JsonToken } from '../request/read-json.ts'
import { ItemRefused } from '../request/refused.ts'

export interface Kind<V> {
  /** `raw` is neither undefined, null nor empty. */
  read(raw: unknown, name: string, rules: ReadingRules): V
  /** JSON Schema 2020-12. */
  schema(limits: Limits): object
}

const ID_MAX_CHARACTERS = 64
/** In quotes, with every character written as two escapes such as `\ud83d`. */
const ID_MAX_TOKEN_CHARACTERS = 2 + 12 * ID_MAX_CHARACTERS
const ADDRESS_MAX_CHARACTERS = 2_048
const IP_MAX_CHARACTERS = 45
/** Unicode characters of a sender name outside SMS. */
export const SENDER_MAX_CHARACTERS = 40
const WHOLE_MAX_DIGITS = 7
/** With the dot of the root. */
const MAX_HOST_CHARACTERS = 254

/** The client's own identifier, kept as the JSON token that was sent. */
export const ID: Kind<string> = {
  read(raw) {
    if (typeof raw === 'number') return String(raw)
    if (typeof raw === 'string' && fitsWithin(raw, ID_MAX_CHARACTERS)) return JSON.stringify(raw)
    if (raw instanceof JsonToken && isShortToken(raw.source)) return raw.source
    throw new ItemRefused(notAnId(ID_MAX_CHARACTERS))
  },
  schema: () => ({
    anyOf: [{ type: 'integer' }, { type: 'number' }, { type: 'string', maxLength: ID_MAX_CHARACTERS }],
  }),
}

function isShortToken(source: string): boolean {
  if (!source.startsWith('"')) return source.length <= ID_MAX_CHARACTERS
  return source.length <= ID_MAX_TOKEN_CHARACTERS && fitsWithin(JSON.parse(source), ID_MAX_CHARACTERS)
}

/** An identifier assigned by the gateway. */
export const NUMBER: Kind<number> = {
  read(raw, name) {
    const text = raw instanceof JsonToken ? raw.source : typeof raw === 'object' ? '' : String(raw)
    const number = /^\d{1,16}$/.test(text) ? Number(text) : 0
    if (!Number.isSafeInteger(number) || number === 0) throw new ItemRefused(notANumber(name))
    return number
  },
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[0-9]{1,16}$' },
    ],
  }),
}

export const PHONE: Kind<Phone> = {
  read(raw, name, { nationalCountry }) {
    const text = typeof raw === 'string' ? raw : Number.isSafeInteger(raw) && Number(raw) > 0 ? String(raw) : ''
    const phone = readPhone(text, nationalCountry)
    if (phone === null)
      throw new ItemRefused(isNationalNumber(text) ? needsCountryCode(name) : ITEM_ERRORS.invalidPhone)
    return phone
  },
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: 1_000_000, maximum: 999_999_999_999_999 },
      { type: 'string', minLength: 1, maxLength: 32 },
    ],
  }),
}

/** A phone, or the user id of a recipient who keeps it secret. */
export const RECIPIENT: Kind<Phone> = {
  read: (raw, name, rules) => (typeof raw === 'string' ? readUserId(raw) : null) ?? PHONE.read(raw, name, rules),
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: 1_000_000, maximum: 999_999_999_999_999 },
      { type: 'string', minLength: 1, maxLength: 140 },
    ],
  }),
}

export const FLAG: Kind<boolean> = {
  read(raw, name) {
    if (typeof raw !== 'boolean') throw new ItemRefused(notAFlag(name))
    return raw
  },
  schema: () => ({ type: 'boolean', default: false }),
}

export const LIFETIME: Kind<number> = {
  read(raw, name, { lifetimeMinSeconds: least, lifetimeMaxSeconds: most }) {
    return readWithin(raw, least, most) ?? refuse(notALifetime(name, least, most))
  },
  schema: ({ lifetimeMinSeconds, lifetimeMaxSeconds, lifetimeDefaultSeconds }) =>
    wholeSchema(lifetimeMinSeconds, lifetimeMaxSeconds, lifetimeDefaultSeconds),
}

/** Milliseconds since 1970. */
export const TIME: Kind<number> = {
  read(raw, name, { timeZone }) {
    const text = typeof raw === 'string' ? raw : ''
    const at = timeZone === undefined ? readTime(text) : readTimeIn(timeZone, text)
    if (at === null) throw new ItemRefused(whyNotATime(text)(name))
    return at
  },
  schema: () => ({ type: 'string', format: 'date-time' }),
}

function whyNotATime(text: string): (field: string) => string {
  if (lacksOffset(text)) return lacksItsOffset
  return looksLikeTime(text) ? noSuchTime : notATime
}

export const ADDRESS: Kind<string> = {
  read(raw, name) {
    if (typeof raw === 'string' && !fitsWithin(raw, ADDRESS_MAX_CHARACTERS)) {
      throw new ItemRefused(tooLong(name, ADDRESS_MAX_CHARACTERS))
    }
    if (typeof raw !== 'string' || !isAbsoluteAddress(raw)) throw new ItemRefused(notAnAddress(name))
    return raw
  },
  schema: () => ({
    type: 'string',
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
    maxLength: ADDRESS_MAX_CHARACTERS,
  }),
}

/** An http(s) address that reports are posted to, or the event feed. */
export const HOOK: Kind<string> = {
  read: (raw, name, limits) => (raw === EVENT_FEED ? EVENT_FEED : ADDRESS.read(raw, name, limits)),
  schema: (limits) => ({ anyOf: [ADDRESS.schema(limits), { enum: [EVENT_FEED] }] }),
}

/** An identifier that a list continues after; 0 for the beginning. */
export const AFTER: Kind<number> = {
  read: (raw, name, limits) => (raw === 0 || raw === '0' ? 0 : NUMBER.read(raw, name, limits)),
  schema: () => ({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^[0-9]{1,16}$' },
    ],
  }),
}

/** Position in the event feed, as a text that clients only store and return; a number that a program made of it too. */
export const CURSOR: Kind<number> = {
  read(raw, name) {
    const text = typeof raw === 'number' ? String(raw) : raw
    const position = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isSafeInteger(position)) throw new ItemRefused(notACursor(name))
    return position
  },
  schema: () => ({
    anyOf: [
      { type: 'string', pattern: '^[0-9]{1,16}$' },
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    ],
  }),
}

/** Text of a maximum number of Unicode characters. Its length is checked before anything else scans it. */
export function text(maxCharacters: number): Kind<string> {
  return {
    read(raw, name) {
      if (typeof raw !== 'string') throw new ItemRefused(notText(name))
      if (!fitsWithin(raw, maxCharacters)) throw new ItemRefused(tooLong(name, maxCharacters))
      if (!isStorable(raw)) throw new ItemRefused(notText(name))
      if (isBlank(raw)) throw new ItemRefused(blank(name))
      if (hasTooManyMarks(raw)) throw new ItemRefused(tooManyMarks(name, MAX_COMBINING_MARKS))
      return raw
    },
    schema: () => ({ type: 'string', minLength: 1, maxLength: maxCharacters }),
  }
}

export function sender(channel: MessageChannel): Kind<string> {
  return {
    read(raw, name) {
      if (typeof raw !== 'string' || !isSenderName(channel, raw)) throw new ItemRefused(ITEM_ERRORS.alphaName, name)
      return raw
    },
    schema: () =>
      descriptorOf(channel).sender === 'number or name'
        ? { type: 'string', minLength: 3, maxLength: 15 }
        : { type: 'string', minLength: 1, maxLength: SENDER_MAX_CHARACTERS },
  }
}

export function choice<const V extends string>(values: readonly V[]): Kind<V> {
  return {
    read(raw, name) {
      const value = values.find((each) => each === raw)
      if (value === undefined) throw new ItemRefused(notOneOf(name, values))
      return value
    },
    schema: () => ({ enum: values }),
  }
}

/** Different values of these, at least one, in any order. */
export function listOf<V extends string>(values: readonly V[], standard?: readonly V[]): Kind<readonly V[]> {
  return {
    read(raw, name) {
      const list = Array.isArray(raw) && raw.length <= values.length ? raw : []
      const read = values.filter((each) => list.includes(each))
      if (list.length === 0 || read.length !== list.length) throw new ItemRefused(notAListOf(name, values))
      return list
    },
    schema: () => ({
      type: 'array',
      items: { enum: values },
      minItems: 1,
      maxItems: values.length,
      uniqueItems: true,
      ...(standard === undefined ? {} : { default: standard }),
    }),
  }
}

/** A whole number, also as a string of digits. */
export function whole(min: number, max: number, standard: number): Kind<number> {
  return {
    read: (raw, name) => readWithin(raw, min, max) ?? refuse(notInRange(name, min, max)),
    schema: () => wholeSchema(min, max, standard),
  }
}

export function seconds(min: number, max: number, standard: number): Kind<number> {
  return {
    read: (raw, name) => readWithin(raw, min, max) ?? refuse(notALifetime(name, min, max)),
    schema: () => wholeSchema(min, max, standard),
  }
}

function readWithin(raw: unknown, min: number, max: number): number | null {
  const isLong = typeof raw === 'string' && raw.length > WHOLE_MAX_DIGITS
  return isLong ? null : readWhole(raw, wholeNumber(min, max))
}

function wholeSchema(min: number, max: number, standard: number): object {
  return {
    anyOf: [wholeNumber(min, max), { type: 'string', pattern: `^[0-9]{1,${WHOLE_MAX_DIGITS}}$` }],
    default: standard,
  }
}

function refuse(text: string): never {
  throw new ItemRefused(text)
}

/** An IPv4 or IPv6 address, returned in its shortest spelling. */
export const IP_ADDRESS: Kind<string> = {
  read(raw, name) {
    const address = typeof raw === 'string' && raw.length <= IP_MAX_CHARACTERS ? readAddress(raw) : null
    return address ?? refuse(notAnIpAddress(name))
  },
  schema: () => ({
    anyOf: [
      { type: 'string', format: 'ipv4' },
      { type: 'string', format: 'ipv6' },
    ],
  }),
}

/** A one-time code as typed, possibly longer than any that was sent. A number could lack zeros in front. */
/** With what is typed or pasted around and between its digits. */
const CODE_MAX_CHARACTERS = 64

export const CODE: Kind<string> = {
  read(raw, name) {
    const code = typeof raw === 'string' && raw.length <= CODE_MAX_CHARACTERS ? digitsOf(raw) : null
    if (code === null || !/^\d{4,10}$/.test(code)) throw new ItemRefused(notACode(name))
    return code
  },
  schema: () => ({ type: 'string', pattern: '^[0-9]{4,10}$' }),
}

/** The URL parser accepts white space and control characters; carriers and hooks would not. */
export function isAbsoluteAddress(address: string): boolean {
  return (
    /^https?:\/\/[^\s\p{Cc}]+$/iu.test(address) &&
    address.isWellFormed() &&
    !hasLongForeignHost(address) &&
    URL.canParse(address)
  )
}

/**
 * Returns whether the host has characters outside ASCII and is longer than any name in the DNS (RFC 1035, 2.3.4): its
 * conversion to ASCII would take hundreds of microseconds.
 */
function hasLongForeignHost(address: string): boolean {
  if (address.length <= MAX_HOST_CHARACTERS) return false
  const [, authority = ''] = /^https?:[/\\]+([^/?#\\]*)/i.exec(address) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  return host.length > MAX_HOST_CHARACTERS && /[^ -~]/.test(host)
}

/** Lengths in the contract: Unicode characters (code points), however they are stored in memory. */
export function countCharacters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1
      index += 1
    }
  }
  return count
}

/** Returns `countCharacters(text) <= max`, without counting if the length in memory decides. */
export function fitsWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max)
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}

/**
 * Whether a sender name can exist at all; whether an account may use it is the directory's answer. SMS: 3 to 15 digits,
 * or 3 to 11 characters of the GSM alphabet. RCS and chat app: 1 to 40 characters.
 */
export function isSenderName(channel: MessageChannel, name: string): boolean {
  if (!fitsWithin(name, SENDER_MAX_CHARACTERS) || name !== name.trim() || hasHiddenCharacters(name)) return false
  if (descriptorOf(channel).sender === 'name') return name !== '' && name.isWellFormed()
  return /^\d{3,15}$/.test(name) || (name.length >= 3 && name.length <= 11 && isGsmText(name))
}
