/**
 * The GSM 7-bit default alphabet with its extension table (3GPP TS 23.038 6.2.1), one septet in a byte as SMPP carries
 * it. Nothing here throws: what the alphabet lacks is written as `?`, what means nothing is read as U+FFFD.
 */

/** The escape in front of a character of the extension table. */
const ESCAPE = 0x1b

/** The basic table in the order of its codes; the escape stands at its own place. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const EXTENSION: ReadonlyMap<number, string> = new Map([
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

/** The euro sign is the highest UTF-16 unit that the alphabet knows. */
const HIGHEST = 0x20ac
const ABSENT = 0xffff

/** UTF-16 unit → its code, with the escape in the high byte for the extension table. */
const CODES = new Uint16Array(HIGHEST + 1).fill(ABSENT)
/** UTF-16 unit → how many septets it takes; 0 for none of the alphabet. */
const SEPTETS = new Uint8Array(HIGHEST + 1)

for (let code = 0; code < BASIC.length; code += 1) if (code !== ESCAPE) enter(BASIC.charCodeAt(code), code, 1)
for (const [code, character] of EXTENSION) enter(character.charCodeAt(0), (ESCAPE << 8) | code, 2)

function enter(unit: number, code: number, septets: number): void {
  CODES[unit] = code
  SEPTETS[unit] = septets
}

/** How many septets a UTF-16 unit takes: 1, 2 for the extension table, 0 when the alphabet lacks it. */
export function septetsOf(unit: number): number {
  return unit > HIGHEST ? 0 : (SEPTETS[unit] ?? 0)
}

/** How many septets the text takes; null when the alphabet lacks one of its characters. */
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

/** One septet in a byte, the high bit clear. */
export function encodeGsm(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  let length = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = CODES[text.charCodeAt(index)] ?? ABSENT
    if (code === ABSENT) {
      bytes[length++] = 0x3f
    } else {
      if (code > 0x7f) bytes[length++] = ESCAPE
      bytes[length++] = code & 0x7f
    }
  }
  return bytes.subarray(0, length)
}

/** Reads one septet in a byte. An escape before a code that the extension table lacks is passed over, as phones do. */
export function decodeGsm(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === ESCAPE) {
      const extended = EXTENSION.get(bytes[index + 1] ?? ESCAPE)
      if (extended === undefined) continue
      text += extended
      index += 1
    } else {
      text += BASIC[byte] ?? '\ufffd'
    }
  }
  return text
}
