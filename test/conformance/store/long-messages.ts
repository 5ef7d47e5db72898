/** Parts of long messages: kept once, counted by login, and ended together with the report about them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../../src/domain/ids/message-id.ts'
import {
  type EndedParts,
  MAX_WAITING_PARTS,
  type NewPart,
  PARTS_REMEMBERED_MS,
} from '../../../src/ports/stores/part-store.ts'
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

  const part = (number: number, change: Partial<NewPart> = {}): NewPart => ({
    ...{
      accountId: client,
      login: 'shop',
      joinedBy: 'one',
      once: null,
      number,
      partId: toMessageId(64_000 * number + client),
    },
    ...{ text: `part ${number}`, facts: '{}', at: 1_000 * number },
    ...change,
  })
  /** As it is stored: without what would reveal the recipient to one who tries numbers. */
  const stored = (...args: Parameters<typeof part>) => {
    const { joinedBy: _, once: _once, ...rest } = part(...args)
    return { ...rest, message: expect.stringMatching(/^#[0-9a-f]{32}$/) }
  }
  /** Ends the message that waits. Returns what it ended. */
  const end = async (change: Partial<EndedParts> = {}): Promise<EndedParts> => {
    const [parts = []] = await story.store.oldParts(Number.MAX_SAFE_INTEGER)
    const [{ accountId, login, message } = { accountId: client, login: '', message: '' }] = parts
    const ids = { accountId, login, message, partIds: parts.map(({ partId }) => partId) }
    const ended = { ...ids, named: null, report: null, at: 5_000, ...change }
    await story.store.endParts(ended)
    return ended
  }
  const keep = (...args: Parameters<typeof part>) => story.store.keepPart(part(...args))

  describe('the id of several messages', () => {
    it('stands for all of them, and is that of the first time for a repeat', async () => {
      const id = toMessageId(64_000 + client)
      const messageIds = [toMessageId(128_000), toMessageId(192_000)]
      const name = (change = {}) =>
        story.store.nameMessages({
          ...{ accountId: client, id, messageIds, once: { key: 'a', since: 0 }, at: 1_000, keepUntil: 9_000 },
          ...change,
        })
      expect(await name()).toBe(id)
      expect(await name({ id: toMessageId(256_000), at: 2_000 })).toBe(id)
      expect(await name({ id: toMessageId(320_000), once: { key: 'b', since: 0 } })).toBe(toMessageId(320_000))
      expect(await name({ id: toMessageId(384_000), once: null })).toBe(toMessageId(384_000))
      const found = await story.store.findNamed({ accountId: client, login: 'shop', id })
      expect(found).toEqual({ messageIds, waiting: [] })
    })
  })

  describe('parts of long messages', () => {
    it('are kept in the order of their numbers, and survive a restart', async () => {
      expect(await keep(2)).toEqual({ kind: 'kept', partId: part(2).partId, parts: [stored(2)] })
      await story.reopen()
      expect(await keep(1)).toEqual({ kind: 'kept', partId: part(1).partId, parts: [stored(1), stored(2)] })
      expect(await story.store.oldParts(1_000)).toEqual([[stored(1), stored(2)]])
      expect(await story.store.oldParts(999)).toEqual([])
    })

    it('keep their first id when they are repeated, and leave their place to no other text', async () => {
      await keep(1)
      expect(await keep(1, { partId: toMessageId(900_000) })).toMatchObject({ kind: 'kept', partId: part(1).partId })
      expect(await keep(1, { text: 'other' })).toEqual({ kind: 'taken', parts: [stored(1)] })
      expect(await keep(1, { text: 'other', joinedBy: 'two' })).toMatchObject({ kind: 'kept' })
      expect(await keep(1, { text: 'other', login: 'Shop' })).toMatchObject({ kind: 'kept' })
    })

    it('end once, with one report', async () => {
      await keep(1)
      await keep(2)
      const report = {
        messageId: part(1).partId,
        accountId: client,
        number: 0,
        address: 'smpp:shop?at=1',
        body: '{"a":1}',
      }
      const ended = await end({ report })
      await story.store.endParts(ended)
      expect(await story.store.oldParts(9_000)).toEqual([])
      const { reports } = await story.store.claimReports({ now: 5_000, limit: 10 })
      expect(reports).toMatchObject([{ ...report, endsAt: 5_000 + 7 * 86_400_000 }])
    })

    it('are known for a while after their message has ended, and then may be of another', async () => {
      await keep(1)
      await keep(2)
      await end()
      const fresh = toMessageId(900_000)
      const repeated = { kind: 'kept', partId: part(2).partId, parts: [] }
      expect(await keep(2, { partId: fresh, at: 5_000 + PARTS_REMEMBERED_MS })).toEqual(repeated)
      await story.reopen()
      expect(await keep(2, { partId: fresh, at: 6_000 })).toEqual(repeated)
      expect(await story.store.oldParts(9_000_000)).toEqual([])
      const late = { partId: fresh, at: 5_001 + PARTS_REMEMBERED_MS }
      expect(await keep(1, late)).toEqual({ kind: 'kept', partId: fresh, parts: [stored(1, late)] })
      expect(await story.store.oldParts(9_000_000)).toEqual([[stored(1, late)]])
    })

    it('of another text begin another message, once theirs has ended', async () => {
      await keep(1)
      await end()
      const other = { text: 'other', partId: toMessageId(900_000), at: 6_000 }
      expect(await keep(1, other)).toEqual({ kind: 'kept', partId: other.partId, parts: [stored(1, other)] })
    })

    it('are swept when they are no longer known', async () => {
      await keep(1)
      await end()
      await keep(1, { joinedBy: 'two', partId: toMessageId(900_000) })
      await story.sweep(5_001 + PARTS_REMEMBERED_MS)
      expect(await story.store.oldParts(9_000)).toHaveLength(1)
      expect(await keep(1, { partId: toMessageId(64_000 * 9 + client), at: 6_000 })).toMatchObject({
        partId: toMessageId(64_000 * 9 + client),
      })
    })

    it('stand for their message once it was accepted, as long as it says, in their account', async () => {
      await keep(1)
      await keep(2)
      const messageIds = [toMessageId(64_000 * 7 + client)]
      const find = (id: MessageId, of = {}) => story.store.findNamed({ accountId: client, login: 'shop', id, ...of })
      expect(await find(part(2).partId)).toEqual({ messageIds: [], waiting: [stored(1), stored(2)] })
      expect(await find(part(2).partId, { login: 'other' })).toEqual({ messageIds: [], waiting: [] })
      const names = [1, 2].map((number) => ({ id: part(number).partId, onceKey: null }))
      await end({ named: { accountId: client, names, messageIds, at: 5_000, keepUntil: 90_000_000 } })
      await story.reopen()
      for (const number of [1, 2]) expect(await find(part(number).partId)).toEqual({ messageIds, waiting: [] })
      const other = await story.account(0)
      expect(await find(part(1).partId, { accountId: other })).toEqual({ messageIds: [], waiting: [] })
      await story.sweep(90_000_000)
      expect(await find(part(1).partId)).toEqual({ messageIds: [], waiting: [] })
    })

    it('of a message that is taken once keep their ids, also in another message with another reference', async () => {
      const once = { key: 'part 1', since: 0 }
      await keep(1, { once })
      const names = [{ id: part(1).partId, onceKey: once.key }]
      const named = { accountId: client, names, messageIds: [toMessageId(640)], at: 5_000, keepUntil: 90_000_000 }
      await end({ named })
      const again = { joinedBy: 'two', partId: toMessageId(900_000), at: 8_000_000 }
      expect(await keep(1, { ...again, once })).toMatchObject({ kind: 'kept', partId: part(1).partId })
      const isLate = { ...again, joinedBy: 'three', once: { ...once, since: 5_000 } }
      expect(await keep(1, isLate)).toMatchObject({ kind: 'kept', partId: again.partId })
    })

    it('are refused when too many of a login wait', async () => {
      const all = Array.from({ length: MAX_WAITING_PARTS }, (_, index) =>
        keep(1, { joinedBy: `m${index}`, partId: toMessageId(64_000 * (index + 1) + client) }),
      )
      await Promise.all(all)
      expect(await keep(1, { joinedBy: 'another' })).toEqual({ kind: 'full' })
      expect(await keep(1, { joinedBy: 'another', login: 'other' })).toMatchObject({ kind: 'kept' })
    })
  })
}
