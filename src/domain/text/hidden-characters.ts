/**
 * Characters that a reader does not see, and that change what is read: control characters, marks that reverse or hide
 * text (U+202A to U+202E, U+2066 to U+2069), invisible ones (U+200B to U+200F, U+FEFF, tags) and line separators. And
 * combining marks.
 */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e007f}]/u

/** Hidden characters of one code unit; tags are left out. */
const HIDDEN_UNIT = new RegExp(HIDDEN.source.replace(String.raw`\u{e0000}-\u{e007f}`, ''), 'u')

/** Returns what is between the hidden characters of a text, each of which is one UTF-16 unit. */
export function splitAtHidden(text: string): readonly string[] {
  return text.split(HIDDEN_UNIT)
}

/** What a reader sees: neither space, nor a control character, nor one that is ignored by default, nor U+2800. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u

/** Whether a text shows nothing. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text)
}
/** The joiners belong to letters and emoji, and do nothing to a terminal. */
const ESCAPED = new RegExp(`(?![\\u200c\\u200d])${HIDDEN.source}`, 'gu')

/** Whether every database stores the text unchanged: it has neither U+0000 nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Whether a name would show something other than what it contains. */
export function hasHiddenCharacters(name: string): boolean {
  return HIDDEN.test(name)
}

/** Returns the text with hidden characters as escapes, such as `\u{1b}`: a terminal must not obey them. */
export function escapeHidden(text: string): string {
  return text.replace(ESCAPED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * The stream-safe limit of Unicode (UAX #15): no language writes more than 30 combining marks on one character. Longer
 * runs make normalization quadratic, because it sorts the marks of a run.
 */
export const MAX_COMBINING_MARKS = 30

/** The combining marks begin at U+0300; most texts have no character from there on. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/
const MARK = /\p{M}/u

const [UNKNOWN, OTHER, COMBINING] = [0, 1, 2]
/** What each character of the first two planes is, filled when it first occurs: a pattern takes ten times as long. */
const CLASSES = new Uint8Array(0x20000).fill(UNKNOWN)

/** Returns whether more than 30 combining marks follow each other. Reads each character once. */
export function hasTooManyMarks(text: string): boolean {
  if (!MAY_HAVE_MARKS.test(text)) return false
  let run = 0
  for (let index = 0; index < text.length; index += 1) {
    let character = text.charCodeAt(index)
    if ((character & 0xfc00) === 0xd800) {
      character = text.codePointAt(index) as number
      if (character > 0xffff) index += 1
    }
    run = isMark(character) ? run + 1 : 0
    if (run > MAX_COMBINING_MARKS) return true
  }
  return false
}

function isMark(character: number): boolean {
  const known = CLASSES[character] ?? UNKNOWN
  if (known !== UNKNOWN) return known === COMBINING
  const isOne = MARK.test(String.fromCodePoint(character))
  CLASSES[character] = isOne ? COMBINING : OTHER
  return isOne
}
