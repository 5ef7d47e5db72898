/**
 * Phone numbers: E.164 digits without the plus. A number is possible if its length is one that its country code
 * assigns; the check takes about a microsecond. Only carriers know whether a number is in use.
 */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'
import { NUMBER_CHANGES } from './number-changes.ts'
import { PrefixTable } from './prefix-table.ts'
import { latinDigits } from './written-digits.ts'

declare const phone: unique symbol

/**
 * 7 to 15 digits that begin with a country code. In the place of a recipient's phone may be a *user id*: what WhatsApp
 * calls users who keep their number to themselves (docs/decisions/0051-user-ids-in-the-place-of-phones.md).
 */
export type Phone = string & { readonly [phone]: true }

/**
 * Reads digits of any script with an optional plus or `00`, and separators, also as a `tel:` address; null for an
 * impossible number. Drops a trunk prefix after the country code, as in `+49 (0)170 1234500`, if the country has one,
 * and returns the current form of a number that its country no longer has. With a `country`, a number that begins with
 * its trunk prefix and cannot be international, `0170 1234500`, is one of it.
 */
export function readPhone(text: string, country: string | null = null): Phone | null {
  const written = plainOf(text)
  if (written === null) return null
  const digits = written.replace(/^(?:\+|00)/, '')
  const phone = readInternational(digits)
  return phone === null && country !== null && digits === written ? readNational(written, country) : phone
}

/**
 * The country, a dot, and at most 128 letters and digits: `US.13491208655302741918`. With `ENT.` it is the name of the
 * same user for several business portfolios, and another id. Meta does not say whether case counts: what is sent to it
 * stays as it was written, and ids are compared without.
 */
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/

/** Reads a user id; null for anything else. */
export function readUserId(text: string): Phone | null {
  return USER_ID.test(text) ? (text as Phone) : null
}

/** Returns whether it is a user id in the place of a phone. */
export function isUserId(phone: string): boolean {
  return phone.charCodeAt(0) > ZERO + 9
}

/** The members of a report or answer that name the recipient, who has no name after an erasure. */
export function recipientFacts(phone: string): { readonly phone: number | null; readonly user_id?: string } {
  if (isUserId(phone)) return { phone: null, user_id: phone }
  return { phone: phone === '' ? null : Number(phone) }
}

/** Reads a phone as `readPhone` does, or a user id. */
export function readRecipient(text: string, country: string | null = null): Phone | null {
  return readUserId(text) ?? readPhone(text, country)
}

function readInternational(digits: string): Phone | null {
  const code = CODES.find(digits)
  if (!hasTrunkPrefix(digits, code)) return isPossible(digits, code) ? (digits as Phone) : renumbered(digits)
  const number = withoutTrunkPrefix(digits, code)
  return number !== null && isPossible(number, CODES.find(number)) ? (number as Phone) : null
}

/** Reads a number that begins with the trunk prefix of the country, and not with its prefix of calls abroad. */
function readNational(digits: string, country: string): Phone | null {
  const plan: readonly unknown[] | undefined = metadata.countries[country as CountryCode]
  const [, abroad, , , , trunk] = plan ?? []
  if (typeof trunk !== 'string' || !digits.startsWith(trunk)) return null
  return new RegExp(`^(?:${String(abroad)})`).test(digits) ? null : parseNational(digits, country)
}

function parseNational(digits: string, country: string): Phone | null {
  const parsed = parsePhoneNumberFromString(digits, { defaultCountry: country as CountryCode }, metadata)
  const number = parsed?.number.slice(1) ?? ''
  return isPossible(number, CODES.find(number)) ? (number as Phone) : null
}

/**
 * Returns every form of a phone, the current one first: what is stored about a phone is stored under the first form,
 * and looked up under all of them. The first form of a user id is in capitals.
 */
export function formsOf(phone: Phone): readonly [Phone, ...Phone[]] {
  if (isUserId(phone)) {
    const capitals = phone.toUpperCase() as Phone
    return capitals === phone ? [phone] : [capitals, phone]
  }
  const changes = CHANGES_BY_DIGITS.get((phone.charCodeAt(0) - ZERO) * 10 + phone.charCodeAt(1) - ZERO)
  if (changes === undefined) return [phone]
  for (const { parts, patterns } of changes) {
    const written = patterns.map((pattern) => pattern.exec(phone)).find((match) => match !== null)
    if (written === undefined) continue
    const [first, ...others] = parts.map((part) => `${written[1]}${part}${written[2]}` as Phone)
    return [first ?? phone, ...others]
  }
  return [phone]
}

/**
 * Returns a number in national format of the country with its country code; any other text unchanged. `isNational`: its
 * carrier says that it is one, with or without the trunk prefix.
 */
export function withCountryCode(text: string, country: string | null, isNational = false): string {
  if (country !== null && isNational && !hasCodeOf(text, country)) return parseNational(text, country) ?? text
  return country === null || readPhone(text) !== null ? text : (readPhone(text, country) ?? text)
}

/** Returns whether a number is one of the country with its code, whatever the carrier says. */
function hasCodeOf(text: string, country: string): boolean {
  const phone = readPhone(text)
  return phone !== null && callingCodeOf(phone) === metadata.countries[country as CountryCode]?.[0]
}

/** Returns whether national numbers of the country are recognizable: they begin with a trunk prefix. */
export function hasNationalNumbers(country: string): boolean {
  const plan: readonly unknown[] | undefined = metadata.countries[country as CountryCode]
  return typeof plan?.[5] === 'string'
}

/** Returns whether a text that a carrier or client wrote is a form of this phone, or the same user id. */
export function isFormOf(phone: Phone, text: string): boolean {
  const read = readRecipient(text)
  return read !== null && (read === phone || formsOf(phone)[0] === formsOf(read)[0])
}

/**
 * Returns the current form of a number that is possible only in it, or without a prefix that is dialled inside the
 * country (`+54 11 15 …`); null if there is none.
 */
function renumbered(digits: string): Phone | null {
  if (KEPT.test(digits)) return digits as Phone
  const form = formsOf(digits as Phone).find((each) => isPossible(each, CODES.find(each)))
  if (form !== undefined || digits.length > MAX_WITH_PREFIX) return form ?? null
  const parsed = parsePhoneNumberFromString(`+${digits}`, {}, metadata)
  const number = parsed?.isValid() === true ? parsed.number.slice(1) : ''
  return isPossible(number, CODES.find(number)) ? (number as Phone) : null
}

/** Digits of the longest number with such a prefix. */
const MAX_WITH_PREFIX = 20

/** Former numbers that carriers still take: mobiles of Mexico. */
const KEPT = /^521[2-9]\d{9}$/

/** Returns whether the text is a number in national format, such as `0170 1234500`. */
export function isNationalNumber(text: string): boolean {
  return /^0(?!0)/.test(plainOf(text) ?? '')
}

/** Nothing but a number with its country code, as nearly every client sends it. */
const USUAL = /^[1-9]\d{0,31}$/

/** A number written by a spreadsheet: its zeros are not digits of the phone. */
const DECIMAL = /^\+?\d+\.0{1,2}$/

/** Characters between the digits of a written number; pasted text also has marks of its direction. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212()./]/gu

/** Returns the digits, after a plus if there is one; null if the text is not a number. */
function plainOf(text: string): string | null {
  if (USUAL.test(text)) return text
  if (text.length > 32) return null
  const latin = latinDigits(text).replace(/^\s*tel:/i, '')
  const plain = latin.replace(BETWEEN, '')
  return /^\+?\d+$/.test(plain) && !DECIMAL.test(latin.trim()) ? plain : null
}

function hasTrunkPrefix(digits: string, code: CallingCode | undefined): boolean {
  return code?.trunkPrefixes.some((prefix) => digits.startsWith(prefix, code.code.length)) === true
}

/**
 * Some numbers legitimately begin with those digits (`+7 800 …`): the library knows them. Returns null for the rest of
 * `+49 00…`.
 */
function withoutTrunkPrefix(digits: string, code: CallingCode | undefined): string | null {
  const parsed = parsePhoneNumberFromString(`+${digits}`, {}, metadata)
  if (parsed === undefined) return null
  const number = parsed.number.slice(1)
  return number !== digits && hasTrunkPrefix(number, code) && !parsed.isValid() ? null : number
}

function isPossible(digits: string, code: CallingCode | undefined): boolean {
  if (digits.length < 7 || digits.length > 15 || digits.startsWith('0')) return false
  return code?.lengths.has(digits.length - code.code.length) === true
}

/** Returns the calling code of a number: of one country, several or none (`870`). Empty if there is none. */
export function callingCodeOf(digits: string): string {
  return CODES.find(digits)?.code ?? ''
}

interface CallingCode {
  readonly code: string
  /** Possible lengths of the number after it. */
  readonly lengths: ReadonlySet<number>
  /** Of its countries. */
  readonly trunkPrefixes: readonly string[]
}

/**
 * If countries share a code, the plan of the first in the metadata counts for all. Codes of no country, such as 800 and
 * 870, have plans of their own.
 */
const CODES = new PrefixTable<CallingCode>()
for (const [code, countries] of Object.entries(metadata.country_calling_codes)) {
  const plans = countries.map((country) => metadata.countries[country])
  CODES.set(code, { code, lengths: lengthsOf(plans[0]), trunkPrefixes: trunkPrefixesOf(plans) })
}
for (const [code, plan] of Object.entries(metadata.nonGeographic)) {
  CODES.set(code, { code, lengths: lengthsOf(plan), trunkPrefixes: [] })
}

/** In the metadata, entry 3 of a numbering plan lists the possible lengths. */
function lengthsOf(plan: unknown): ReadonlySet<number> {
  return new Set((plan as readonly [unknown, unknown, unknown, readonly number[]] | undefined)?.[3] ?? [])
}

/** Entry 5 is the trunk prefix. */
function trunkPrefixesOf(plans: readonly unknown[]): readonly string[] {
  const prefixes = plans.map((plan) => (plan as readonly unknown[] | undefined)?.[5])
  return [...new Set(prefixes.filter((prefix) => typeof prefix === 'string'))]
}

/** The changes by the first two digits of the numbers that they concern. */
const CHANGES_BY_DIGITS = new Map<number, { parts: readonly string[]; patterns: readonly RegExp[] }[]>()
for (const [before, parts, after] of NUMBER_CHANGES) {
  const change = { parts, patterns: parts.map((part) => new RegExp(`^(${before})${part}(${after})$`)) }
  for (const digits of new Set(parts.map((part) => Number(`${before}${part}`.slice(0, 2))))) {
    CHANGES_BY_DIGITS.set(digits, [...(CHANGES_BY_DIGITS.get(digits) ?? []), change])
  }
}

const ZERO = 0x30
