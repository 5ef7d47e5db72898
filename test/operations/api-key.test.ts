/** API keys: random, of one form, with a checksum that finds slips of the pen. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, isMistypedKey, isWellFormedKey, makeKey } from '../../src/operations/request/api-key.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const FORM = /^ph_(live|test)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/

test('every key has the form and is another one', () => {
  const random = new SeededRandom()
  const keys = Array.from({ length: 200 }, (_, index) => makeKey(index % 2 === 0 ? 'live' : 'test', random))
  for (const key of keys) expect(key).toMatch(FORM)
  expect(keys.every(isWellFormedKey)).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the checksum is CRC-32 of all before it, in base 62', () => {
  const key = 'ph_live_00000000000000000000000000000000_'
  // CRC-32 (ISO-HDLC) of the 40 characters, worked out by another implementation.
  expect(isWellFormedKey(`${key}24Ksmp`)).toBe(true)
})

test('one wrong character, or two that changed places, are found', () => {
  const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.integer(), fc.nat(31), character, (seed, place, other) => {
      const key = makeKey('live', new SeededRandom(seed))
      const at = 'ph_live_'.length + place
      const mistyped = key.slice(0, at) + other + key.slice(at + 1)
      expect(isWellFormedKey(mistyped)).toBe(mistyped === key)
      expect(isMistypedKey(mistyped)).toBe(mistyped !== key)
      const swapped = key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2)
      expect(isWellFormedKey(swapped)).toBe(swapped === key)
    }),
    { numRuns: 100 },
  )
})

test('other texts are no keys', () => {
  for (const text of ['', 'ph_live_', 'secret', 'ph_live_x_y', `${makeKey('live', new SeededRandom())}0`]) {
    expect([isWellFormedKey(text), isMistypedKey(text)]).toEqual([false, false])
  }
})

test('the store keeps the SHA-256 in hexadecimal', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
