import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureJson, readJson, readText } from '../../src/contract/request/read-json.ts'

const read = (text: string, levels = 32) => {
  const bytes = Buffer.from(text)
  measureJson(bytes, { levels })
  return readJson(readText(bytes))
}

test('every JSON value that is not too deep is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value)
      expect(read(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('a byte order mark is passed over, escaped slashes and every script are fine', () => {
  expect(read('\ufeff{"type":"call\\/otp","text":"Grüße 你好 🎉"}')).toEqual({
    type: 'call/otp',
    text: 'Grüße 你好 🎉',
  })
})

test('of double keys the last wins', () => {
  expect(read('{"a":1,"a":2}')).toEqual({ a: 2 })
})

test('a key named __proto__ is a key like any other', () => {
  const value = read('{"__proto__":{"auth":"stolen"}}') as { auth?: unknown }
  expect(value.auth).toBeUndefined()
  expect(Object.prototype).not.toHaveProperty('auth')
})

test('brackets in strings are not levels, and the limit counts the outermost value', () => {
  expect(read(`[${JSON.stringify('[{"\\'.repeat(100))}]`, 1)).toHaveLength(1)
  expect(() => read('[[1]]', 2)).not.toThrow()
  expect(() => read('[[{}]]', 2)).toThrow('The JSON is nested too deep, at most 2 levels')
})

test('a million brackets are refused and not walked into', () => {
  expect(() => read('['.repeat(1_000_000))).toThrow('nested too deep')
  expect(() => read('{"a":'.repeat(1_000_000))).toThrow('nested too deep')
})

test.each([
  ['nothing', Buffer.alloc(0), 'The body is not valid JSON'],
  ['half an object', Buffer.from('{"auth":'), 'The body is not valid JSON'],
  ['an open string', Buffer.from('"abc'), 'The body is not valid JSON'],
  ['a string that ends in an escape', Buffer.from('"abc\\'), 'The body is not valid JSON'],
  ['two values', Buffer.from('{}{}'), 'The body is not valid JSON'],
  ['a Latin-1 umlaut', Buffer.from('"\xfc"', 'latin1'), 'The body is not valid UTF-8'],
  ['a body of gzip', gzipSync('{"auth":"x"}'), 'The body is compressed'],
  ['a body of zlib', deflateSync('{"auth":"x"}'), 'The body is compressed'],
  ['a body of Zstandard', zstdCompressSync('{"auth":"x"}'), 'The body is compressed'],
  ['half a surrogate pair in bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'The body is not valid UTF-8'],
])('%s is refused', (_, bytes, error) => {
  expect(() => readJson(readText(bytes))).toThrow(error)
})
