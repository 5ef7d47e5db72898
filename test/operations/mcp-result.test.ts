/** Results of MCP tools stay small and show everything that they contain. */
import { expect, test } from 'vitest'
import { MAX_RESULT_BYTES, shorten, writeToolResult } from '../../src/operations/mcp/write-result.ts'

const bytes = (text: string) => Buffer.byteLength(text)

test('a short list is written whole, with the way to the next page', () => {
  expect(writeToolResult({ data: [{ a: 1 }], next: 7 })).toBe('{"data":[{"a":1}],"next":7}')
})

test('a list of more than 50 rows is cut, and says so instead of naming a next page', () => {
  const cut = JSON.parse(writeToolResult({ data: Array.from({ length: 60 }, (_, at) => at), next: 60 }))
  expect(cut).toEqual({ data: Array.from({ length: 50 }, (_, at) => at), left_out: 10, hint: 'ask for less' })
})

test('large rows are left out until the result fits into 64 KiB', () => {
  const rows = Array.from({ length: 50 }, () => ({ text: 'ü'.repeat(2_000) }))
  const text = writeToolResult({ data: rows, next: null })
  expect(bytes(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  const { data, left_out } = JSON.parse(text)
  expect(data.length + left_out).toBe(50)
  expect(data.length).toBeGreaterThan(10)
})

test('one large thing is cut between two characters', () => {
  const text = writeToolResult({ text: 'ü'.repeat(100_000) })
  expect(bytes(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  expect(text).toMatch(/ü… cut off: the result is longer than 65536 bytes$/)
  expect(shorten('short')).toBe('short')
})

test('invisible characters are written as escapes, and read as what they were', () => {
  const hidden = { text: 'a\u200b\u202e\u{e0041}b\u2028' }
  const text = writeToolResult(hidden)
  expect(text).toBe(String.raw`{"text":"a\u200b\u202e\udb40\udc41b\u2028"}`)
  expect(JSON.parse(text)).toEqual(hidden)
})
