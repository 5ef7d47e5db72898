import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAuth } from '../../src/contract/find-auth.ts'

const find = (text: string) => findAuth(Buffer.from(text))

test.each([
  ['{"auth":"key","data":[]}', 'key'],
  ['{"data":[],"auth":"key"}', 'key'],
  ['\ufeff { "data" : [{"auth":"inner"}] , "auth" \n : \t "key" }', 'key'],
  ['{"auth":"first","auth":"last"}', 'last'],
  ['{"auth":"first","auth":5}', ''],
  ['{"\\u0061uth":"key"}', 'key'],
  ['{"auth":"first","a\\u0075\\u0074\\u0068":"last"}', 'last'],
  ['{"auth":"k\\u0065y \\" \\\\"}', 'key " \\'],
  ['{"x":"\\"auth\\":\\"no\\"","auth":"key"}', 'key'],
  ['{"x":"auth","y":"no"}', ''],
  ['{"data":{"auth":"inner"}}', ''],
  ['[{"auth":"inner"}]', ''],
  ['{"Auth":"key","auth ":"key","aut":"key","authx":"key"}', ''],
  ['{"auth":{"auth":"inner"}}', ''],
  ['{"auth":null}', ''],
  [`{"auth":"${'x'.repeat(2_000)}"}`, ''],
  ['{"auth":"open', ''],
  ['{"auth":', ''],
  ['{"auth', ''],
  ['"auth":"key"', ''],
  ['', ''],
])('%s has the credential %j', (text, auth) => {
  expect(find(text)).toBe(auth)
})

test('it is the one that JSON.parse finds, wherever it stands', () => {
  const member = fc.tuple(fc.oneof(fc.constantFrom('auth', 'data', 'a'), fc.string()), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(member), fc.nat(3), (members, indent) => {
      const text = JSON.stringify(Object.fromEntries(members), null, indent)
      const { auth } = JSON.parse(text)
      expect(find(text)).toBe(typeof auth === 'string' ? auth : '')
    }),
  )
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: fc.constantFrom(...'{}[]":\\, auth') }), fc.string()), (text) => {
      expect(typeof find(text)).toBe('string')
    }),
  )
})
