/** Long lists are read by page: everything once, newest first, even while rows are added. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../../src/domain/channels/channel.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { type MessageId, makeMessageId } from '../../../src/domain/ids/message-id.ts'
import type { Phone } from '../../../src/domain/numbers/phone.ts'
import { MAX_PAGE_BYTES } from '../../../src/domain/structures/answer-size.ts'
import type { Page } from '../../../src/ports/records/pages.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { wrote } from '../../support/inbound-arrival.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, StoreStory } from './store-story.ts'

export function describePages(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const everything = { of: 'messages', accountId: null, phone: null, status: null, after: null, limit: 100 } as const
  const ids = (page: Page<{ readonly id: MessageId }>) => page.rows.map(({ id }) => id)

  describe('pages', () => {
    it('list every message once, the newest first', async () => {
      const sent = []
      for (let count = 0; count < 7; count += 1) sent.push((await story.accepted(client)).id)
      const seen: MessageId[] = []
      let after: number | null = null
      do {
        const page: Page<{ readonly id: MessageId }> = await story.store.page({ ...everything, after, limit: 3 })
        expect(page.rows.length).toBeLessThanOrEqual(3)
        seen.push(...ids(page))
        await story.accepted(client)
        after = page.next
      } while (after !== null)
      expect(seen).toEqual(sent.toReversed())
    })

    it('find messages by phone, account and status', async () => {
      const other = await story.account()
      const one = await story.accepted(client, { phone: '37120000001' as Phone })
      const two = await story.accepted(other, { phone: '37120000001' as Phone })
      const three = await story.accepted(client, { phone: '37120000002' as Phone })
      await story.after(receipt(await story.after(taken(three, ['r'])), 'delivered'))
      const find = async (filter: object) => ids(await story.store.page({ ...everything, ...filter }))
      expect(await find({ phone: '37120000001' })).toEqual([two.id, one.id])
      expect(await find({ phone: '37120000001', accountId: client })).toEqual([one.id])
      expect(await find({ status: 'DELIVERED' })).toEqual([three.id])
      expect(await find({ accountId: client, status: 'QUEUED' })).toEqual([one.id])
      expect(await find({ phone: '37129999999' })).toEqual([])
    })

    it("find messages by the client's id, sender, carrier and time", async () => {
      const number = await story.accepted(client, { clientId: '4711', createdAt: BEGINNING })
      const text = await story.accepted(client, { clientId: '"4711"', createdAt: BEGINNING + 1_000 })
      const other = await story.accepted(client, { clientId: '"b47"', createdAt: BEGINNING + 2_000 })
      await story.after(taken(other, ['r']))
      const { carrierId } = (await story.store.loadMessages([other.id]))[0]?.journey.steps[0] ?? {}
      const sender = other.plan[0]?.sender ?? ''
      const nothing = { clientId: null, sender: null, carrierId: null, channel: null, from: null, until: null }
      const find = async (match: object) =>
        ids(await story.store.page({ ...everything, match: { ...nothing, ...match } }))
      expect(await find({ clientId: '4711' })).toEqual([text.id, number.id])
      expect(await find({ clientId: '"4711"' })).toEqual([text.id, number.id])
      expect(await find({ clientId: '"b47"' })).toEqual([other.id])
      expect(await find({ clientId: '47' })).toEqual([])
      const ofAccount = { ...everything, accountId: client, match: { ...nothing, clientId: '4711' } }
      expect(ids(await story.store.page(ofAccount))).toEqual([text.id, number.id])
      expect(ids(await story.store.page({ ...ofAccount, accountId: await story.account() }))).toEqual([])
      expect(ids(await story.store.page({ ...ofAccount, status: 'DELIVERED' }))).toEqual([])
      expect(await find({ sender })).toEqual([other.id, text.id, number.id])
      expect(await find({ sender: sender.slice(1) })).toEqual([])
      expect(await find({ carrierId: carrierId ?? '' })).toEqual([other.id])
      expect(await find({ from: BEGINNING + 1_000 })).toEqual([other.id, text.id])
      expect(await find({ from: BEGINNING + 1_000, until: BEGINNING + 2_000 })).toEqual([text.id])
    })

    it('find messages by time, although ids follow times only roughly', async () => {
      const minute = 60_000
      client = await story.account(1e9)
      // Ids are reserved in blocks, so that a later message may have a lower one.
      const sent = []
      for (let hour = 0; hour < 20; hour += 1) {
        for (const [offset, late] of [
          [0, 9],
          [5_000, 1],
          [9_000, 0],
        ] as const) {
          const id = makeMessageId(1 + hour * 10_000 + offset, client)
          const createdAt = BEGINNING + hour * 60 * minute + late * minute
          sent.push(await story.accepted(client, { id, createdAt }))
        }
      }
      const other = await story.account()
      await story.accepted(other, { id: makeMessageId(300_000, other), createdAt: BEGINNING + 9_999 * 60 * minute })
      const newest = sent.toSorted((a, b) => b.id - a.id)
      const match = { clientId: null, sender: null, carrierId: null, channel: null, from: null, until: null }
      for (const [first, end] of [
        [0, 1],
        [60, 61],
        [365, 541],
        [600, 10_000],
        [-9, 0],
        [9_999, 10_000],
      ] as const) {
        const [from, until] = [BEGINNING + first * minute, BEGINNING + end * minute]
        const expected = newest.filter(({ createdAt }) => createdAt >= from && createdAt < until).map(({ id }) => id)
        const page = (about: object) =>
          story.store.page({ ...everything, accountId: client, match: { ...match, from, until, ...about } })
        expect(ids(await page({}))).toEqual(expected)
        expect(ids(await story.store.page({ ...everything, match: { ...match, until } })).slice(0, 60)).toEqual(
          newest.filter(({ createdAt }) => createdAt < until).map(({ id }) => id),
        )
      }
    })

    it('find the messages and postings of one account between those of others, page by page', async () => {
      client = await story.account(1e9)
      const other = await story.account()
      const sent = []
      for (let number = 0; number < 9; number += 1) {
        // Each in a range of ids of its own.
        const id = makeMessageId(1 + number * 20_000, client)
        sent.push((await story.accepted(client, { id })).id)
        await story.accepted(other, { id: makeMessageId(2 + number * 20_000, other) })
      }
      const seen: MessageId[] = []
      let after: number | null = null
      do {
        const page: Page<{ readonly id: MessageId }> = await story.store.page({
          ...{ ...everything, accountId: client, after, limit: 2 },
        })
        seen.push(...ids(page))
        after = page.next
      } while (after !== null)
      expect(seen).toEqual(sent.toReversed())
      const postings = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 100 })
      expect(postings.rows.map(({ messageId }) => messageId)).toEqual([...sent.toReversed(), null])
    })

    it('find messages by the channel of their current or last step', async () => {
      const plan = buildPlan('rcs', 'chatapp', 'sms')
      const waiting = await story.accepted(client, { plan })
      const delivered = await story.accepted(client, { plan })
      await story.after(receipt(await story.after(taken(delivered, ['r'])), 'delivered'))
      const fallen = await story.accepted(client, { plan })
      await story.after(refused(await story.after(refused(fallen))))
      const nothing = { clientId: null, sender: null, carrierId: null, from: null, until: null }
      const find = async (channel: string) =>
        ids(await story.store.page({ ...everything, match: { ...nothing, channel: channel as Channel } }))
      expect(await find('rcs')).toEqual([delivered.id, waiting.id])
      expect(await find('chatapp')).toEqual([])
      expect(await find('sms')).toEqual([fallen.id])
    })

    it('find what was sent to a phone in years, a page at a time', async () => {
      const phone = '37120000001' as Phone
      const counters = [1, 2, 20_000, 2 ** 33 + 5, 2 ** 45]
      const sent: MessageId[] = []
      for (const counter of counters) {
        await story.accepted(client, { id: makeMessageId(counter * 2 + 1, client), phone: '37120000002' as Phone })
        sent.push((await story.accepted(client, { id: makeMessageId(counter * 2, client), phone })).id)
      }
      const seen: MessageId[] = []
      for (let after: number | null = null; seen.length < sent.length; ) {
        const page: Page<{ readonly id: MessageId }> = await story.store.page({ ...everything, phone, after, limit: 2 })
        seen.push(...ids(page))
        after = page.next
        if (after === null) break
      }
      expect(seen).toEqual(sent.toSorted((a, b) => b - a))
    })

    it('list the postings of an account', async () => {
      const message = await story.accepted(client)
      const page = await story.store.page({ of: 'postings', accountId: client, after: null, limit: 10 })
      expect(page.next).toBeNull()
      expect(page.rows).toMatchObject([
        { kind: 'hold', messageId: message.id, at: BEGINNING },
        { kind: 'top-up', messageId: null, amountMicros: 1_000_000 },
      ])
    })

    it('list failed reports, those of one message together', async () => {
      const messages = [await story.accepted(client), await story.accepted(client)]
      for (const message of messages) {
        const carried = await story.after(taken(message, [`r-${message.id}`]))
        await story.after(receipt(await story.after(receipt(carried, 'delivered')), 'read'))
        for (const number of [0, 1]) {
          const result = { messageId: message.id, number, at: BEGINNING, dueAt: null, held: false, detail: '500' }
          await story.store.settleReports([{ ...result, kind: 'failed' }])
        }
      }
      const query = { of: 'failed reports', accountId: client, limit: 3 } as const
      const first = await story.store.page({ ...query, after: null })
      expect(first.rows).toMatchObject(
        [0, 1].map((number) => ({ messageId: messages[1]?.id, number, tries: 1 })).toReversed(),
      )
      const second = await story.store.page({ ...query, after: first.next })
      expect(second.rows).toMatchObject([{ messageId: messages[0]?.id }, { messageId: messages[0]?.id }])
      const unknown = await story.account()
      expect((await story.store.page({ ...query, accountId: unknown, after: null })).rows).toEqual([])
    })

    it('end early when their rows are large, and miss none', async () => {
      const sizes = Array.from({ length: 90 }, (_, index) => 65_000 + index)
      await story.store.recordInbound(
        sizes.map((size) => wrote('x'.repeat(size))),
        [],
      )
      const seen: number[] = []
      let pages = 0
      let after: number | null = null
      do {
        const page: Page<{ readonly text: string }> = await story.store.page({
          of: 'inbound',
          accountId: null,
          after,
          limit: 1_000,
        })
        const lengths = page.rows.map(({ text }) => text.length)
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
        seen.push(...lengths)
        pages += 1
        after = page.next
      } while (after !== null)
      expect(seen).toEqual(sizes.toReversed())
      expect(pages).toBeGreaterThan(1)
    })

    it('list inbound messages', async () => {
      await story.store.recordInbound([wrote('one'), wrote('two')], [])
      const first = await story.store.page({ of: 'inbound', accountId: null, after: null, limit: 1 })
      expect(first.rows).toMatchObject([{ text: 'two' }])
      const second = await story.store.page({ of: 'inbound', accountId: null, after: first.next, limit: 1 })
      expect(second.rows).toMatchObject([{ text: 'one' }])
    })
  })
}
