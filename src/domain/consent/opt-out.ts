/**
 * Opt-outs: phones that must not get messages from an account or from one of its senders. Recipients opt out by sending
 * a keyword to one of our numbers and back in by another, or by an unsubscribe link; operators set opt-outs manually.
 */
import type { AccountId } from '../ids/account-id.ts'
import type { Phone } from '../numbers/phone.ts'

export interface OptOut {
  readonly accountId: AccountId
  /** The exact sender name that it applies to; null for all of the account. */
  readonly sender: string | null
  readonly phone: Phone
  /** The recipient's keyword or unsubscribe link, or an operator, whose opt-outs no recipient removes. */
  readonly by: 'word' | 'link' | 'hand'
  /** Milliseconds: since when. */
  readonly at: number
}

/** The effect of one inbound message, unsubscribe link or operator's action. */
export type OptOutChange =
  | { readonly kind: 'add'; readonly optOut: OptOut }
  /** `word` and `link` remove only what the recipient has set, `hand` removes any. */
  | { readonly kind: 'remove'; readonly optOut: Omit<OptOut, 'at'> }

/** The keywords of one language. Case, accents and punctuation are ignored. */
interface OptOutWords {
  readonly stop: readonly string[]
  readonly start: readonly string[]
}

/** By language code, `de`. */
export type OptOutLanguages = Readonly<Record<string, OptOutWords>>

/** Longer texts are never keywords. */
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
    return text.length > MAX_CHARACTERS ? null : (this.#meanings.get(fold(text)) ?? null)
  }
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

/** Returns whether one of the opt-outs applies to the sender. */
export function isOptedOut(optOuts: readonly Pick<OptOut, 'sender'>[], sender: string): boolean {
  return optOuts.some((optOut) => optOut.sender === null || optOut.sender === sender)
}
