/**
 * Inbound numbers: which account gets the messages that recipients write to a number, a short code or an agent. Several
 * accounts may share one, each with keywords of its own.
 */
import type { AccountId } from '../ids/account-id.ts'

export interface InboundNumber {
  readonly carrierId: string
  /** As returned by `inboundAddressOf`. */
  readonly address: string
  /** As returned by `keywordOf`; null for messages without the keyword of another one. */
  readonly keyword: string | null
  readonly accountId: AccountId
  /** Where its messages are reported; null for the default hook of the account. */
  readonly hook: string | null
  /** The text that answers its messages; null for no automatic reply. */
  readonly reply: string | null
  /** The sender name of the reply; null for the address itself. */
  readonly replySender: string | null
}

export type InboundNumberKey = Pick<InboundNumber, 'carrierId' | 'address' | 'keyword'>

/** Longest keyword, characters. */
export const MAX_KEYWORD = 40

/** Returns a number as its digits, and any other address unchanged: carriers write `+49 30 1234` in many ways. */
export function inboundAddressOf(address: string): string {
  const trimmed = address.trim()
  const digits = trimmed.replace(/^\+|[\s().-]/g, '')
  return /^\d+$/.test(digits) ? digits : trimmed
}

/** A number with its country code, and perhaps the prefix of calls abroad before it. */
const INTERNATIONAL = /^(00)?([1-9]\d{6,14})$/

/** Returns every form under which the address may be stored, its own first: `0049301234` is also `49301234`. */
export function inboundFormsOf(address: string): readonly string[] {
  const form = inboundAddressOf(address)
  const [, prefix, number] = INTERNATIONAL.exec(form) ?? []
  if (number === undefined) return [form]
  return [form, prefix === undefined ? `00${number}` : number]
}

/** Returns the first word of a text in lower case, without punctuation around it; null if there is none. */
export function keywordOf(text: string): string | null {
  const [word = ''] = text
    .trimStart()
    .slice(0, MAX_KEYWORD * 4)
    .split(/\s/, 1)
  const plain = word
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '')
  return plain === '' || plain.length > MAX_KEYWORD ? null : plain
}

/**
 * Returns the number whose message this is: the one with its keyword, otherwise the one without a keyword; null if
 * there is neither. All `numbers` have the address that was written to.
 */
export function numberFor<T extends Pick<InboundNumber, 'keyword'>>(numbers: readonly T[], text: string): T | null {
  const keyword = keywordOf(text)
  const withKeyword = keyword === null ? undefined : numbers.find((number) => number.keyword === keyword)
  return withKeyword ?? numbers.find((number) => number.keyword === null) ?? null
}

/** Describes the key: `acme 491234 with keyword win`. */
export function describeInboundNumber({ carrierId, address, keyword }: InboundNumberKey): string {
  return `${carrierId} ${address}${keyword === null ? '' : ` with keyword ${keyword}`}`
}
