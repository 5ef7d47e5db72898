/**
 * Opt-outs: phones that must not get messages from an account or from one of its senders. Recipients opt out by sending
 * a keyword to one of our numbers and back in by another, by an unsubscribe link, or at the carrier; operators set
 * opt-outs manually.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { Phone } from '../numbers/phone.ts'

export interface OptOut {
  readonly accountId: AccountId
  /** The sender that it applies to, in any case of its letters; null for all of the account. */
  readonly sender: string | null
  readonly phone: Phone
  /** The recipient's keyword or unsubscribe link, the carrier, or an operator, whose opt-outs no recipient removes. */
  readonly by: 'word' | 'link' | 'carrier' | 'hand'
  /** Milliseconds: when the recipient opted out last, or the operator first. */
  readonly at: number
}

/** The effect of one inbound message, unsubscribe link or operator's action, at the time `at`. */
export interface OptOutChange {
  /** Removed by `word` or `link` is only what the recipient has set, and not later than that; by `hand` any. */
  readonly kind: 'add' | 'remove'
  readonly optOut: OptOut
}

/** The keywords of one language. Case, accents and punctuation are ignored. */
interface OptOutWords {
  readonly stop: readonly string[]
  readonly start: readonly string[]
}

/** By language code, `de`. */
export type OptOutLanguages = Readonly<Record<string, OptOutWords>>

/** Longer texts, without what is around their words, are never keywords. */
const MAX_CHARACTERS = 60

/** Finds the meaning of an inbound text: none, unless it consists of one keyword and nothing else. */
export class OptOutLexicon {
  readonly #meanings = new Map<string, 'stop' | 'start'>()

  /** A keyword listed for both means stop. */
  constructor(languages: OptOutLanguages) {
    for (const { start } of Object.values(languages)) for (const word of start) this.#meanings.set(fold(word), 'start')
    for (const { stop } of Object.values(languages)) for (const word of stop) this.#meanings.set(fold(word), 'stop')
    this.#meanings.delete('')
  }

  meaningOf(text: string): 'stop' | 'start' | null {
    const words = withoutPadding(text)
    return words.length > MAX_CHARACTERS ? null : (this.#meanings.get(fold(words)) ?? null)
  }
}

const WORD = /[\p{L}\p{N}\p{Cs}]/u

/** Returns the text from its first letter or digit to its last: carriers pad messages, such as to 160 characters. */
function withoutPadding(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && !WORD.test(text.charAt(start))) start += 1
  while (start < end && !WORD.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Returns only letters and digits, without accents, hidden characters and case, with single spaces between words. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Returns the change for its sender and for each that shares opt-outs with it now: it holds for them all, also once
 * they are in other pools. `sharing` has their names.
 */
export function forSharing(change: OptOutChange, sharing: readonly string[]): readonly OptOutChange[] {
  const { kind, optOut } = change
  if (optOut.sender === null) return [change]
  const senders = [...new Set([optOut.sender, ...sharing])]
  return senders.map((sender) => ({ kind, optOut: { ...optOut, sender } }))
}

interface OptOutReach {
  /** Names of the sender and of those that share opt-outs with it. */
  readonly sharing: readonly string[]
  /** Recipients opt out from whole accounts, also those who have written to one sender before that was set. */
  readonly isAccountWide: boolean
}

/** Returns whether an opt-out of the account applies to a sender. */
export function appliesTo({ sender, by }: Pick<OptOut, 'sender' | 'by'>, reach: OptOutReach): boolean {
  if (sender === null || (reach.isAccountWide && by !== 'hand')) return true
  return reach.sharing.some((name) => name.toLowerCase() === sender.toLowerCase())
}
