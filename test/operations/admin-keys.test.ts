/** What operators do with keys: issue, rotate with an overlap, take back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyIdOf } from '../../src/domain/accounts/api-key.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { openAccount } from '../../src/operations/admin/accounts/accounts.ts'
import {
  issueKey,
  type KeyInput,
  type KeyRotation,
  keysOfAccount,
  revokeKey,
  rotateKey,
} from '../../src/operations/admin/keys/api-keys.ts'
import { hashKey, isWellFormedKey } from '../../src/operations/request/api-key.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { TEST_KEYS } from '../support/test-keys.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const DAY_MS = 86_400_000

let store: Store
let clock: VirtualClock
let random: SeededRandom
let accountId: AccountId
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:', keys: TEST_KEYS, inline: true })
  clock = new VirtualClock()
  random = new SeededRandom()
  accountId = (await openAccount(store, random, { name: 'Shop', currency: 'EUR' })).accountId
})
afterEach(() => store.close())

const issue = (input: Partial<KeyInput> = {}) => issueKey(store, clock, random, { accountId, name: 'server', ...input })
const rotate = (rotation: Partial<KeyRotation> = {}) =>
  rotateKey(store, clock, random, { accountId, which: 'server', ...rotation })
const opens = async (secret: string) =>
  new Directory(await store.loadDirectory()).accessBy(hashKey(secret), clock.now()) !== null

test('a key is issued with the rights and the end that were wished for', async () => {
  const expiresAt = clock.now() + DAY_MS
  const { secret, key } = await issue({ scopes: ['otp', 'send', 'otp'], expiresAt })
  expect(isWellFormedKey(secret)).toBe(true)
  expect(key).toEqual({
    hash: hashKey(secret),
    accountId,
    name: 'server',
    scopes: ['send', 'otp'],
    test: false,
    networks: null,
    operationsPerSecond: null,
    priority: null,
    createdAt: clock.now(),
    expiresAt,
    lastUsedAt: null,
  })
  expect(keysOfAccount(await store.loadDirectory(), accountId)).toEqual([key])
})

test('what cannot be issued changes nothing and says why', async () => {
  await issue()
  const before = await store.loadDirectory()
  const wrong: readonly (readonly [Partial<KeyInput>, string])[] = [
    [{ name: 'server' }, 'already has a key named "server"'],
    [{ name: ' x' }, 'the name of a key must have'],
    [{ name: 'b', scopes: [] }, 'scopes: must have one or more of send, otp, templates, balance, hooks, inbound'],
    [{ name: 'c', expiresAt: clock.now() }, 'expires_at: must be a time in the future, such as 2027-12-31T23:59:59Z'],
    [{ name: 'c', expiresAt: Number.NaN }, 'expires_at: must be a time in the future, such as 2027-12-31T23:59:59Z'],
  ]
  for (const [input, text] of wrong) await expect(issue(input)).rejects.toThrow(text)
  expect(await store.loadDirectory()).toEqual(before)
})

test('a rotation gives a new key of the same name and rights; the old one ends after the overlap', async () => {
  const old = await issue({ scopes: ['send'] })
  clock.turnTo(clock.now() + 5)
  const fresh = await rotate({ overlapSeconds: 3_600 })
  expect(fresh.secret).not.toBe(old.secret)
  expect(fresh.key).toMatchObject({ name: 'server', scopes: ['send'], createdAt: clock.now(), expiresAt: null })
  expect(fresh.oldExpiresAt).toBe(clock.now() + 3_600_000)
  expect([await opens(old.secret), await opens(fresh.secret)]).toEqual([true, true])
  clock.turnTo(clock.now() + 3_600_000)
  expect([await opens(old.secret), await opens(fresh.secret)]).toEqual([false, true])
})

test('without an overlap the old key ends at once; without a word it is good for a week', async () => {
  const first = await issue()
  const second = await rotate({ overlapSeconds: 0 })
  expect([await opens(first.secret), await opens(second.secret)]).toEqual([false, true])
  clock.turnTo(clock.now() + 1)
  const third = await rotate()
  expect(third.oldExpiresAt).toBe(clock.now() + 7 * DAY_MS)
  expect(await opens(second.secret)).toBe(true)
})

test('a rotated key lives as long as the old one was to, and an overlap never makes the old one live longer', async () => {
  await issue({ expiresAt: clock.now() + 30 * DAY_MS })
  clock.turnTo(clock.now() + 29 * DAY_MS)
  const fresh = await rotate()
  expect(fresh.key.expiresAt).toBe(clock.now() + 30 * DAY_MS)
  expect(fresh.oldExpiresAt).toBe(clock.now() + DAY_MS)
  clock.turnTo(clock.now() + 1)
  expect((await rotate({ expiresAt: null })).key.expiresAt).toBeNull()
})

test('what cannot be rotated changes nothing and says why', async () => {
  await issue({ expiresAt: clock.now() + DAY_MS })
  const before = await store.loadDirectory()
  await expect(rotate({ which: 'other' })).rejects.toThrow('has no key named "other"')
  await expect(rotate({ overlapSeconds: -1 })).rejects.toThrow('overlap_seconds: must be a whole number')
  await expect(rotate({ overlapSeconds: 0.5 })).rejects.toThrow('overlap_seconds: must be a whole number')
  await expect(rotate({ expiresAt: clock.now() })).rejects.toThrow(
    'expires_at: must be a time in the future, such as 2027-12-31T23:59:59Z',
  )
  clock.turnTo(clock.now() + DAY_MS)
  await expect(rotate()).rejects.toThrow('has expired: issue a new one')
  expect(await store.loadDirectory()).toEqual(before)
})

test('a name takes back all its keys, an id only one', async () => {
  const old = await issue()
  clock.turnTo(clock.now() + 1)
  const fresh = await rotate()
  const other = await issue({ name: 'other' })
  await revokeKey(store, { accountId, which: keyIdOf(old.key) })
  expect(await Promise.all([old, fresh, other].map(({ secret }) => opens(secret)))).toEqual([false, true, true])
  clock.turnTo(clock.now() + 1)
  const third = await rotate()
  const revoked = await revokeKey(store, { accountId, which: 'server' })
  expect(revoked.map(({ hash }) => hash)).toEqual([third.key.hash, fresh.key.hash])
  expect(await Promise.all([fresh, third, other].map(({ secret }) => opens(secret)))).toEqual([false, false, true])
  await expect(revokeKey(store, { accountId, which: 'server' })).rejects.toThrow('has no key named "server"')
})
