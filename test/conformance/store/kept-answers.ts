/**
 * Answers under idempotency keys: an account keeps a limited number of bytes of them, and none is dropped before its
 * time.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptAnswers } from '../../../src/domain/guards/guards.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { AcceptRequest } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING } from '../../support/build-message.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS
/** Short enough not to be packed: two answers take more than the limit, one does not. */
const DRAFT = 'x'.repeat(1_000)

export function describeKeptAnswers(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const keyed = (key: string, { maxBytes = 2_000 as number | null, now = BEGINNING, accountId = client } = {}) => ({
    key,
    bodyHash: 'h',
    draft: DRAFT,
    keepUntil: now + KEPT_MS,
    room: { window: keptAnswers(accountId, KEPT_MS, now), maxBytes },
  })
  const ask = async (idempotency: AcceptRequest['idempotency'], { now = BEGINNING, accountId = client } = {}) => {
    const items = [messageItem(story.message(accountId))]
    return (await story.store.accept({ accountId, now, idempotency, items })).kind
  }

  describe('answers under idempotency keys', () => {
    it('are kept until they take the bytes of the account; then a new key executes nothing', async () => {
      expect([await ask(keyed('a')), await ask(keyed('b'))]).toEqual(['executed', 'executed'])
      expect(await ask(keyed('c'))).toBe('no room')
      expect(await story.store.counts()).toMatchObject({ open: 2 })
      expect(await ask(null)).toBe('executed')
      expect(await ask(keyed('a'))).toBe('replayed')
      expect(await ask({ ...keyed('b'), bodyHash: 'other' })).toBe('conflict')
    })

    it('are counted over a new start, for each account apart', async () => {
      await ask(keyed('a', { maxBytes: 1 }))
      await story.reopen()
      expect(await ask(keyed('b', { maxBytes: 1 }))).toBe('no room')
      const accountId = await story.account()
      expect(await ask(keyed('b', { maxBytes: 1, accountId }), { accountId })).toBe('executed')
    })

    it('are counted by requests that come at the same time', async () => {
      const kinds = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(keyed(`k-${n}`))))
      expect(kinds.filter((kind) => kind === 'executed')).toHaveLength(2)
      expect(kinds.filter((kind) => kind === 'no room')).toHaveLength(18)
    })

    it('leave room again once their time is over', async () => {
      await ask(keyed('a', { maxBytes: 1 }))
      const late = BEGINNING + KEPT_MS - 1
      await story.sweep(late)
      expect(await ask(keyed('b', { maxBytes: 1, now: late }), { now: late })).toBe('no room')
      const now = BEGINNING + KEPT_MS + HOUR_MS
      expect(await ask(keyed('b', { maxBytes: 1, now }), { now })).toBe('executed')
      await story.sweep(now)
      expect(await ask(keyed('c', { maxBytes: 1, now }), { now })).toBe('no room')
    })

    it('are counted without a limit when the room was looked for before', async () => {
      expect(await story.store.recall(client, keyed('a', { maxBytes: 1 }), BEGINNING)).toBeNull()
      expect(await ask(keyed('a', { maxBytes: null }))).toBe('executed')
      expect(await ask(keyed('b', { maxBytes: null }))).toBe('executed')
      expect(await story.store.recall(client, keyed('c'), BEGINNING)).toEqual({ kind: 'no room' })
      expect(await story.store.recall(client, keyed('a'), BEGINNING)).toMatchObject({ kind: 'replayed' })
    })
  })
}
