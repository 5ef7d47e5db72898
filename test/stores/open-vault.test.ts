import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf } from '../../src/stores/rows/sealing/seal-place.ts'
import { addSealingKey, type KeySource, makeKeyFile, removeKey } from '../../src/stores/vault/key-ring.ts'
import { openVault } from '../../src/stores/vault/open-vault.ts'
import { sealAsBefore } from '../support/first-seal.ts'

const OLD = '07'.repeat(32)
const NEW = 'ab'.repeat(32)

function given(...keys: readonly string[]): KeySource {
  return { kind: 'given', name: 'the test', keys: keys.join(' ') }
}

test('a seal opens again, differs every time and reveals nothing', () => {
  const vault = openVault(given(OLD))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = vault.seal(text)
      expect(vault.open(sealed)).toBe(text)
      expect(openVault(given(OLD)).open(sealed)).toBe(text)
      expect(vault.openText(sealed)).toBe(text)
      expect(vault.openBytes(vault.sealBytes(text))).toBe(text)
      expect(sealed).toMatch(/^v2\.[A-Za-z0-9_-]+$/)
      expect(vault.seal(text)).not.toBe(sealed)
    }),
  )
})

test('two vaults of one key never seal under the same derived key and nonce', () => {
  const heads = [openVault(given(OLD)), openVault(given(OLD))].flatMap((vault) =>
    [1, 2, 3].map(() => Buffer.from(vault.sealBytes('x')).toString('hex', 1, 27)),
  )
  expect(new Set(heads).size).toBe(6)
})

test('detects a changed character at any position', () => {
  const vault = openVault(given(OLD))
  const sealed = vault.seal('the password of the carrier')
  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A'
    expect(() => vault.open(sealed.slice(0, index) + other + sealed.slice(index + 1))).toThrow(
      /sealed secret|sealed with key/,
    )
  }
})

test('does not open under another key, truncated, extended or unsealed text', () => {
  const sealed = openVault(given(OLD)).seal('secret')
  expect(() => openVault(given(NEW)).open(sealed)).toThrow(/sealed with key [0-9a-f]{8}, which is not in the test/)
  for (const wrong of [sealed.slice(0, -4), `${sealed}AAAA`, `${sealed}=`, '', 'v2.', 'secret', sealed.slice(3)]) {
    expect(() => openVault(given(OLD)).open(wrong)).toThrow(/sealed secret/)
  }
})

test('reads unsealed texts of earlier versions unchanged', () => {
  const vault = openVault(given(OLD))
  for (const text of ['', 'Hello', 'v2.', 'v2.Hello', `v2.${'A'.repeat(80)}`, '{"a":1}']) {
    expect(vault.openText(text)).toBe(text)
  }
})

test('opens secrets from before keys had names with any key of the ring', () => {
  expect(openVault(given(NEW, OLD)).open(sealAsBefore(OLD, 'hunter2'))).toBe('hunter2')
  expect(() => openVault(given(NEW)).open(sealAsBefore(OLD, 'hunter2'))).toThrow(/another key/)
  expect(() => openVault(given(NEW)).open('v1.AAAA')).toThrow('this is not a sealed secret')
})

test('seals with the first of several keys until another is selected, and opens with all', () => {
  const ring = openVault(given(NEW, OLD))
  const [older, newer] = [openVault(given(OLD)), openVault(given(NEW))]
  expect(ring.keyId).toBe(newer.keyId)
  expect(ring.open(older.seal('a'))).toBe('a')
  expect(newer.open(ring.seal('b'))).toBe('b')
  ring.use(older.keyId)
  expect(older.open(ring.seal('c'))).toBe('c')
  expect(() => newer.use(older.keyId)).toThrow(/is not in the test/)
  expect(newer.open(newer.seal('d'))).toBe('d')
})

test('open vaults find a key added to the file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'posthorn-key-')), 'secret.key')
  makeKeyFile(path)
  const vault = openVault({ kind: 'file', path })
  const first = vault.keyId
  const added = addSealingKey(path)
  const other = openVault({ kind: 'file', path })
  expect(other.keyId).toBe(added)
  expect(vault.keyId).toBe(first)
  expect(vault.open(other.seal('new'))).toBe('new')
  vault.use(added)
  removeKey(path, first)
  expect(openVault({ kind: 'file', path }).open(vault.seal('mine'))).toBe('mine')
})

test.each(['', 'not a key', 'ab'.repeat(31), 'ab'.repeat(33), `${OLD} x`])('%j is not a valid key ring', (text) => {
  expect(() => openVault(given(text))).toThrow('the test must contain keys of 64 hexadecimal digits')
  const path = join(mkdtempSync(join(tmpdir(), 'posthorn-key-')), 'secret.key')
  writeFileSync(path, text, { mode: 0o600 })
  expect(() => openVault({ kind: 'file', path })).toThrow(`${path} must contain keys`)
})

test('a seal bound to a place opens only there, and older seals without a place still open', () => {
  const vault = openVault(given(OLD))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, key) => {
      const [here, there] = [placeOf('carrier', 'settings', key), placeOf('carrier', 'settings', `${key}x`)]
      const sealed = vault.sealAt(text, here)
      expect(sealed).toMatch(/^v3\.[A-Za-z0-9_-]+$/)
      expect(openVault(given(OLD)).openAt(sealed, here)).toBe(text)
      expect(() => vault.openAt(sealed, there)).toThrow('a sealed secret was changed, or was sealed for another row')
      expect([vault.keyOf(sealed), vault.isBound(sealed)]).toEqual([vault.keyId, true])
    }),
  )
  const older = [vault.seal('hunter2'), sealAsBefore(OLD, 'hunter2')]
  expect(older.map((sealed) => vault.openAt(sealed, placeOf('account', 'hook_secrets', 1)))).toEqual([
    'hunter2',
    'hunter2',
  ])
  expect(older.map((sealed) => vault.isBound(sealed))).toEqual([false, false])
})

test('a seal with a place does not open as one without', () => {
  const vault = openVault(given(OLD))
  const sealed = vault.sealAt('hunter2', placeOf('account', 'hook_secrets', 1))
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  bytes[0] = 2
  for (const wrong of [sealed, `v2.${sealed.slice(3)}`, `v2.${bytes.toString('base64url')}`]) {
    expect(() => vault.open(wrong)).toThrow(/sealed secret/)
  }
  expect(() => vault.openBytes(bytes)).toThrow(/sealed secret/)
})
