/**
 * Splits a text into SMS parts (3GPP TS 23.040 9.2.3.24.1): 160 septets alone or 153 each, 70 or 67 UTF-16 units if a
 * character is outside the GSM alphabet. Never splits an escape from its character, nor a surrogate pair.
 */
import { septetsOf } from './gsm-alphabet.ts'

export type TextEncoding = 'gsm7' | 'ucs2'

export interface TextParts {
  readonly encoding: TextEncoding
  /** At least one; joined they are the text. */
  readonly parts: readonly string[]
}

/** Capacity of a single message, and of one of several beside the concatenation header. Septets or UTF-16 units. */
export const PART_LIMITS = {
  gsm7: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
} as const

/**
 * ASCII characters of the basic table, one septet each: most texts have no others, and the engine tests them fastest.
 */
const PLAIN_TEXT = /^[\n\r -Z_a-z]*$/

/** Returns `splitText(text).parts.length` without making the parts. */
export function countParts(text: string): number {
  const { alone, joined } = PART_LIMITS.gsm7
  if (PLAIN_TEXT.test(text)) return text.length <= alone ? 1 : Math.ceil(text.length / joined)
  let total = 0
  let parts = 1
  let used = 0
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsOf(text.charCodeAt(index))
    if (septets === 0) return countUcs2Parts(text)
    total += septets
    used += septets
    if (used > joined) {
      parts += 1
      used = septets
    }
  }
  return total <= alone ? 1 : parts
}

/** `spare` septets or units of every joined part are left free, for a longer header. */
export function splitText(text: string, spare = 0): TextParts {
  let total = 0
  const cuts: number[] = []
  let used = 0
  const most = PART_LIMITS.gsm7.joined - spare
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsOf(text.charCodeAt(index))
    if (septets === 0) return splitUcs2(text, spare)
    total += septets
    used += septets
    if (used > most) {
      cuts.push(index)
      used = septets
    }
  }
  return { encoding: 'gsm7', parts: total <= PART_LIMITS.gsm7.alone ? [text] : cutAt(text, cuts) }
}

function countUcs2Parts(text: string): number {
  if (text.length <= PART_LIMITS.ucs2.alone) return 1
  let parts = 1
  for (let cut = nextUcs2Cut(text, 0); cut < text.length; cut = nextUcs2Cut(text, cut)) parts += 1
  return parts
}

function splitUcs2(text: string, spare: number): TextParts {
  if (text.length <= PART_LIMITS.ucs2.alone) return { encoding: 'ucs2', parts: [text] }
  const cuts: number[] = []
  for (let cut = nextUcs2Cut(text, 0, spare); cut < text.length; cut = nextUcs2Cut(text, cut, spare)) cuts.push(cut)
  return { encoding: 'ucs2', parts: cutAt(text, cuts) }
}

/** Returns where the part that begins at `start` ends. */
function nextUcs2Cut(text: string, start: number, spare = 0): number {
  const end = start + PART_LIMITS.ucs2.joined - spare
  return end < text.length && isHighSurrogate(text, end - 1) && isLowSurrogate(text, end) ? end - 1 : end
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const parts: string[] = []
  let start = 0
  for (const cut of cuts) {
    parts.push(text.slice(start, cut))
    start = cut
  }
  parts.push(text.slice(start))
  return parts
}
