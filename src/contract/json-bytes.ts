/** What a scan over the bytes of JSON needs to know. */

export const QUOTE = 0x22
const BACKSLASH = 0x5c

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
