/**
 * What is written beside operators' changes: who did it, the requests that must not run twice, and who operators are.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AdminToken, type AdminUser, MAX_ACCOUNT_USERS } from '../../../src/domain/accounts/admin-user.ts'
import type { AuditEntry } from '../../../src/domain/accounts/audit.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { AdminRequest } from '../../../src/ports/changes/change-record.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const entry: AuditEntry = {
  at: BEGINNING,
  actor: 'anna',
  via: 'admin API',
  action: 'changeAccount',
  subject: 'account 1',
  before: { state: 'active' },
  after: { state: 'suspended' },
}
const request: AdminRequest = { actor: 'anna', key: 'k-1', bodyHash: 'abc', keepUntil: BEGINNING + 1_000 }
const anna: AdminUser = {
  name: 'anna',
  role: 'owner',
  accountId: null,
  state: 'active',
  passwordHash: null,
  totpSecret: 'SECRET',
  subject: null,
}
const token: AdminToken = {
  hash: 'h',
  user: 'anna',
  label: 'laptop',
  createdAt: BEGINNING,
  expiresAt: null,
  provedAt: null,
}

export function describeRecords(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const suspend = () => ({ kind: 'set account', accountId: client, state: 'suspended' }) as const
  const state = async () => (await story.store.loadDirectory()).accounts[0]?.state
  const revision = async () => (await story.store.loadDirectory()).revision
  const audit = async () =>
    (await story.store.page({ of: 'audit', actors: null, subjects: null, after: null, limit: 9 })).rows

  describe('the record of a change', () => {
    it('is on disk with it', async () => {
      await story.store.change(suspend(), { revision: await revision(), entries: [entry], request })
      await story.reopen()
      expect(await state()).toBe('suspended')
      expect(await audit()).toEqual([entry])
      expect(await story.store.findRequest('anna', 'k-1')).toEqual({ bodyHash: 'abc', answer: null })
    })

    it('refuses a change that was made from an older directory, and leaves nothing', async () => {
      const seen = await revision()
      await story.store.change({ kind: 'set account', accountId: client, state: 'active' })
      const late = story.store.change(suspend(), { revision: seen, entries: [entry], request })
      await expect(late).rejects.toMatchObject({ name: 'ChangeConflict' })
      expect(await state()).toBe('active')
      expect(await audit()).toEqual([])
      expect(await story.store.findRequest('anna', 'k-1')).toBeNull()
    })

    it('is found by any of several subjects', async () => {
      const entries = ['one', 'two', 'three'].map((subject) => ({ ...entry, subject }))
      await story.store.change(suspend(), { revision: await revision(), entries, request })
      const found = await story.store.page({
        of: 'audit',
        actors: null,
        subjects: ['three', 'one', 'four'],
        after: null,
        limit: 9,
      })
      expect(found.rows.map(({ subject }) => subject)).toEqual(['three', 'one'])
    })

    it('is found by any of several actors, a page at a time', async () => {
      const entries = ['anna', 'ben', 'cleo', 'anna'].map((actor, place) => ({ ...entry, actor, subject: `${place}` }))
      await story.store.change(suspend(), { revision: await revision(), entries, request })
      const query = { of: 'audit', actors: ['anna', 'cleo'], subjects: null, limit: 2 } as const
      const first = await story.store.page({ ...query, after: null })
      expect(first.rows.map(({ subject }) => subject)).toEqual(['3', '2'])
      const second = await story.store.page({ ...query, after: first.next })
      expect(second.rows.map(({ subject }) => subject)).toEqual(['0'])
      const both = await story.store.page({ ...query, subjects: ['0', '1'], after: null })
      expect(both.rows.map(({ subject }) => subject)).toEqual(['0'])
      expect((await story.store.page({ ...query, actors: [], after: null })).rows).toEqual([])
    })

    it('is found by action and time', async () => {
      const entries = [1, 2, 3, 4].map((at) => ({ ...entry, at, action: at % 2 === 0 ? 'topUp' : 'setPrice' }))
      await story.store.change(suspend(), { revision: await revision(), entries, request })
      const found = async (filter: object) => {
        const query = { of: 'audit', actors: null, subjects: null, after: null, limit: 9, ...filter } as const
        return (await story.store.page(query)).rows.map(({ at }) => at)
      }
      expect(await found({ actions: ['topUp'] })).toEqual([4, 2])
      expect(await found({ from: 2, until: 4 })).toEqual([3, 2])
      expect(await found({ from: 2, actions: ['setPrice'], actors: ['anna'] })).toEqual([3])
      expect(await found({ actions: ['top'] })).toEqual([])
    })

    it('is not written when the change breaks a rule', async () => {
      const record = { revision: await revision(), entries: [entry], request }
      const wrong = story.store.change({ kind: 'remove keys', accountId: client, hashes: ['none'] }, record)
      await expect(wrong).rejects.toMatchObject({ name: 'ChangeRefused' })
      expect(await audit()).toEqual([])
      expect(await story.store.findRequest('anna', 'k-1')).toBeNull()
    })

    it('lets a request change something once', async () => {
      await story.store.change(suspend(), { revision: await revision(), entries: [], request })
      const again = { kind: 'set account', accountId: client, state: 'active' } as const
      const second = story.store.change(again, { revision: await revision(), entries: [], request })
      await expect(second).rejects.toMatchObject({ name: 'ChangeRefused' })
      expect(await state()).toBe('suspended')
    })

    it('keeps the answer of a request until its time has passed, for its actor alone', async () => {
      await story.store.change(suspend(), { revision: await revision(), entries: [], request })
      await story.store.keepAnswer('anna', 'k-1', '{"key":"shown once"}')
      expect(await story.store.findRequest('anna', 'k-1')).toEqual({ bodyHash: 'abc', answer: '{"key":"shown once"}' })
      expect(await story.store.findRequest('ben', 'k-1')).toBeNull()
      await story.sweep(request.keepUntil - 1)
      expect(await story.store.findRequest('anna', 'k-1')).not.toBeNull()
      await story.sweep(request.keepUntil)
      expect(await story.store.findRequest('anna', 'k-1')).toBeNull()
    })
  })

  describe('admin users', () => {
    it('come back as they were set, and their tokens go', async () => {
      await story.store.change({ kind: 'set admin user', user: anna })
      await story.store.change({ kind: 'add admin token', token })
      expect(await story.store.loadDirectory()).toMatchObject({ adminUsers: [anna], adminTokens: [token] })
      await story.store.change({ kind: 'set admin user', user: { ...anna, role: 'auditor', totpSecret: null } })
      await story.store.change({ kind: 'remove admin token', user: 'anna', label: 'laptop' })
      expect(await story.store.loadDirectory()).toMatchObject({
        adminUsers: [{ ...anna, role: 'auditor', totpSecret: null }],
        adminTokens: [],
      })
    })

    it('of an account stay there, are at most a hundred, and lose their tokens with it', async () => {
      const { store } = story
      const accountId = await story.account()
      const ofAccount = (name: string): AdminUser => {
        const user = { ...anna, name: `${name}@${accountId}`, role: 'client-reader', accountId } as const
        return { ...user, passwordHash: null, totpSecret: null }
      }
      for (let count = 0; count < MAX_ACCOUNT_USERS; count += 1) {
        await store.change({ kind: 'set admin user', user: ofAccount(`user ${count}`) })
      }
      const first = ofAccount('user 0')
      await store.change({ kind: 'set admin user', user: { ...first, state: 'disabled' } })
      for (const user of [
        ofAccount('one more'),
        { ...first, accountId: null, role: 'owner' },
        { ...first, role: 'owner' },
        { ...ofAccount('user 1'), name: 'without the account' },
      ] as const) {
        await expect(store.change({ kind: 'set admin user', user })).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      await store.change({ kind: 'set admin user', user: anna })
      await store.change({ kind: 'add admin token', token })
      await store.change({ kind: 'add admin token', token: { ...token, hash: 'theirs', user: first.name } })
      await store.change({ kind: 'set account', accountId, state: 'closed' })
      const { adminUsers, adminTokens } = await store.loadDirectory()
      expect(adminTokens).toEqual([token])
      expect(adminUsers.filter((user) => user.accountId === accountId)).toHaveLength(MAX_ACCOUNT_USERS)
      const late = { kind: 'add admin token', token: { ...token, hash: 'late', user: first.name } } as const
      await expect(store.change(late)).rejects.toMatchObject({ name: 'ChangeRefused' })
    })

    it('refuses a token of an unknown user, a duplicate label, and the removal of a missing token', async () => {
      await story.store.change({ kind: 'set admin user', user: anna })
      await story.store.change({ kind: 'add admin token', token })
      for (const wrong of [
        { kind: 'add admin token', token: { ...token, hash: 'other', user: 'ben' } },
        { kind: 'add admin token', token: { ...token, hash: 'other' } },
        { kind: 'remove admin token', user: 'anna', label: 'phone' },
      ] as const) {
        await expect(story.store.change(wrong)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect((await story.store.loadDirectory()).adminTokens).toEqual([token])
    })
  })
}
