/** Lengths as the contract means them: in Unicode characters (code points), whatever they take in memory. */

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

/** The same as `countCharacters(text) <= most`, without counting where the length in memory already tells. */
export function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && countCharacters(text) <= most)
}

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}
