import { expect, test } from 'vitest'
import { tokensOf } from '../../src/domain/ids/client-id.ts'

test.each([
  ['1234567890123', ['1234567890123', '"1234567890123"', '1234567890123.0']],
  ['"12.0"', ['"12.0"']],
  ['12.50', ['12.50']],
  ['007', ['007']],
  ['"order-1"', ['"order-1"']],
  ['-12', ['-12']],
  ['1e3', ['1e3']],
  ['"1\\u0032"', ['"1\\u0032"']],
])('%s is looked for as %j', (token, tokens) => {
  expect(tokensOf(token)).toEqual(tokens)
})

test.each([
  ['12', '"12"'],
  ['"12"', '12'],
  ['0', '"0"'],
  ['"0042282033"', '42282033'],
  ['42282033', '"0042282033"'],
  ['"42282033"', '"0042282033"'],
  ['"007"', '"07"'],
  ['12.00', '12'],
  ['12', '12.0'],
])('%s is looked for first, and later as %s', (token, other) => {
  const tokens = tokensOf(token)
  expect(tokens[0]).toBe(token)
  expect(tokens).toContain(other)
  expect(tokens.length).toBeLessThanOrEqual(15)
})
