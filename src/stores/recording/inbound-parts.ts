/** Joins the parts of a long inbound message. */

/** Longest stored part, characters. A part of an SMS has at most 160. */
const LONGEST_PART = 1_024

/** Replaces a part that never arrived. */
const MISSING = '[…]'

export interface KeptPart {
  /** From 1. */
  readonly number: number
  /** As returned by `keepPart`. */
  readonly text: string
}

/** Cleans a part for storage: it may end in the middle of a character, which no database stores as it is. */
export function keepPart(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_PART))
}

/** `parts` in any order. */
export function joinParts(parts: readonly KeptPart[], total: number): string {
  const texts = new Map(parts.map(({ number, text }) => [number, JSON.parse(text) as string]))
  return Array.from({ length: total }, (_, index) => texts.get(index + 1) ?? MISSING).join('')
}
