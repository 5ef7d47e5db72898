/**
 * Writes a text with letters of the GSM alphabet alone where that is possible without losing its sense: one typographic
 * quote or one accent outside the alphabet more than halves what an SMS holds. Never makes a text that it cannot make
 * wholly GSM: such a text stays as it is, for then nothing would be gained.
 */
import { hasTooManyMarks } from './combining-marks.ts'
import { isGsmText, septetsOf } from './gsm-alphabet.ts'

/** What neither stands in the alphabet nor is a letter of it with an accent. Never longer than it must be. */
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

/** The same text for one that is GSM already, or cannot be. */
export function transliterate(text: string): string {
  if (isGsmText(text) || hasTooManyMarks(text)) return text
  let gsm = ''
  // Composed first: a letter and its accent may come apart, and the alphabet has some of the two together.
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
