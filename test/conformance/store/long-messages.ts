/** Parts of long messages: kept once, counted by login, and ended together with the report about them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { MAX_WAITING_PARTS, PARTS_REMEMBERED_MS, type WaitingPart } from '../../../src/ports/stores/part-store.ts'
import { toMessageId } from '../../support/build-message.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describeLongMessages(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(0)
  })
  afterEach(() => story.end())

  const part = (number: number, change: Partial<WaitingPart> = {}): WaitingPart => ({
    ...{ accountId: client, login: 'shop', message: 'one', number, partId: toMessageId(64_000 * number + client) },
    ...{ text: `part ${number}`, facts: '{}', at: 1_000 * number },
    ...change,
  })
  const keep = (...args: Parameters<typeof part>) => story.store.keepPart(part(...args))

  describe('parts of long messages', () => {
    it('are kept in the order of their numbers, and survive a restart', async () => {
      expect(await keep(2)).toEqual({ kind: 'kept', partId: part(2).partId, parts: [part(2)] })
      await story.reopen()
      expect(await keep(1)).toEqual({ kind: 'kept', partId: part(1).partId, parts: [part(1), part(2)] })
      expect(await story.store.oldParts(1_000)).toEqual([[part(1), part(2)]])
      expect(await story.store.oldParts(999)).toEqual([])
    })

    it('keep their first id when they are repeated, and leave their place to no other text', async () => {
      await keep(1)
      expect(await keep(1, { partId: toMessageId(900_000) })).toMatchObject({ kind: 'kept', partId: part(1).partId })
      expect(await keep(1, { text: 'other' })).toEqual({ kind: 'taken', parts: [part(1)] })
      expect(await keep(1, { text: 'other', message: 'two' })).toMatchObject({ kind: 'kept' })
      expect(await keep(1, { text: 'other', login: 'Shop' })).toMatchObject({ kind: 'kept' })
    })

    it('end once, with one report', async () => {
      await keep(1)
      await keep(2)
      const { accountId, login, message } = part(1)
      const partIds = [part(1).partId, part(2).partId]
      const report = { messageId: part(1).partId, accountId, number: 0, address: 'smpp:shop?at=1', body: '{"a":1}' }
      const ended = { accountId, login, message, partIds, report, at: 5_000 }
      await story.store.endParts(ended)
      await story.store.endParts(ended)
      expect(await story.store.oldParts(9_000)).toEqual([])
      const { reports } = await story.store.claimReports({ now: 5_000, limit: 10 })
      expect(reports).toMatchObject([{ ...report, endsAt: 5_000 + 7 * 86_400_000 }])
    })

    it('are known for a while after their message has ended, and then may be of another', async () => {
      await keep(1)
      await keep(2)
      const { accountId, login, message } = part(1)
      const partIds = [part(1).partId, part(2).partId]
      await story.store.endParts({ accountId, login, message, partIds, report: null, at: 5_000 })
      const fresh = toMessageId(900_000)
      const repeated = { kind: 'kept', partId: part(2).partId, parts: [] }
      expect(await keep(2, { partId: fresh, at: 5_000 + PARTS_REMEMBERED_MS })).toEqual(repeated)
      await story.reopen()
      expect(await keep(2, { partId: fresh, at: 6_000 })).toEqual(repeated)
      expect(await story.store.oldParts(9_000_000)).toEqual([])
      const late = part(1, { partId: fresh, at: 5_001 + PARTS_REMEMBERED_MS })
      expect(await story.store.keepPart(late)).toEqual({ kind: 'kept', partId: fresh, parts: [late] })
      expect(await story.store.oldParts(9_000_000)).toEqual([[late]])
    })

    it('of another text begin another message, once theirs has ended', async () => {
      await keep(1)
      const { accountId, login, message, partId } = part(1)
      await story.store.endParts({ accountId, login, message, partIds: [partId], report: null, at: 5_000 })
      const other = part(1, { text: 'other', partId: toMessageId(900_000), at: 6_000 })
      expect(await story.store.keepPart(other)).toEqual({ kind: 'kept', partId: other.partId, parts: [other] })
    })

    it('are swept when they are no longer known', async () => {
      await keep(1)
      await keep(1, { message: 'two', partId: toMessageId(900_000) })
      const { accountId, login, message, partId } = part(1)
      await story.store.endParts({ accountId, login, message, partIds: [partId], report: null, at: 5_000 })
      await story.sweep(5_001 + PARTS_REMEMBERED_MS)
      expect(await story.store.oldParts(9_000)).toHaveLength(1)
      expect(await keep(1, { partId: toMessageId(64_000 * 9 + client), at: 6_000 })).toMatchObject({
        partId: toMessageId(64_000 * 9 + client),
      })
    })

    it('are refused when too many of a login wait', async () => {
      const all = Array.from({ length: MAX_WAITING_PARTS }, (_, index) =>
        keep(1, { message: `m${index}`, partId: toMessageId(64_000 * (index + 1) + client) }),
      )
      await Promise.all(all)
      expect(await keep(1, { message: 'another' })).toEqual({ kind: 'full' })
      expect(await keep(1, { message: 'another', login: 'other' })).toMatchObject({ kind: 'kept' })
    })
  })
}
