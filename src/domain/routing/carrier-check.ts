/**
 * Checks of a carrier's receipts: a text to a number of ours goes by this carrier alone, and has to come back as an
 * inbound message. A carrier that reports it as delivered, and it never came, writes its receipts itself.
 */
import type { RoutedChannel } from '../channels/channel.ts'
import type { MessageId } from '../ids/message-id.ts'
import type { AccountInbound } from '../inbound/inbound-message.ts'
import { type InboundNumber, inboundAddressOf, inboundFormsOf } from '../inbound/inbound-number.ts'
import type { Message } from '../message/message.ts'
import { type Country, countryOf } from '../numbers/country.ts'
import { type Phone, readPhone } from '../numbers/phone.ts'
import { hashText } from '../structures/hash-text.ts'
import { fillNamedValues } from '../text/named-values.ts'

/** `waiting`: was sent, and has neither come nor been given up. */
export const CHECK_OUTCOMES = ['waiting', 'arrived', 'false receipt', 'missing', 'not sent'] as const

/** The last check of a carrier in a country. */
export interface CarrierCheck {
  readonly carrierId: string
  readonly country: Country
  /** What the text and the inbound message have in common. */
  readonly token: string
  /** Null if none was sent. */
  readonly messageId: MessageId | null
  /** Milliseconds. */
  readonly sentAt: number
  readonly outcome: (typeof CHECK_OUTCOMES)[number]
  /** Milliseconds: when it came or was given up; null while it waits. */
  readonly endedAt: number | null
  /** More about an outcome, for operators; null if there is nothing to say. */
  readonly detail: string | null
}

/** A check that takes the place of another one, unless that has changed: of several nodes one makes it. */
export interface CheckChange {
  readonly check: CarrierCheck
  /** As its writer has seen it; null for none. */
  readonly before: Pick<CarrierCheck, 'token' | 'outcome'> | null
}

/** What carriers have as their setting `check`. */
export interface CheckSettings {
  /** Of different countries. */
  readonly numbers: readonly string[]
  readonly sender?: string
  /** With `{{token}}`. */
  readonly text: string
  /** Seconds. */
  readonly every: number
  readonly within: number
}

/** A number of a carrier that is checked. */
export interface CheckedNumber {
  readonly carrierId: string
  readonly phone: Phone
  readonly country: Country
  readonly settings: CheckSettings
}

export const CHECK_PLACEHOLDER = '{{token}}'
export const MAX_CHECKED_NUMBERS = 50

/** Other texts hardly contain such a word: random digits, and those of what the check depends on. */
const RANDOM_DIGITS = 8
const BASIS_DIGITS = 4
const TOKEN = /\bph\d{12}\b/gi
/** A check that could not be sent is tried again sooner. */
const MAX_RETRY_MS = 3_600_000

/** Throws an Error unless the numbers are phones of different countries: the text follows the name of the setting. */
export function checkNumbers(numbers: readonly string[]): void {
  const countries = numbers.map((number) => {
    const phone = readPhone(number)
    const country = phone === null ? null : countryOf(phone)
    if (country === null) throw new Error(`should have phone numbers with a country code: ${number} is none`)
    return country
  })
  const twice = countries.find((country, index) => countries.indexOf(country) !== index)
  if (twice !== undefined) throw new Error(`should have one number of each country, and has two of ${twice}`)
}

interface CheckedCarrier {
  readonly id: string
  readonly channel: RoutedChannel
  readonly settings: unknown
}

type InstalledCarrier = CheckedCarrier & { readonly draining: boolean }

/** Returns the numbers of a carrier, whose settings were checked when they were stored; none without checks. */
export function numbersOf({ id: carrierId, channel, settings: given }: CheckedCarrier): readonly CheckedNumber[] {
  const settings = channel === 'sms' ? readCheck(given) : null
  if (settings === null) return []
  return settings.numbers.flatMap((number) => {
    const phone = readPhone(number)
    const country = phone === null ? null : countryOf(phone)
    return phone === null || country === null ? [] : [{ carrierId, phone, country, settings }]
  })
}

/** Of carriers that take messages. */
export function checkedNumbers(carriers: readonly InstalledCarrier[]): readonly CheckedNumber[] {
  return carriers.flatMap((carrier) => (carrier.draining ? [] : numbersOf(carrier)))
}

interface Checks {
  readonly carrierChecks: readonly CarrierCheck[]
  readonly inboundNumbers: readonly InboundNumber[]
}

/** Returns the last check of each number of carriers that take messages, unless what it depends on has changed. */
export function lastChecks(rows: Checks & { readonly carriers: readonly InstalledCarrier[] }): readonly CarrierCheck[] {
  return checkedNumbers(rows.carriers).flatMap((number) => validCheckOf(number, rows) ?? [])
}

/** Returns the last check of a number; undefined as well if what it depends on has changed since. */
export function validCheckOf(
  number: CheckedNumber,
  { carrierChecks, inboundNumbers }: Checks,
): CarrierCheck | undefined {
  const last = lastCheckOf(number, carrierChecks)
  return last?.token.endsWith(basisOf(number, inboundNumbers)) === true ? last : undefined
}

/** Returns digits of what the outcome of a check depends on: the number, sender and text, and who receives it. */
function basisOf(number: CheckedNumber, inboundNumbers: readonly InboundNumber[]): string {
  const { phone, settings } = number
  const receivers = inboundNumbersOf(number, inboundNumbers).map((each) => [
    ...[each.carrierId, each.address, each.keyword, each.accountId],
  ])
  const basis = JSON.stringify([phone, settings.sender, settings.text, receivers])
  return String(hashText(basis) % 10 ** BASIS_DIGITS).padStart(BASIS_DIGITS, '0')
}

export function lastCheckOf(
  { carrierId, country }: CheckedNumber,
  checks: readonly CarrierCheck[],
): CarrierCheck | undefined {
  return checks.find((each) => each.carrierId === carrierId && each.country === country)
}

function readCheck(settings: unknown): CheckSettings | null {
  const { check, constants, secrets } = Object(settings) as Readonly<Record<string, unknown>>
  if (check === undefined) return null
  try {
    const filled = fillNamedValues({ check, constants, secrets }) as { readonly check: Partial<CheckSettings> }
    return { ...CHECK_DEFAULTS, numbers: [], ...filled.check }
  } catch {
    return null
  }
}

export const CHECK_DEFAULTS = { text: `Posthorn check ${CHECK_PLACEHOLDER}`, every: 86_400, within: 900 } as const

/** Returns those that are the checked number: which carriers receive its messages, for which accounts. */
export function inboundNumbersOf(
  number: Pick<CheckedNumber, 'phone'>,
  inboundNumbers: readonly InboundNumber[],
): readonly InboundNumber[] {
  return inboundNumbers.filter(({ address }) => isOfNumber(number, address))
}

/** Returns whether the address to which a message came is the checked number, however its carrier writes it. */
export function isOfNumber({ phone }: Pick<CheckedNumber, 'phone'>, address: string): boolean {
  return inboundFormsOf(phone).includes(inboundAddressOf(address))
}

/** Returns whether an inbound message is the text of a check, also of one that is over. */
export function isTextOfCheck(
  { recipient, text }: Pick<AccountInbound, 'recipient' | 'text'>,
  carriers: readonly CheckedCarrier[],
): boolean {
  return tokensIn(text).length > 0 && carriers.flatMap(numbersOf).some((number) => isOfNumber(number, recipient))
}

/** Whether a number is to be checked now. @param now milliseconds. */
export function isCheckDue({ settings }: CheckedNumber, last: CarrierCheck | undefined, now: number): boolean {
  if (last === undefined) return true
  if (last.outcome === 'waiting') return false
  const everyMs = settings.every * 1_000
  const waitMs = last.outcome === 'not sent' ? Math.min(everyMs, MAX_RETRY_MS) : everyMs
  // A clock that was set back must not stop the checks.
  return now - last.sentAt >= waitMs || last.sentAt > now
}

/** Returns a token that no text contains by chance. @param bytes random ones, at least 8. */
export function makeToken(
  bytes: Uint8Array,
  number: CheckedNumber,
  { inboundNumbers }: Pick<Checks, 'inboundNumbers'>,
): string {
  const random = [...bytes.subarray(0, RANDOM_DIGITS)].map((byte) => byte % 10)
  return `ph${random.join('')}${basisOf(number, inboundNumbers)}`
}

export function writeCheckText({ text }: CheckSettings, token: string): string {
  return text.replaceAll(CHECK_PLACEHOLDER, token)
}

/** Returns the tokens in a text, as they were made. */
export function tokensIn(text: string): readonly string[] {
  return (text.match(TOKEN) ?? []).map((token) => token.toLowerCase())
}

/** Returns what became of a check that has waited long enough; `message` is null if it was never accepted. */
export function judgeCheck(message: Message | null): Pick<CarrierCheck, 'outcome' | 'detail'> {
  if (message === null) return { outcome: 'not sent', detail: 'the gateway stopped before it was sent' }
  const { status, steps } = message.journey
  const { status: stepStatus = status, detail = null, parts = [] } = steps.at(-1) ?? {}
  if (stepStatus === 'DELIVERED' || stepStatus === 'READ') {
    return { outcome: 'false receipt', detail: 'reported as delivered, and did not come' }
  }
  const wasTaken = parts.some(({ ref }) => ref !== null)
  const words = detail === null ? status : `${status}: ${detail}`
  return { outcome: wasTaken ? 'missing' : 'not sent', detail: words }
}
