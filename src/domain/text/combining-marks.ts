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
