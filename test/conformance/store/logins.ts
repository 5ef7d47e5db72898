/** Failed logins, used codes and sessions, as every store keeps them for all nodes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AdminToken, type AdminUser, MAX_SESSIONS } from '../../../src/domain/accounts/admin-user.ts'
import { type CountedAttempt, MAX_KNOWN_NETWORKS } from '../../../src/domain/accounts/login-limits.ts'
import { MAX_PASSKEYS, type Passkey } from '../../../src/domain/accounts/passkey.ts'
import type { Change } from '../../../src/ports/stores/setup-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const HOME = '203.0.113.7'
const ELSEWHERE = '198.51.100.9'
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const anna: AdminUser = {
  name: 'anna',
  role: 'owner',
  accountId: null,
  state: 'active',
  passwordHash: null,
  totpSecret: null,
  subject: null,
}
const buildToken = (label: string, provedAt: number | null): AdminToken => {
  return { hash: label, user: 'anna', label, createdAt: BEGINNING, expiresAt: null, provedAt }
}

const buildPasskey = (name: string): Passkey => ({
  ...{ id: `id-of-${name}`, user: 'anna', name, publicKey: 'pQEC', counter: 0 },
  ...{ createdAt: BEGINNING, lastUsedAt: null },
})
const NO_SECRETS = { user: 'anna', passwordHash: null, totpSecret: null }

export function describeLogins(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    await story.store.change({ kind: 'set admin user', user: anna })
  })
  afterEach(() => story.end())

  const attemptFrom = (network: string, change: Partial<CountedAttempt> = {}): CountedAttempt => {
    return { user: 'anna', typed: 'anna', network, token: null, ...change }
  }
  /** Returns the milliseconds to wait; `at` is since the beginning. */
  const count = (attempt: CountedAttempt, at = 0) =>
    story.store.change({ kind: 'count login', attempt, at: BEGINNING + at })
  /** Returns how many attempts were allowed before the first that had to wait. */
  const countUntilWait = async (attempt: CountedAttempt, at = 0) => {
    let allowed = 0
    while (allowed < 1_000 && (await count(attempt, at)) === 0) allowed += 1
    return allowed
  }
  const settle = (attempt: CountedAttempt, step: number | null = null, at = 0) =>
    story.store.change({ kind: 'settle login', user: 'anna', attempt, step, at: BEGINNING + at })
  const signIn = async (network: string, at = 0) => {
    expect(await count(attemptFrom(network), at)).toBe(0)
    await settle(attemptFrom(network), null, at)
  }
  /** Fails once each from many networks. */
  const failFromMany = async (failures: number, at = 0) => {
    for (let host = 0; host < failures; host += 1) await count(attemptFrom(`192.0.2.${host}`), at)
  }
  const directory = () => story.store.loadDirectory()

  describe('a session', () => {
    it('ends when its user has opened twenty more, and no token that was issued does', async () => {
      const open = (number: number) => {
        const label = `session ${number.toString(16).padStart(12, '0')}`
        const session = { ...buildToken(label, BEGINNING), createdAt: BEGINNING + number }
        return story.store.change({ kind: 'open session', token: session })
      }
      for (const label of ['laptop', 'session 00000000ffff']) {
        await story.store.change({ kind: 'add admin token', token: buildToken(label, null) })
      }
      for (let number = 0; number <= MAX_SESSIONS; number += 1) await open(number)
      const created = (await directory()).adminTokens.map(({ createdAt }) => createdAt - BEGINNING)
      const kept = Array.from({ length: MAX_SESSIONS }, (_, number) => number + 1)
      expect(created.sort((a, b) => a - b)).toEqual([0, 0, ...kept])
    })
  })

  describe("a user of the firm's provider", () => {
    const bea: AdminUser = { ...anna, name: 'bea', role: 'support', subject: 'https://login.example 1' }
    const admit = (user: AdminUser) => story.store.change({ kind: 'admit user', user })
    const stored = async (name: string) => (await directory()).adminUsers.find((user) => user.name === name)

    it('is added once, and later given a role alone', async () => {
      await admit(bea)
      await admit({ ...bea, role: 'owner' })
      await story.reopen()
      expect(await stored('bea')).toEqual({ ...bea, role: 'owner' })
    })

    it('never becomes another user of the name or subject, nor an active one who was disabled', async () => {
      await admit(bea)
      const other = { ...bea, subject: 'https://login.example 2', role: 'owner' } as const
      await expect(admit(other)).rejects.toThrow('there is a user bea already')
      await expect(admit({ ...other, name: 'anna' })).rejects.toThrow('there is a user anna already')
      await expect(admit({ ...bea, name: 'carl' })).rejects.toThrow('bea signs in with this account')
      await story.store.change({ kind: 'set admin user', user: { ...bea, state: 'disabled' } })
      await expect(admit({ ...bea, role: 'owner' })).rejects.toThrow('user bea is disabled')
      expect([await stored('bea'), await stored('anna')]).toEqual([{ ...bea, state: 'disabled' }, anna])
      const second = { ...anna, name: 'dora', subject: bea.subject }
      const set = story.store.change({ kind: 'set admin user', user: second })
      await expect(set).rejects.toThrow('bea signs in with this account')
    })
  })

  describe('an attempt to log in', () => {
    it('has to wait after five failures, longer each time, when the store was closed in between too', async () => {
      const attempt = attemptFrom(HOME)
      for (let failures = 0; failures < 4; failures += 1) expect(await count(attempt)).toBe(0)
      await story.reopen()
      expect(await count(attempt)).toBe(0)
      expect(await count(attempt, 1)).toBe(MINUTE_MS - 1)
      expect(await count(attempt, MINUTE_MS)).toBe(0)
      expect(await count(attempt, MINUTE_MS + 1)).toBe(2 * MINUTE_MS - 1)
    })

    it('waits for no failures from another address, of whichever length', async () => {
      expect(await countUntilWait(attemptFrom(ELSEWHERE))).toBe(5)
      expect(await count(attemptFrom(HOME))).toBe(0)
    })

    it('waits for no failures of another user at its address, until the address itself has too many', async () => {
      const names = ['ben', 'carl', 'dora', 'emil']
      for (const typed of names) expect(await countUntilWait(attemptFrom(HOME, { user: null, typed }))).toBe(5)
      expect(await count(attemptFrom(HOME))).toBeGreaterThan(0)
      expect(await count(attemptFrom(ELSEWHERE))).toBe(0)
    })

    it('that was right forgets the failures of the user at this address, and of the address itself alone', async () => {
      for (let failures = 0; failures < 5; failures += 1) await count(attemptFrom(HOME))
      await count(attemptFrom(HOME), MINUTE_MS)
      expect(await settle(attemptFrom(HOME), 5, MINUTE_MS)).toBe(1)
      expect(await countUntilWait(attemptFrom(HOME), MINUTE_MS)).toBe(5)
    })

    it('takes each code once, and none that is older, also of a proof', async () => {
      await count(attemptFrom(HOME))
      expect(await settle(attemptFrom(HOME), 5)).toBe(1)
      await story.reopen()
      const steps = [5, 4, 6]
      const settled: number[] = []
      for (const step of steps) settled.push(await settle(attemptFrom(HOME), step))
      expect(settled).toEqual([0, 0, 1])
      expect(await settle(attemptFrom(HOME, { token: 'session a' }), 6)).toBe(0)
    })

    it('leaves the revision of the directory as it is', async () => {
      const { revision } = await directory()
      await count(attemptFrom(HOME))
      await settle(attemptFrom(HOME), 1)
      expect((await directory()).revision).toBe(revision)
    })
  })

  describe('after fifty failures of a user in an hour, from any addresses', () => {
    it('only networks from which the user signed in may try, when the store was closed in between too', async () => {
      await signIn(HOME)
      await failFromMany(50, 1)
      await story.reopen()
      expect(await count(attemptFrom(ELSEWHERE), 2)).toBe(HOUR_MS - 2)
      expect(await count(attemptFrom(HOME), 2)).toBe(0)
      expect(await count(attemptFrom(ELSEWHERE, { user: 'ben', typed: 'ben' }), 2)).toBe(0)
      expect(await count(attemptFrom(ELSEWHERE), HOUR_MS)).toBe(0)
    })

    it('an unknown name waits as well, so that no wait reveals which names exist', async () => {
      for (let host = 0; host < 50; host += 1) {
        await count(attemptFrom(`192.0.2.${host}`, { user: null, typed: 'nina' }))
      }
      expect(await count(attemptFrom(ELSEWHERE, { user: null, typed: 'nina' }), 1)).toBe(HOUR_MS - 1)
    })

    it('a network is known for thirty days after the last login', async () => {
      await signIn(HOME)
      await signIn(HOME, 20 * DAY_MS)
      await failFromMany(50, 49 * DAY_MS)
      expect(await count(attemptFrom(HOME), 49 * DAY_MS)).toBe(0)
      await settle(attemptFrom(HOME, { token: 'session a' }), null, 49 * DAY_MS)
      await failFromMany(50, 50 * DAY_MS)
      expect(await count(attemptFrom(HOME), 50 * DAY_MS)).toBeGreaterThan(0)
    })

    it('the newest fifty networks of the user are known', async () => {
      for (let host = 0; host <= MAX_KNOWN_NETWORKS; host += 1) await signIn(`203.0.113.${host}`, host)
      await failFromMany(50, HOUR_MS)
      expect(await count(attemptFrom('203.0.113.0'), HOUR_MS)).toBeGreaterThan(0)
      expect(await count(attemptFrom('203.0.113.1'), HOUR_MS)).toBe(0)
    })

    it('links and passkeys, which name no user before they are right, are accepted from everywhere', async () => {
      await failFromMany(50)
      const unnamed = attemptFrom(ELSEWHERE, { user: null, typed: null })
      expect(await count(unnamed)).toBe(0)
      expect(await settle(unnamed)).toBe(1)
      expect(await count(attemptFrom(ELSEWHERE))).toBe(0)
    })
  })

  describe('a proof of a session', () => {
    const proof = attemptFrom(HOME, { token: 'session a' })

    it('waits for no failed logins, from its own address either, nor do logins wait for it', async () => {
      await signIn(HOME)
      await failFromMany(50)
      expect(await countUntilWait(attemptFrom(HOME))).toBe(5)
      expect(await countUntilWait(proof)).toBe(5)
      expect(await count(attemptFrom(ELSEWHERE, { token: 'session a' }))).toBeGreaterThan(0)
      expect(await count({ ...proof, token: 'session b' })).toBe(0)
    })

    it('with a passkey is counted apart from one with a password', async () => {
      const withPasskey = { ...proof, typed: null }
      expect(await countUntilWait(proof)).toBe(5)
      expect(await countUntilWait(withPasskey)).toBe(20)
    })
  })

  describe('a one-time token', () => {
    const add = (hash: string, expiresAt: number) =>
      story.store.change({ kind: 'add sign-in link', user: 'anna', hash, expiresAt })
    const use = (hash: string, at: number) => story.store.change({ kind: 'use one-time token', hash, at })

    it('is used once, when the store was closed in between too', async () => {
      await add('a', BEGINNING + 10)
      await story.reopen()
      expect(await use('b', BEGINNING)).toBe(0)
      expect([await use('a', BEGINNING), await use('a', BEGINNING)]).toEqual([1, 0])
    })

    it('is used by one of several that try at the same time', async () => {
      await add('a', BEGINNING + 10)
      const used = await Promise.all([1, 2, 3, 4].map(() => use('a', BEGINNING)))
      expect(used.sort()).toEqual([0, 0, 0, 1])
    })

    it('is of no use from its expiry on, and leaves the directory as it is', async () => {
      const { revision } = await directory()
      await add('a', BEGINNING + 10)
      expect(await use('a', BEGINNING + 10)).toBe(0)
      expect((await directory()).revision).toBe(revision)
    })
  })

  describe('a sign-in link', () => {
    const change = (wanted: Change) => story.store.change(wanted)
    const use = (hash: string) => change({ kind: 'use one-time token', hash, at: BEGINNING })

    it.each<[string, readonly Change[]]>([
      ['is disabled', [{ kind: 'set admin user', user: { ...anna, state: 'disabled' } }]],
      ['has new secrets', [{ kind: 'set admin secrets', ...NO_SECRETS, keepToken: 'phone' }]],
      [
        'loses a passkey',
        [
          { kind: 'add passkey', passkey: buildPasskey('laptop') },
          { kind: 'remove passkeys', user: 'anna', name: 'laptop', keepToken: null },
        ],
      ],
    ])('ends when its user %s, and that of no other user does', async (_what, changes) => {
      await change({ kind: 'set admin user', user: { ...anna, name: 'ben' } })
      const expiresAt = BEGINNING + 10
      for (const name of ['anna', 'ben']) await change({ kind: 'add sign-in link', user: name, hash: name, expiresAt })
      await change({ kind: 'add challenge', hash: 'challenge', expiresAt })
      for (const each of changes) await change(each)
      expect([await use('anna'), await use('ben'), await use('challenge')]).toEqual([0, 1, 1])
    })

    it('ends when the account of its user is closed', async () => {
      const accountId = await story.account()
      const name = `carl@${accountId}`
      await change({ kind: 'set admin user', user: { ...anna, name, role: 'client-admin', accountId } })
      await change({ kind: 'add sign-in link', user: name, hash: 'a', expiresAt: BEGINNING + 10 })
      await change({ kind: 'set account', accountId, state: 'closed' })
      expect(await use('a')).toBe(0)
    })
  })

  describe('a passkey', () => {
    const add = (name: string) => story.store.change({ kind: 'add passkey', passkey: buildPasskey(name) })
    const use = (counter: number, id = 'id-of-laptop') =>
      story.store.change({ kind: 'use passkey', id, counter, at: BEGINNING + 7 })
    const refused = { name: 'ChangeRefused' }

    it('is kept with its last use, and counts upwards unless it does not count', async () => {
      await add('laptop')
      expect([await use(0), await use(0), await use(3), await use(3), await use(2), await use(0)]).toEqual([
        1, 1, 1, 0, 0, 0,
      ])
      expect(await use(9, 'unknown')).toBe(0)
      await story.reopen()
      const [passkey] = (await directory()).passkeys
      expect(passkey).toEqual({ ...buildPasskey('laptop'), counter: 3, lastUsedAt: BEGINNING + 7 })
    })

    it('is used by one of several signatures with the same count', async () => {
      await add('laptop')
      const used = await Promise.all([1, 1, 1].map((counter) => use(counter)))
      expect(used.sort()).toEqual([0, 0, 1])
    })

    it('has an id and a name of its own, and an existing user', async () => {
      await add('laptop')
      await expect(add('laptop')).rejects.toMatchObject(refused)
      const renamed = { ...buildPasskey('phone'), name: 'laptop' }
      await expect(story.store.change({ kind: 'add passkey', passkey: renamed })).rejects.toMatchObject(refused)
      const bens = { ...buildPasskey('phone'), user: 'ben' }
      await expect(story.store.change({ kind: 'add passkey', passkey: bens })).rejects.toMatchObject(refused)
      await add('phone')
      const rename = (name: string, newName: string) =>
        story.store.change({ kind: 'rename passkey', user: 'anna', name, newName })
      await expect(rename('phone', 'laptop')).rejects.toMatchObject(refused)
      await expect(rename('unknown', 'table')).rejects.toMatchObject(refused)
      await rename('phone', 'tablet')
      expect((await directory()).passkeys.map(({ name }) => name)).toEqual(['laptop', 'tablet'])
    })

    it('is one of twenty at most', async () => {
      for (let count = 0; count < MAX_PASSKEYS; count += 1) await add(`key ${count}`)
      await expect(add('one more')).rejects.toMatchObject(refused)
    })

    it('ends the other sessions of its user when it is removed, but no issued token', async () => {
      await add('laptop')
      await add('phone')
      for (const label of ['here', 'there']) {
        await story.store.change({ kind: 'open session', token: buildToken(label, BEGINNING) })
      }
      await story.store.change({ kind: 'add admin token', token: buildToken('program', null) })
      const remove = (name: string | null) =>
        story.store.change({ kind: 'remove passkeys', user: 'anna', name, keepToken: 'here' })
      await remove('laptop')
      const { passkeys, adminTokens } = await directory()
      expect([passkeys.map(({ name }) => name), adminTokens.map(({ label }) => label)]).toEqual([
        ['phone'],
        ['here', 'program'],
      ])
      await remove(null)
      expect((await directory()).passkeys).toEqual([])
      await expect(remove(null)).rejects.toMatchObject(refused)
    })
  })

  describe('a session', () => {
    it('is proven again, which no other token is', async () => {
      await story.store.change({ kind: 'open session', token: buildToken('session a', BEGINNING) })
      await story.store.change({ kind: 'add admin token', token: buildToken('laptop', null) })
      const at = BEGINNING + 9
      await story.store.change({ kind: 'prove session', user: 'anna', label: 'session a', at })
      const proof = story.store.change({ kind: 'prove session', user: 'anna', label: 'laptop', at })
      await expect(proof).rejects.toMatchObject({ name: 'ChangeRefused' })
      expect((await directory()).adminTokens).toEqual([buildToken('laptop', null), buildToken('session a', at)])
    })

    it('ends with every other token of the user when the user sets new secrets', async () => {
      await story.store.change({ kind: 'set admin user', user: { ...anna, name: 'ben' } })
      for (const label of ['laptop', 'phone', 'server'])
        await story.store.change({ kind: 'add admin token', token: buildToken(label, null) })
      const bens = { ...buildToken('laptop', null), hash: 'b', user: 'ben' }
      await story.store.change({ kind: 'add admin token', token: bens })
      const secrets = { user: 'anna', passwordHash: 'scrypt$', totpSecret: 'JBSWY3DP' }
      await story.store.change({ kind: 'set admin secrets', ...secrets, keepToken: 'phone' })
      const { adminUsers, adminTokens } = await directory()
      expect(adminUsers[0]).toEqual({ ...anna, passwordHash: 'scrypt$', totpSecret: 'JBSWY3DP' })
      expect(adminTokens).toEqual([buildToken('phone', null), bens])
      await story.store.change({ kind: 'set admin secrets', ...secrets, keepToken: null })
      expect((await directory()).adminTokens).toEqual([bens])
    })
  })
}
