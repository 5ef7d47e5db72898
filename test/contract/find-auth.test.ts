import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAuth } from '../../src/contract/request/find-auth.ts'

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

test('the key is the one that JSON.parse finds, at any place', () => {
  const member = fc.tuple(fc.oneof(fc.constantFrom('auth', 'data', 'a'), fc.string()), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(member), fc.nat(3), (members, indent) => {
      const text = JSON.stringify(Object.fromEntries(members), null, indent)
      const { auth } = JSON.parse(text)
      expect(find(text)).toBe(typeof auth === 'string' ? auth : '')
    }),
  )
})

const LARGE = 'x'.repeat(1024 * 1024)

test.each([
  [`{"auth":"key","data":["${LARGE}"]}`, 'key'],
  [`{"data":["${LARGE}"],"auth":"key"}`, 'key'],
  [`{"auth":"first","data":["${LARGE}"],"auth":"last"}`, 'last'],
  [`{"auth":"first","data":["${LARGE}"],"auth":5}`, ''],
  [`{"auth":"key","data":["${LARGE}",{"auth":"inner"}]}`, 'key'],
  [`{"data":["${LARGE}"],"auth":"key","x":{"auth":"inner \\" }"}}`, 'key'],
  [`{"x":"${LARGE}","auth":"key","y":"${LARGE}"}`, ''],
  [`{"auth":"key","x":"${LARGE}\\"auth\\":\\"no\\"}"}`, 'key'],
])('in a large body it is found within 64 KiB of either end: %#', (text, auth) => {
  expect(find(text)).toBe(auth)
})

/** The bytes, and how many of them were read. */
function countReads(text: string): { readonly bytes: Buffer; readonly reads: () => number } {
  let reads = 0
  const counted = (buffer: Buffer): Buffer =>
    new Proxy(buffer, {
      get: (target, name) => {
        if (name === 'length') return target.length
        if (name === 'subarray') return (from: number, to?: number) => counted(target.subarray(from, to))
        if (name === 'toString') {
          return (encoding: BufferEncoding, from: number, to: number) => {
            reads += to - from
            return target.toString(encoding, from, to)
          }
        }
        reads += 1
        return target[Number(name)]
      },
    })
  return { bytes: counted(Buffer.from(text)), reads: () => reads }
}

test.each([
  ['a member that is repeated', '"auth":1,'],
  ['a member with a text', '"auth":"key",'],
  ['escaped letters', '"\\u0061\\u0075\\u0074\\u0068":1,'],
  ['a key that is almost it', '"autx":1,'],
  ['keys without a value', '"auth"'],
  ['long white space', `"auth"${' '.repeat(1_000)}`],
  ['backslashes', '"\\\\\\"'],
  ['open strings', '"auth":"'],
  ['empty strings', '"",'],
  ['brackets', '[{'],
  ['a long credential', `"auth":"${'x'.repeat(2_000)}",`],
])('reads no more of a large body than of one of 128 KiB: %s', (_what, unit) => {
  const readsOf = (size: number) => {
    const { bytes, reads } = countReads(`{${unit.repeat(Math.ceil(size / unit.length))}"x":1}`)
    findAuth(bytes)
    return reads()
  }
  expect(readsOf(2 * 1024 * 1024)).toBeLessThan(6 * 128 * 1024)
  expect(readsOf(2 * 1024 * 1024)).toBeLessThan(1.2 * readsOf(256 * 1024))
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: fc.constantFrom(...'{}[]":\\, auth') }), fc.string()), (text) => {
      expect(typeof find(text)).toBe('string')
    }),
  )
})
