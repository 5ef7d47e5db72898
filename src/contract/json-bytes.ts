/** What a scan over the bytes of JSON needs to know. */

export const QUOTE = 0x22
export const COLON = 0x3a
const BACKSLASH = 0x5c
/** Between the tokens of JSON (RFC 8259, 2). */
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])

const LONGEST_ESCAPE = '\\u0061'.length

/** Where the opening quote of the string stands whose closing one is at `end`; -1 when it is not among the bytes. */
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

/** Where the closing quote of the string stands whose content begins at `start`; the end of the bytes when it is open. */
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

/** Whether the string between the quotes is this name, with each of its letters as it is or as an escape. */
export function isKey(bytes: Buffer, start: number, end: number, name: string): boolean {
  const length = end - start
  if (length < name.length || length > LONGEST_ESCAPE * name.length) return false
  const token = bytes.toString('latin1', start, end)
  if (token === name) return true
  return token.includes('\\u') && unescapeLetters(token) === name
}

function unescapeLetters(token: string): string {
  return token.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
