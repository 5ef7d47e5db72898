/**
 * Rewrites a text in the GSM alphabet if that preserves its meaning: one typographic quote or accent outside the
 * alphabet more than halves the capacity of an SMS. A text that cannot become wholly GSM is left unchanged, because
 * nothing would be gained.
 */

import { isGsmText, septetsOf } from './gsm-alphabet.ts'
import { hasTooManyMarks } from './hidden-characters.ts'
import { countParts, PART_LIMITS } from './text-parts.ts'

/**
 * Replacements of characters that are neither in the alphabet nor one of its letters with an accent. As short as
 * possible.
 */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ...each('‘’‚‛′`´ʹʻʼ', "'"),
  ...each('“”„‟″«»', '"'),
  ...each('‐‑‒–—―−', '-'),
  ...each('\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t', ' '),
  ...each('\u200b\u200c\u200d\u2060\ufeff\u00ad', ''),
  ...each('•·∙', '*'),
  ...each('‹', '<'),
  ...each('›', '>'),
  ['…', '...'],
  ['№', 'No'],
  ['©', '(c)'],
  ['®', '(r)'],
  ['™', 'TM'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['þ', 'th'],
  ['Þ', 'Th'],
  ['ħ', 'h'],
  ['Ħ', 'H'],
  ['ı', 'i'],
  ['ŋ', 'n'],
  ['Ŋ', 'N'],
  ['ç', 'c'],
])

const ACCENTS = /\p{M}+/gu

/** Replacements found so far, by code point. Unicode has about 3,100 characters that can be replaced. */
const FOUND = new Map<number, string>()

/** Returns the text unchanged if it is GSM already, cannot become so, or would need more parts than it does now. */
export function transliterate(text: string): string {
  return isGsmText(text) ? text : (rewriteWithin(text, countParts(text)) ?? text)
}

/**
 * Returns whether a text that needs more than `maxParts` parts fits them once it is transliterated. Stops reading where
 * it does not fit any more.
 */
export function fitsTransliterated(text: string, maxParts: number): boolean {
  return !isGsmText(text) && rewriteWithin(text, maxParts) !== null
}

/** Returns the text in the GSM alphabet; null if it cannot be written so, or not in this many parts. */
function rewriteWithin(text: string, maxParts: number): string | null {
  const { alone, joined } = PART_LIMITS.gsm7
  const gsm = rewrite(text, maxParts <= 1 ? alone : maxParts * joined)
  return gsm !== null && countParts(gsm) <= maxParts ? gsm : null
}

/** Returns the text in the GSM alphabet; null if it cannot be written so, or not in this many septets. */
function rewrite(text: string, maxSeptets: number): string | null {
  if (hasTooManyMarks(text)) return null
  // Composed first: a letter and its accent may be separate, and the alphabet has some of the combinations.
  const composed = text.normalize('NFC')
  let gsm = ''
  let copied = 0
  let septets = 0
  for (let index = 0; index < composed.length; index += 1) {
    const ownSeptets = septetsOf(composed.charCodeAt(index))
    if (ownSeptets > 0) {
      septets += ownSeptets
    } else {
      const character = composed.codePointAt(index) as number
      const replacement = FOUND.get(character) ?? findReplacement(character)
      if (replacement === null) return null
      gsm += composed.slice(copied, index) + replacement
      septets += replacement.length
      if (character > 0xffff) index += 1
      copied = index + 1
    }
    if (septets > maxSeptets) return null
  }
  return gsm + composed.slice(copied)
}

function findReplacement(codePoint: number): string | null {
  const character = String.fromCodePoint(codePoint)
  const replacement = REPLACEMENTS.get(character) ?? withoutAccents(character)
  if (replacement !== null) FOUND.set(codePoint, replacement)
  return replacement
}

function withoutAccents(character: string): string | null {
  const bare = character.normalize('NFD').replace(ACCENTS, '')
  if (bare === character) return null
  return isGsmText(bare) ? bare : (REPLACEMENTS.get(bare) ?? null)
}

function each(characters: string, replacement: string): readonly (readonly [string, string])[] {
  return [...characters].map((character) => [character, replacement] as const)
}
