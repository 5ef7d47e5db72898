import { expect, test } from 'vitest'
import { tokensOf } from '../../src/domain/client-id.ts'

test.each([
  ['12', ['12', '"12"']],
  ['"12"', ['"12"', '12']],
  ['0', ['0', '"0"']],
  ['123456789012345678901234567890', ['123456789012345678901234567890', '"123456789012345678901234567890"']],
  ['"007"', ['"007"']],
  ['"order-1"', ['"order-1"']],
  ['-12', ['-12']],
  ['1e3', ['1e3']],
  ['"1\\u0032"', ['"1\\u0032"']],
])('%s is looked for as %j', (token, tokens) => {
  expect(tokensOf(token)).toEqual(tokens)
})
