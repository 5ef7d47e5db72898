/**
 * Opt-outs: who does not want to be written to any more, by an account or under one of its senders. People say so by a
 * word that they send to a number of ours, and take it back by another; operators note it by hand.
 */
import type { AccountId } from './account.ts'
import type { Phone } from './phone.ts'

export interface OptOut {
  readonly accountId: AccountId
  /** The sender name that it is about, letter for letter; null for all of the account. */
  readonly sender: string | null
  readonly phone: Phone
  /** Only what a word has set is taken back by a word. */
  readonly by: 'word' | 'hand'
  /** Milliseconds: since when. */
  readonly at: number
}

/** What one message of a person, or one deed of an operator, changes. */
export type OptOutChange =
  | { readonly kind: 'add'; readonly optOut: OptOut }
  /** By `word` it removes what a word has set, by `hand` whatever is there. */
  | { readonly kind: 'remove'; readonly optOut: Omit<OptOut, 'at'> }

/** The words of one language. Case, accents and punctuation are of no account. */
interface OptOutWords {
  readonly stop: readonly string[]
  readonly start: readonly string[]
}

/** By the code of the language, `de`. */
export type OptOutLanguages = Readonly<Record<string, OptOutWords>>

/** Longer texts are no words. */
const MOST_CHARACTERS = 60

/** What a text of a person asks for: nothing, unless it consists of one of the words and of nothing else. */
export class OptOutLexicon {
  readonly #meanings = new Map<string, 'stop' | 'start'>()

  /** A word that stands for both means stop. */
  constructor(languages: OptOutLanguages) {
    for (const { start } of Object.values(languages)) for (const word of start) this.#meanings.set(fold(word), 'start')
    for (const { stop } of Object.values(languages)) for (const word of stop) this.#meanings.set(fold(word), 'stop')
    this.#meanings.delete('')
  }

  meaningOf(text: string): 'stop' | 'start' | null {
    return text.length > MOST_CHARACTERS ? null : (this.#meanings.get(fold(text)) ?? null)
  }
}

/** Letters and digits alone, without accents and case, with single spaces between words. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The steps, by their senders, that a person must not be written to by. */
export function isOptedOut(optOuts: readonly Pick<OptOut, 'sender'>[], sender: string): boolean {
  return optOuts.some((optOut) => optOut.sender === null || optOut.sender === sender)
}
