/** Digits as they are typed and pasted. */

/** Spaces, dashes and marks that are not seen. */
const BETWEEN = /[\s\p{Z}\p{Pd}\p{Cf}\u2212]/gu

/** Returns ASCII digits for those of any script, without spaces and dashes; null if there is anything else. */
export function digitsOf(text: string): string | null {
  const digits = latinDigits(text).replace(BETWEEN, '')
  return /^\d+$/.test(digits) ? digits : null
}

/** Returns the text with ASCII digits. */
export function latinDigits(text: string): string {
  return text.normalize('NFKC').replace(/[^\P{Nd}\d]/gu, valueOfDigit)
}

/** Digits of every script are ten characters in a row, the zero first. */
function valueOfDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value += 1
  return String(value)
}
