/** JSON with every digit of its whole numbers, both ways. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact, writeExact } from '../../client/src/exact-json.ts'

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_992n],
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['-9223372036854775808', -9_223_372_036_854_775_808n],
  ['123456789012345678901234567890', 123_456_789_012_345_678_901_234_567_890n],
  ['0.1234567890123456', 0.1234567890123456],
  ['1234567890123456e3', 1_234_567_890_123_456_000],
  ['"9223372036854775807"', '9223372036854775807'],
  ['"n9223372036854775807"', 'n9223372036854775807'],
  ['"\\u006e9223372036854775807"', 'n9223372036854775807'],
  ['"\\"id\\":9223372036854775807"', '"id":9223372036854775807'],
  ['"9223372036854775807\\\\"', '9223372036854775807\\'],
])('%s', (text, value) => {
  expect(parseExact(text)).toEqual(value)
  expect(parseExact(`{"9223372036854775807" : [${text}, true]}`)).toEqual({ '9223372036854775807': [value, true] })
})

test('invalid JSON is refused, with and without long numbers', () => {
  for (const text of ['', '{', '{"id":9223372036854775807', '[09223372036854775807]', "'9223372036854775807'"]) {
    expect(() => parseExact(text)).toThrow(SyntaxError)
  }
})

test('a value beside a long number reads as JSON.parse would read it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value)
      const [read, long] = parseExact(`[${text},9223372036854775807]`) as [unknown, unknown]
      // Compared as text: numbers of a million and more digits of precision would be bigints otherwise.
      expect(JSON.stringify(read, plain)).toBe(JSON.stringify(JSON.parse(text)))
      expect(long).toBe(9_223_372_036_854_775_807n)
    }),
  )
})

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

test('a text of some megabytes is no trouble', () => {
  const text = 'ab\\" '.repeat(500_000)
  expect(parseExact(`{"text":"${text}","id":9223372036854775807}`)).toEqual({
    text: text.replaceAll('\\"', '"'),
    id: 9_223_372_036_854_775_807n,
  })
})

test('numbers are written with all digits, and undefined fields are left out', () => {
  const sendAt = new Date(Date.UTC(2026, 0, 1))
  expect(
    writeExact({ type: 'rcs', id: 9_223_372_036_854_775_807n, phone: 491701234500, hook: undefined, at: sendAt }),
  ).toBe('{"type":"rcs","id":9223372036854775807,"phone":491701234500,"at":"2026-01-01T00:00:00.000Z"}')
})

const circle: Record<string, unknown> = {}
circle['itself'] = circle

test.each([
  ['a number beyond 2^53', 2 ** 53],
  ['not a number', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a time that is none', new Date(Number.NaN)],
  ['a function', () => 1],
  ['a bigint inside of an object', { id: 1n }],
  ['not a number inside of a list', [{ phone: Number.NaN }]],
  ['a circle', circle],
])('%s is not sent as something else', (_, value) => {
  expect(() => writeExact({ rcs_lifetime: value })).toThrow(/^rcs_lifetime: /)
})
