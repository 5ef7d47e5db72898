/** What a scan over the bytes of JSON needs to know. */

export const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Where the closing quote of the string stands whose content begins at `start`; the end of the bytes when it is open. */
export function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.length
  let index = start
  while (index < end && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}
