/** A long message from a person, put together from its parts. */

/** Longest part that is kept, characters. One of a short message has 160 at most. */
const LONGEST_PART = 1_024

/** In the place of a part that never came. */
const MISSING = '[…]'

export interface KeptPart {
  /** From 1. */
  readonly number: number
  /** As `keepPart` made it. */
  readonly text: string
}

/** A part as it is kept: it may end in the middle of a character, which no database can hold as it is. */
export function keepPart(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_PART))
}

/** `parts` in any order. */
export function joinParts(parts: readonly KeptPart[], total: number): string {
  const texts = new Map(parts.map(({ number, text }) => [number, JSON.parse(text) as string]))
  return Array.from({ length: total }, (_, index) => texts.get(index + 1) ?? MISSING).join('')
}
