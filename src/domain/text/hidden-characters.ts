/**
 * Characters that a reader does not see, and that change what is read: control characters, marks that reverse or hide
 * text (U+202A to U+202E, U+2066 to U+2069), invisible ones (U+200B to U+200F, U+FEFF, tags) and line separators.
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

/** Whether a name would show something other than what it contains. */
export function hasHiddenCharacters(name: string): boolean {
  return HIDDEN.test(name)
}

/** Returns the text with hidden characters as escapes, such as `\u{1b}`: a terminal must not obey them. */
export function escapeHidden(text: string): string {
  return text.replace(ESCAPED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
