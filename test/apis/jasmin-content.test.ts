/** Jasmin's content: the bytes that programs send with each coding, and the text that they mean. */
import { describe, expect, test } from 'vitest'
import { readContent, readHex } from '../../src/apis/jasmin/read-content.ts'

const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
const utf8 = (text: string) => Buffer.from(text)
const hex = (bytes: Buffer, coding: number) => readContent(bytes, coding, true)

describe('hex-content of coding 8', () => {
  test.each([
    'Привет',
    'Привет, мир! Код 4829',
    'Hello wörld – 10 €',
    'こんにちは',
    'ましたでしょうか',
    '你好',
    '您的验证码是 482913。',
    '안녕하세요',
    'नमस्ते',
    'ਸਤ ਸ੍ਰੀ ਅਕਾਲ',
    'ਪੰਜਾਬੀ',
    'മലയാളം',
    'સુપ્રભાત',
    'مرحبا',
    'שלום',
    'สวัสดี',
    'Chào buổi sáng',
    '👋🏽 Hi',
    '☺',
    'first\nsecond ✓',
    'plain',
  ])('is UTF-16 from most programs: %s', (text) => {
    expect(hex(utf16(text), 8)).toBe(text)
  })

  test.each([
    '☺',
    '☺☺',
    'Simple message ☺',
    'Привет',
    'Привет, мир!',
    'Olá mundo ç',
    'Use `code` here now.',
    'नमस्ते',
    '您的验证码是 482913。',
    '안녕하세요',
    '👋🏽 Hi',
    'first\nsecond ✓',
  ])('is UTF-8 from RapidPro: %s', (text) => {
    expect(hex(utf8(text), 8)).toBe(text)
  })

  test('is UTF-8 in the example of RapidPro', () => {
    expect(hex(Buffer.from('e298ba', 'hex'), 8)).toBe('☺')
  })

  test('that is neither is refused', () => {
    expect(hex(Buffer.from('ff', 'hex'), 8)).toBeNull()
    expect(hex(Buffer.from('d83d', 'hex'), 8)).toBeNull()
  })
})

test('content of coding 0 is UTF-8, and hex-content of coding 0 is the GSM alphabet', () => {
  expect(readContent(utf8('Grüße 5 € ☺'), 0, false)).toBe('Grüße 5 € ☺')
  expect(readContent(Buffer.from('476c7c1b65', 'hex'), 0, true)).toBe('Glö€')
  expect(readContent(Buffer.from([0xe9]), 0, false)).toBeNull()
})

test('content of other codings is read as the coding says', () => {
  expect(readContent(Buffer.from([0x63, 0xe9]), 3, false)).toBe('cé')
  expect(readContent(Buffer.from([0xbf, 0xe0]), 6, false)).toBe('Пр')
  expect(readContent(Buffer.from([0xf9, 0xec]), 7, false)).toBe('של')
  expect(readContent(Buffer.from([0xbe, 0xc8]), 14, false)).toBe('안')
  expect(readContent(utf16('Привет'), 8, false)).toBe('Привет')
})

test('data is refused', () => {
  for (const coding of [2, 4, 5, 9, 13]) expect(hex(utf8('data'), coding)).toBeNull()
})

test('digits that are no bytes are refused', () => {
  expect(readHex('48C3a9')).toEqual(Buffer.from([0x48, 0xc3, 0xa9]))
  expect(['4', '4g', '0x48', '48 c3'].map(readHex)).toEqual([null, null, null, null])
})
