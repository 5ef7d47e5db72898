/** Lengths in the contract: Unicode characters (code points), however they are stored in memory. */

export function countCharacters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) {
      count -= 1
      index += 1
    }
  }
  return count
}

/** Returns `countCharacters(text) <= max`, without counting if the length in memory decides. */
export function fitsWithin(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && countCharacters(text) <= max)
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}
