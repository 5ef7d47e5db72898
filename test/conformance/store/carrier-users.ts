/** Phones of users whom messengers name by ids: found by carrier and id, replaced, erased, and swept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import { type CarrierUser, USERS_KEPT_MS } from '../../../src/ports/carriers/user-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

const PHONE = '5491133334444' as Phone
const OTHER = '4915100000001' as Phone

export function describeCarrierUsers(install: Install): void {
  let story: StoreStory
  beforeEach(async () => {
    story = await StoreStory.begin(install)
  })
  afterEach(() => story.end())

  const user = (userId: string, phone = PHONE, carrierId = 'meta'): CarrierUser => ({ carrierId, userId, phone })
  const find = (...ids: readonly string[]) =>
    story.store.findUsers(ids.map((userId) => ({ carrierId: 'meta', userId })))

  describe('users of messengers', () => {
    it('are found by carrier and id, with the phone that was named last', async () => {
      await story.store.rememberUsers(
        [user('DE.1'), user('DE.1', OTHER), user('DE.2'), user('DE.3', OTHER, 'x')],
        BEGINNING,
      )
      expect(await find('DE.2', 'DE.3', 'DE.1', 'DE.2')).toEqual([PHONE, null, OTHER, PHONE])
      await story.store.rememberUsers([user('DE.2', OTHER)], BEGINNING + 1)
      expect(await find('DE.2')).toEqual([OTHER])
      expect(await find()).toEqual([])
    })

    it('are erased with the phone, in whatever form it was named', async () => {
      await story.store.rememberUsers(
        [user('DE.1'), user('DE.2', '541133334444' as Phone), user('DE.3', OTHER)],
        BEGINNING,
      )
      await story.store.forget(PHONE, BEGINNING)
      expect(await find('DE.1', 'DE.2', 'DE.3')).toEqual([null, null, OTHER])
    })

    it('are kept for a year since they were named last', async () => {
      await story.store.rememberUsers([user('DE.1'), user('DE.2')], BEGINNING)
      await story.store.rememberUsers([user('DE.2')], BEGINNING + 5)
      await story.sweep(BEGINNING + USERS_KEPT_MS)
      expect(await find('DE.1', 'DE.2')).toEqual([null, PHONE])
    })
  })
}
