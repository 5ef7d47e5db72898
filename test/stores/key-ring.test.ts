import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addSealingKey, makeKeyFile, readKeys, removeKey } from '../../src/stores/vault/key-ring.ts'

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'posthorn-key-')), 'secret.key')
}

function idsOf(path: string): readonly string[] {
  return readKeys({ kind: 'file', path }).map(({ id }) => id)
}

test('creates a key once, readable by its owner alone, and reads it from then on', () => {
  const path = newPath()
  makeKeyFile(path)
  const [key, ...others] = readKeys({ kind: 'file', path })
  expect(others).toEqual([])
  expect(key?.bytes).toHaveLength(32)
  expect(key?.id).toMatch(/^[0-9a-f]{8}$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  makeKeyFile(path)
  expect(readKeys({ kind: 'file', path })).toEqual([key])
  expect(readdirSync(join(path, '..'))).toEqual(['secret.key'])
})

test('an added key comes first, and a removed one is gone', () => {
  const path = newPath()
  makeKeyFile(path)
  const [first = ''] = idsOf(path)
  const second = addSealingKey(path)
  expect(idsOf(path)).toEqual([second, first])
  removeKey(path, first)
  expect(idsOf(path)).toEqual([second])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..'))).toEqual(['secret.key'])
})

test('concurrent changes lose no key: the second is refused', () => {
  const path = newPath()
  makeKeyFile(path)
  writeFileSync(`${path}.new`, '')
  const before = readFileSync(path, 'utf8')
  expect(() => addSealingKey(path)).toThrow(/secret\.key\.new exists/)
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test.each([0o640, 0o604, 0o660])('refuses a key file that other users can access (mode %i)', (mode) => {
  const path = newPath()
  makeKeyFile(path)
  chmodSync(path, mode)
  expect(() => idsOf(path)).toThrow('chmod 600')
})

describe.runIf(process.geteuid?.() === 0)('a key file of root, which a platform mounts for a group,', () => {
  const OTHER_USER = 65_534
  const idsFor = (path: string, mode: number) => {
    chownSync(path, 0, OTHER_USER)
    chmodSync(path, mode)
    chmodSync(join(path, '..'), 0o755)
    process.setegid?.(OTHER_USER)
    process.seteuid?.(OTHER_USER)
    try {
      return idsOf(path)
    } finally {
      process.seteuid?.(0)
      process.setegid?.(0)
    }
  }

  test('is read by a process in that group', () => {
    const path = newPath()
    makeKeyFile(path)
    expect(idsFor(path, 0o440)).toEqual(idsFor(path, 0o640))
  })

  test.each([0o460, 0o444, 0o644])('is refused with mode %i, because others could read or write it', (mode) => {
    const path = newPath()
    makeKeyFile(path)
    expect(() => idsFor(path, mode)).toThrow('chmod 600')
  })
})

test('reads keys separated by lines or spaces, in upper or lower case', () => {
  const keys = `${'AB'.repeat(32)},${'cd'.repeat(32)}\n${'ef'.repeat(32)} `
  expect(readKeys({ kind: 'given', name: 'here', keys })).toHaveLength(3)
})
