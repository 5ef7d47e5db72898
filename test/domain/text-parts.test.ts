import fc from 'fast-check'
import { SegmentedMessage } from 'sms-segments-calculator'
import { describe, expect, test } from 'vitest'
import { countSeptets, decodeGsm, encodeGsm, isGsmText } from '../../src/domain/text/gsm-alphabet.ts'
import { countParts, PART_LIMITS, splitText } from '../../src/domain/text/text-parts.ts'

const GSM_CHARACTERS = [...'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà\f^{}\\[~]|€']

const gsmText = fc
  .array(fc.constantFrom(...GSM_CHARACTERS), { maxLength: 700 })
  .map((characters) => characters.join(''))
const anyText = fc.oneof(
  gsmText,
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.constantFrom('a', 'я', '😀', '\ud83d', '\ude00'), { maxLength: 400 }).map((units) => units.join('')),
)

describe('a text cut into parts', () => {
  test('loses nothing, keeps within the limits and is counted as it is cut', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, parts } = splitText(text)
        expect(parts.join('')).toBe(text)
        expect(countParts(text)).toBe(parts.length)
        expect(encoding === 'gsm7').toBe(isGsmText(text))
        const limit = parts.length === 1 ? PART_LIMITS[encoding].alone : PART_LIMITS[encoding].joined
        for (const part of parts) {
          const size = encoding === 'gsm7' ? countSeptets(part) : part.length
          expect(size).toBeLessThanOrEqual(limit)
          if (text !== '') expect(part).not.toBe('')
        }
      }),
    )
  })

  test('never parts a surrogate pair', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('я', '😀'), { minLength: 71, maxLength: 400 }), (characters) => {
        for (const part of splitText(characters.join('')).parts) expect(part.isWellFormed()).toBe(true)
      }),
    )
  })

  test.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    [`${'€'.repeat(80)}a`, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['я'.repeat(70), 1],
    ['я'.repeat(71), 2],
    ['я'.repeat(134), 2],
    ['я'.repeat(135), 3],
    [`${'я'.repeat(66)}😀${'я'.repeat(67)}`, 3],
  ])('%j has %i parts', (text, parts) => {
    expect(countParts(text)).toBe(parts)
  })

  test('is counted as an independent calculator counts it', () => {
    // The calculator keeps clusters of characters together and does not know the form feed, so it is asked about
    // others.
    const agreed = fc.oneof(
      gsmText.map((text) => text.replace(/[\f\r\n]/g, ' ')),
      fc.array(fc.constantFrom('a', 'я', 'ß', '中', '😀'), { maxLength: 300 }).map((units) => units.join('')),
    )
    fc.assert(
      fc.property(agreed, (text) => {
        expect(countParts(text)).toBe(Math.max(1, new SegmentedMessage(text).segmentsCount))
      }),
    )
  })
})

describe('the GSM alphabet', () => {
  test('reads back what it wrote, one septet in a byte', () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const bytes = encodeGsm(text)
        expect(bytes.length).toBe(countSeptets(text))
        expect(bytes.every((byte) => byte < 0x80)).toBe(true)
        expect(decodeGsm(bytes)).toBe(text)
      }),
    )
  })

  test('knows the codes of the standard', () => {
    expect([...encodeGsm('@Δ ¡¿à€[')]).toEqual([0x00, 0x10, 0x20, 0x40, 0x60, 0x7f, 0x1b, 0x65, 0x1b, 0x3c])
  })

  test('writes a question mark for what it lacks and reads any bytes', () => {
    expect([...encodeGsm('aя\u001b')]).toEqual([0x61, 0x3f, 0x3f])
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodeGsm(bytes).length <= bytes.length))
  })
})
