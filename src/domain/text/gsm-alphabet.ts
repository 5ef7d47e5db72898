/**
 * The GSM 7-bit default alphabet with its extension table (3GPP TS 23.038 6.2.1), one septet per byte as in SMPP. Never
 * throws: a character outside the alphabet is written as `?`, a code without meaning is read as U+FFFD.
 */

/** The escape in front of a character of the extension table. */
const ESCAPE = 0x1b

/** The basic table in the order of its codes, the escape included. */
export const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

export const EXTENSION: ReadonlyMap<number, string> = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])

/** The euro sign is the highest UTF-16 unit in the alphabet. */
const HIGHEST = 0x20ac
const ABSENT = 0xffff
const QUESTION_MARK = 0x3f
const REPLACEMENT = 0xfffd
/** UTF-16 units converted to text at a time. */
const MAX_UNITS = 1_024

/** UTF-16 unit → its code, with the escape in the high byte for the extension table. */
const CODES = new Uint16Array(HIGHEST + 1).fill(ABSENT)
/** UTF-16 unit → number of septets; 0 if it is outside the alphabet. */
const SEPTETS = new Uint8Array(HIGHEST + 1)

for (let code = 0; code < BASIC.length; code += 1) if (code !== ESCAPE) enter(BASIC.charCodeAt(code), code, 1)
for (const [code, character] of EXTENSION) enter(character.charCodeAt(0), (ESCAPE << 8) | code, 2)

function enter(unit: number, code: number, septets: number): void {
  CODES[unit] = code
  SEPTETS[unit] = septets
}

/** Returns the number of septets of a UTF-16 unit: 1, 2 for the extension table, 0 if outside the alphabet. */
export function septetsOf(unit: number): number {
  return unit > HIGHEST ? 0 : (SEPTETS[unit] ?? 0)
}

/** Returns the number of septets of the text; null if one of its characters is outside the alphabet. */
export function countSeptets(text: string): number | null {
  let total = 0
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsOf(text.charCodeAt(index))
    if (septets === 0) return null
    total += septets
  }
  return total
}

export function isGsmText(text: string): boolean {
  return countSeptets(text) !== null
}

/** Returns the different characters of the text that are outside the alphabet, at most `max`, in their order. */
export function findOutsideGsm(text: string, max: number): readonly string[] {
  const found = new Set<string>()
  for (const character of text) {
    if (septetsOf(character.charCodeAt(0)) === 0) found.add(character)
    if (found.size === max) break
  }
  return [...found]
}

/**
 * Buffer from which small results are sliced: an ArrayBuffer for each would cost more than the work. No byte is written
 * twice.
 */
let pool = new Uint8Array(8_192)
let poolUsed = 0

/** Writes one septet per byte, the high bit clear. */
export function encodeGsm(text: string): Uint8Array {
  if (pool.length - poolUsed < text.length * 2) {
    pool = new Uint8Array(Math.max(8_192, text.length * 2))
    poolUsed = 0
  }
  const start = poolUsed
  let end = start
  for (let index = 0; index < text.length; index += 1) {
    const code = CODES[text.charCodeAt(index)] ?? ABSENT
    if (code === ABSENT) {
      pool[end++] = QUESTION_MARK
    } else {
      if (code > 0x7f) pool[end++] = ESCAPE
      pool[end++] = code & 0x7f
    }
  }
  poolUsed = end
  return pool.subarray(start, end)
}

/**
 * Reads one septet per byte, with the tables of a language (national-tables.ts) or these. Skips an escape before a code
 * that the extension table lacks, as phones do.
 */
export function decodeGsm(bytes: Uint8Array, basic = BASIC, extension = EXTENSION): string {
  let text = ''
  let units: number[] = []
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === ESCAPE) {
      const extended = extension.get(bytes[index + 1] ?? ESCAPE)
      if (extended === undefined) continue
      units.push(extended.charCodeAt(0))
      index += 1
    } else {
      units.push(byte < basic.length ? basic.charCodeAt(byte) : REPLACEMENT)
    }
    if (units.length === MAX_UNITS) {
      text += String.fromCharCode(...units)
      units = []
    }
  }
  return text + String.fromCharCode(...units)
}
