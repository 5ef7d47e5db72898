/** The key that seals changes, and everything opens before, between and after. Stores are opened with TEST_KEYS. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { wrotePart } from '../../support/inbound-arrival.ts'
import { OTHER_TEST_KEY } from '../../support/test-keys.ts'
import { fill, readAll } from './sealed-things.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeSealing(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(1e9)
  })
  afterEach(() => story.end())

  const change = () => story.store.change({ kind: 'seal with', keyId: OTHER_TEST_KEY })

  describe('sealing', () => {
    it('is done with the key that was named last, after a restart too, and what was sealed before opens', async () => {
      const before = await story.accepted(client)
      const first = await story.store.sealingKey()
      await change()
      expect(await story.store.sealingKey()).toBe(OTHER_TEST_KEY)
      await story.reopen()
      expect(await story.store.sealingKey()).toBe(OTHER_TEST_KEY)
      const after = await story.accepted(client)
      expect(await story.store.loadMessages([before.id, after.id])).toEqual([before, after])
      const counts = await story.store.countSeals()
      expect(counts.find(({ keyId }) => keyId === OTHER_TEST_KEY)).toEqual({ keyId: OTHER_TEST_KEY, seals: 1 })
      expect(counts.map(({ keyId }) => keyId).toSorted()).toEqual([OTHER_TEST_KEY, first].toSorted())
    })

    it('is done anew for all that is under another key, once, whatever it is and however much', async () => {
      const ids = await fill(story)
      const before = await readAll(story.store, ids)
      const [counted] = await story.store.countSeals()
      await change()
      expect(await story.store.sealAnew()).toBe(counted?.seals)
      expect(await story.store.countSeals()).toEqual([{ keyId: OTHER_TEST_KEY, seals: counted?.seals }])
      expect(await story.store.sealAnew()).toBe(0)
      await story.reopen()
      expect(await readAll(story.store, ids)).toEqual(before)
      expect(await story.store.findLinks(['abc'])).toMatchObject([{ url: 'https://x.example' }])
      await story.store.recordInbound([wrotePart(2, ' and'), wrotePart(3, ' the rest')], [])
      expect(await story.store.inboundMessages(1)).toMatchObject([{ text: 'a part and the rest' }])
    })

    it('is done by everyone who has the store open, from the change on', async () => {
      const tool = await story.openTool()
      await tool.change({ kind: 'seal with', keyId: OTHER_TEST_KEY })
      await story.accepted(client)
      expect(await tool.countSeals()).toContainEqual({ keyId: OTHER_TEST_KEY, seals: 1 })
      await tool.close()
    })

    it('is never done with a key that is not there', async () => {
      const before = await story.store.sealingKey()
      const wrong = story.store.change({ kind: 'seal with', keyId: '00000000' })
      await expect(wrong).rejects.toMatchObject({
        name: 'ChangeRefused',
        message: expect.stringContaining('key 00000000'),
      })
      expect(await story.store.sealingKey()).toBe(before)
    })
  })
}
