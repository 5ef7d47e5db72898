/** API keys: replaced in one step, removed together, and their last use noted beside everything else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { buildKey } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeKeys(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(0)
  })
  afterEach(() => story.end())

  const keyRows = async () => (await story.store.loadDirectory()).keys
  const add = (hash: string, accountId = client) => {
    return story.store.change({ kind: 'add key', key: buildKey({ hash, accountId }) })
  }

  describe('API keys', () => {
    it('are replaced in one step: the new one is there, the old one expires', async () => {
      await add('old')
      const key = buildKey({
        hash: 'new',
        accountId: client,
        createdAt: 5,
        scopes: ['otp', 'balance'],
        test: true,
        expiresAt: 900,
      })
      await story.store.change({ kind: 'add key', key, replaces: { hash: 'old', expiresAt: 70 } })
      await story.reopen()
      expect(await keyRows()).toEqual([
        { ...buildKey({ hash: 'old', accountId: client, expiresAt: 70 }), lastUsedAt: null },
        { ...key, lastUsedAt: null },
      ])
    })

    it('replace only a key that is there, of the same account', async () => {
      const other = await story.account(0)
      await add('old')
      const before = await story.store.loadDirectory()
      for (const [accountId, hash] of [
        [client, 'none'],
        [other, 'old'],
      ] as const) {
        const key = buildKey({ hash: 'new', accountId })
        const change = { kind: 'add key', key, replaces: { hash, expiresAt: 70 } } as const
        await expect(story.store.change(change)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect(await story.store.loadDirectory()).toEqual(before)
    })

    it('are removed together, or not at all', async () => {
      const other = await story.account(0)
      await Promise.all([add('one'), add('two'), add('three', other)])
      const remove = (...hashes: string[]) => story.store.change({ kind: 'remove keys', accountId: client, hashes })
      await expect(remove('one', 'three')).rejects.toMatchObject({ name: 'ChangeRefused' })
      expect(await keyRows()).toHaveLength(3)
      await remove('one', 'two')
      expect(await keyRows()).toMatchObject([{ hash: 'three' }])
    })

    it('remember when they were last used, without a new revision', async () => {
      await Promise.all([add('one'), add('two')])
      const revision = await story.store.directoryRevision()
      await story.store.noteKeyUses([
        { hash: 'one', at: 5_000 },
        { hash: 'gone', at: 5_000 },
      ])
      await story.store.noteKeyUses([{ hash: 'one', at: 4_000 }])
      expect((await keyRows()).map(({ hash, lastUsedAt }) => [hash, lastUsedAt])).toEqual([
        ['one', 5_000],
        ['two', null],
      ])
      expect(await story.store.directoryRevision()).toBe(revision)
    })
  })
}
