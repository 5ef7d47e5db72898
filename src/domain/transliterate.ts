/**
 * Rewrites a text in the GSM alphabet if that preserves its meaning: one typographic quote or accent outside the
 * alphabet more than halves the capacity of an SMS. A text that cannot become wholly GSM is left unchanged, because
 * nothing would be gained.
 */
import { hasTooManyMarks } from './combining-marks.ts'
import { isGsmText, septetsOf } from './gsm-alphabet.ts'

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

/** Returns the text unchanged if it is GSM already or cannot become so. */
export function transliterate(text: string): string {
  if (isGsmText(text) || hasTooManyMarks(text)) return text
  let gsm = ''
  // Composed first: a letter and its accent may be separate, and the alphabet has some of the combinations.
  for (const character of text.normalize('NFC')) {
    const replacement = replace(character)
    if (replacement === null) return text
    gsm += replacement
  }
  return gsm
}

function replace(character: string): string | null {
  if (character.length === 1 && septetsOf(character.charCodeAt(0)) > 0) return character
  const known = REPLACEMENTS.get(character)
  if (known !== undefined) return known
  const bare = character.normalize('NFD').replace(ACCENTS, '')
  if (bare === character) return null
  return isGsmText(bare) ? bare : (REPLACEMENTS.get(bare) ?? null)
}

function each(characters: string, replacement: string): readonly (readonly [string, string])[] {
  return [...characters].map((character) => [character, replacement] as const)
}
