import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGsmText } from '../../src/domain/text/gsm-alphabet.ts'
import { countParts } from '../../src/domain/text/text-parts.ts'
import { fitsTransliterated, transliterate } from '../../src/domain/text/transliterate.ts'

describe('a text in plain letters', () => {
  test.each([
    ['“It’s here” – he said…', '"It\'s here" - he said...'],
    ['Zażółć gęślą jaźń', 'Zazolc gesla jazn'],
    ['Příliš žluťoučký kůň', 'Prilis zlutoucky kun'],
    ['Çok güzel, şimdi ışık', 'Çok güzel, simdi isik'],
    ['façade naïve', 'facade naive'],
    ['Großer Œuvre № 5\u00a0€', 'Großer OEuvre No 5 €'],
    ['e\u0301 a\u0308 c\u030c', 'é ä c'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['Tiếng Việt', 'Tieng Viet'],
  ])('%s is %s', (text, plain) => {
    expect(transliterate(text)).toBe(plain)
    expect(isGsmText(plain)).toBe(true)
  })

  test.each(['Привет', 'Ünïcödé я', '你好', 'Hi 😀', '\ud83d', 'a\ud83d’'])('%j stays as it is', (text) => {
    expect(transliterate(text)).toBe(text)
  })

  test('stays as it is where it would need more parts', () => {
    expect(transliterate('…'.repeat(53))).toBe('...'.repeat(53))
    expect(transliterate('…'.repeat(70))).toBe('…'.repeat(70))
  })

  test('is GSM or untouched, never longer in parts, and the same when it is done again', () => {
    const letters = fc.constantFrom(...'aé’“ąčłß…№€{}[]\u00a0\u00ad\u0301œ', 'я', '😀')
    const long = fc.string({ unit: fc.constantFrom(...'a…€™'), minLength: 60, maxLength: 200 })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'binary' }), long), (text) => {
        const plain = transliterate(text)
        if (plain !== text) expect(isGsmText(plain)).toBe(true)
        if (isGsmText(text)) expect(plain).toBe(text)
        expect(countParts(plain)).toBeLessThanOrEqual(Math.max(1, countParts(text)))
        expect(transliterate(plain)).toBe(plain)
      }),
    )
  })

  test('fits as many parts as the whole transliterated text needs', () => {
    const letters = fc.constantFrom(
      ...'aé’“ąčłß…№€{}[]\u00a0\u00ad\u0301œế',
      'ế'.repeat(160),
      'я',
      '😀',
      '€'.repeat(77),
    )
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 30 }), fc.integer({ min: 1, max: 10 }), (text, maxParts) => {
        fc.pre(countParts(text) > maxParts)
        expect(fitsTransliterated(text, maxParts)).toBe(countParts(transliterate(text)) <= maxParts)
      }),
    )
  })

  test('a character becomes the same when it occurs again', () => {
    for (let codePoint = 0x80; codePoint < 0x3000; codePoint += 1) {
      const character = String.fromCodePoint(codePoint)
      const plain = transliterate(character)
      expect(transliterate(`${character} ${character}`)).toBe(`${plain} ${plain}`)
    }
  })
})
