import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openVault, readOrMakeKey } from '../src/seal.ts'

const KEY = new Uint8Array(32).fill(7)

test('what is sealed opens again, looks different every time and shows nothing of itself', () => {
  const vault = openVault(KEY)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = vault.seal(text)
      expect(vault.open(sealed)).toBe(text)
      expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
      expect(vault.seal(text)).not.toBe(sealed)
    }),
  )
})

test('a single changed character is noticed, wherever it stands', () => {
  const vault = openVault(KEY)
  const sealed = vault.seal('the password of the carrier')
  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A'
    expect(() => vault.open(sealed.slice(0, index) + other + sealed.slice(index + 1))).toThrow(/sealed secret/)
  }
})

test('another key, a cut, an addition and plain text do not open', () => {
  const sealed = openVault(KEY).seal('secret')
  expect(() => openVault(new Uint8Array(32)).open(sealed)).toThrow('sealed with another key')
  for (const wrong of [sealed.slice(0, -4), `${sealed}AAAA`, `${sealed}=`, '', 'v1.', 'secret', sealed.slice(3)]) {
    expect(() => openVault(KEY).open(wrong)).toThrow(/sealed secret/)
  }
})

test('a key of another length is refused', () => {
  expect(() => openVault(new Uint8Array(16))).toThrow(RangeError)
})

test('a key is made once, for its owner alone, and read from then on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-key-'))
  const path = join(folder, 'secret.key')
  const key = readOrMakeKey(path)
  expect(key).toHaveLength(32)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secret.key'])
  expect(readOrMakeKey(path)).toEqual(key)
  expect(openVault(key).open(openVault(readOrMakeKey(path)).seal('x'))).toBe('x')
})

test.each([0o640, 0o604, 0o660])('a key file that others may reach is refused (mode %i)', (mode) => {
  const path = join(mkdtempSync(join(tmpdir(), 'posthorn-key-')), 'secret.key')
  readOrMakeKey(path)
  chmodSync(path, mode)
  expect(() => readOrMakeKey(path)).toThrow('chmod 600')
})

test.each(['', 'not a key', 'ab'.repeat(31), 'ab'.repeat(33)])('a file that holds %j is no key, and stays', (text) => {
  const path = join(mkdtempSync(join(tmpdir(), 'posthorn-key-')), 'secret.key')
  writeFileSync(path, text, { mode: 0o600 })
  expect(() => readOrMakeKey(path)).toThrow('64 hexadecimal digits')
  expect(readFileSync(path, 'utf8')).toBe(text)
})
