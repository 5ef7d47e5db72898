/** Logins of programs: one owner, secrets sealed, gone with their account. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { buildLogin } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeClientLogins(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(0)
  })
  afterEach(() => story.end())

  const logins = async () => (await story.store.loadDirectory()).logins

  describe('logins of programs', () => {
    it('are kept with all they say, and replaced as a whole', async () => {
      const first = buildLogin({ name: 'shop', accountId: client })
      await story.store.change({ kind: 'set client login', login: first })
      await story.reopen()
      expect(await logins()).toEqual([first])
      const second = buildLogin({
        name: 'shop',
        accountId: client,
        networks: ['192.0.2.0/24'],
        type: 'rcs+sms',
        sender: 'Shop',
        maxBinds: 2,
        perSecond: 50,
        window: 10,
        onceByReference: true,
        priority: 'otp',
        test: true,
        secrets: { ...first.secrets, signingKey: 'whsec' },
      })
      await story.store.change({ kind: 'set client login', login: second })
      expect(await logins()).toEqual([second])
    })

    it('have one owner: another account neither replaces nor removes one', async () => {
      const login = buildLogin({ name: 'shop', accountId: client })
      await story.store.change({ kind: 'set client login', login })
      const accountId = await story.account(0)
      for (const change of [
        { kind: 'set client login', login: { ...login, accountId } },
        { kind: 'remove client login', accountId, name: 'shop' },
        { kind: 'remove client login', accountId: client, name: 'Shop' },
      ] as const) {
        await expect(story.store.change(change)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect(await logins()).toEqual([login])
      await story.store.change({ kind: 'remove client login', accountId: client, name: 'shop' })
      expect(await logins()).toEqual([])
    })

    it('end with their account', async () => {
      await story.store.change({ kind: 'set client login', login: buildLogin({ name: 'shop', accountId: client }) })
      await story.store.change({ kind: 'set account', accountId: client, state: 'closed' })
      expect(await logins()).toEqual([])
      const login = buildLogin({ name: 'again', accountId: client })
      await expect(story.store.change({ kind: 'set client login', login })).rejects.toThrow('closed')
    })
  })
}
