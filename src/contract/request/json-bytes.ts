/** Helpers for scanning JSON as bytes. */

export const QUOTE = 0x22
export const COLON = 0x3a
const BACKSLASH = 0x5c
/** Between the tokens of JSON (RFC 8259, 2). */
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

const SMALL_U = 0x75
const ESCAPE_LENGTH = '\\u0061'.length

/**
 * Returns the position of the opening quote of the string whose closing one is at `end`; -1 if it is not in the bytes.
 */
export function startOfString(bytes: Buffer, end: number): number {
  let index = end - 1
  while (index >= 0) {
    if (bytes[index] !== QUOTE) {
      index -= 1
      continue
    }
    let before = index - 1
    while (before >= 0 && bytes[before] === BACKSLASH) before -= 1
    // After an odd number of backslashes it is a character of the string.
    if ((index - before) % 2 === 1) return index
    index = before
  }
  return -1
}

/**
 * Returns the position of the closing quote of the string whose content begins at `start`; the end of the bytes if it
 * is open.
 */
export function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.length
  let index = start
  while (index < end && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

export function skipSpace(bytes: Buffer, from: number): number {
  let index = from
  while (SPACE.has(bytes[index] ?? -1)) index += 1
  return index
}

/**
 * Returns whether the string between the quotes is this ASCII name, each letter plain or as an escape such as `\u0061`.
 */
export function isKey(bytes: Buffer, start: number, end: number, name: string): boolean {
  let index = start
  for (let letter = 0; letter < name.length; letter += 1) {
    const code = name.charCodeAt(letter)
    if (index >= end) return false
    if (bytes[index] === code) index += 1
    else if (isEscapeOf(bytes, index, code)) index += ESCAPE_LENGTH
    else return false
  }
  return index === end
}

function isEscapeOf(bytes: Buffer, index: number, code: number): boolean {
  if (bytes[index] !== BACKSLASH || bytes[index + 1] !== SMALL_U) return false
  const digits = bytes.toString('latin1', index + 2, index + ESCAPE_LENGTH)
  return digits.toLowerCase() === code.toString(16).padStart(4, '0')
}
