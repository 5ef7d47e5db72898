/** Limits: the usage of accounts is exact, with concurrent requests and over restarts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UsageLimit } from '../../../src/domain/guards/guards.ts'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import type { AcceptItem, AcceptRequest } from '../../../src/ports/stores/intake-store.ts'
import { BEGINNING, buildPlan } from '../../support/build-message.ts'
import { type Install, messageItem, StoreStory } from './store-story.ts'

const PRICE = 50_000

export function describeUsage(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account(100 * PRICE)
  })
  afterEach(() => story.end())

  const limit = (change: Partial<UsageLimit> = {}): UsageLimit => ({
    accountId: client,
    guard: 'day',
    key: 'day',
    slot: 7,
    since: 7,
    maxMessages: 3,
    maxMicros: null,
    keepUntil: BEGINNING + 1_000,
    ...change,
  })
  const items = (count: number, counts: readonly number[] = [0], accountId = client): readonly AcceptItem[] =>
    Array.from({ length: count }, () => messageItem(story.message(accountId), { counts }))
  const ask = async (
    limits: readonly UsageLimit[],
    asked: readonly AcceptItem[],
    request: Partial<AcceptRequest> = {},
    accountId = client,
  ) => (await story.accept(accountId, asked, { limits, ...request })).map(({ kind }) => kind)
  const countOf = (kinds: readonly string[], kind: string) => kinds.filter((each) => each === kind).length

  describe('limits', () => {
    it('are kept within one request, and what is beyond holds nothing', async () => {
      expect(await ask([limit()], items(5))).toEqual(['accepted', 'accepted', 'accepted', 'limited', 'limited'])
      expect(await story.store.balancesOf(client)).toMatchObject({ held: 3 * PRICE })
      expect(await story.store.verifyLedger()).toEqual([])
    })

    it('can be read: what was used in each window, in their order', async () => {
      await ask([limit()], items(2))
      const windows = [limit({ key: 'other' }), limit(), limit({ since: 8 }), limit({ accountId: null })]
      const nothing = { messages: 0, micros: 0 }
      expect(await story.store.usageIn(client, windows)).toEqual([
        nothing,
        { messages: 2, micros: 2 * PRICE },
        nothing,
        nothing,
      ])
    })

    it('say what was reached', async () => {
      const [, , , outcome] = await story.accept(client, items(4), { limits: [limit()] })
      expect(outcome).toEqual({ kind: 'limited', guard: 'day', of: 'messages' })
      const money = limit({ key: 'other', guard: 'phone', maxMessages: null, maxMicros: toMicros(PRICE) })
      expect((await story.accept(client, items(2), { limits: [money] }))[1]).toEqual({
        kind: 'limited',
        guard: 'phone',
        of: 'money',
      })
    })

    it('are not looked at for messages that the account cannot pay', async () => {
      const poor = await story.account(PRICE)
      const ofPoor = limit({ accountId: poor, maxMessages: 1 })
      expect(await ask([ofPoor], items(3, [0], poor), {}, poor)).toEqual(['accepted', 'unpaid', 'unpaid'])
      expect(await ask([ofPoor], items(200, [0], poor), {}, poor)).toEqual(Array(200).fill('unpaid'))
    })

    it('are kept by a large request that can be paid in part', async () => {
      const some = await story.account(100 * PRICE)
      const [all, few] = [limit({ accountId: null, key: 'all', maxMessages: 70 }), limit({ key: 'few' })]
      const kinds = await ask([all, few], [...items(5, [0, 1], some), ...items(200, [0], some)], {}, some)
      expect(kinds.slice(0, 5)).toEqual(['accepted', 'accepted', 'accepted', 'limited', 'limited'])
      expect([countOf(kinds, 'accepted'), countOf(kinds, 'limited')]).toEqual([70, 135])
    })

    it('are kept over requests and over a new start', async () => {
      expect(await ask([limit()], items(2))).toEqual(['accepted', 'accepted'])
      await story.reopen()
      expect(await ask([limit()], items(2))).toEqual(['accepted', 'limited'])
    })

    it('are kept to the last message by requests that come at the same time', async () => {
      const limits = [limit({ maxMessages: 40 })]
      const kinds = (await Promise.all(Array.from({ length: 20 }, () => ask(limits, items(4))))).flat()
      expect([countOf(kinds, 'accepted'), countOf(kinds, 'limited')]).toEqual([40, 40])
    })

    it('of money are kept by what messages hold, dear and cheap ones', async () => {
      const limits = [limit({ maxMessages: null, maxMicros: toMicros(120_000) })]
      const dear = story.message(client, {
        plan: buildPlan('sms').map((step) => ({ ...step, priceMicros: toMicros(90_000) })),
      })
      expect(await ask(limits, [messageItem(dear, { counts: [0] }), ...items(1)])).toEqual(['accepted', 'limited'])
      const cheap = story.message(client, {
        plan: buildPlan('sms').map((step) => ({ ...step, priceMicros: toMicros(30_000) })),
      })
      expect(await ask(limits, [messageItem(cheap, { counts: [0] }), ...items(1)])).toEqual(['accepted', 'limited'])
    })

    it('count the slots from the one on that they name, and those before no more', async () => {
      expect(await ask([limit({ slot: 7, since: 5 })], items(2))).toEqual(['accepted', 'accepted'])
      expect(await ask([limit({ slot: 9, since: 7 })], items(2))).toEqual(['accepted', 'limited'])
      expect(await ask([limit({ slot: 10, since: 8 })], items(3))).toEqual(['accepted', 'accepted', 'limited'])
    })

    it('count apart what is apart: keys, accounts, and all accounts together', async () => {
      const other = await story.account()
      expect(await ask([limit({ maxMessages: 1 })], items(1))).toEqual(['accepted'])
      expect(await ask([limit({ maxMessages: 1, key: 'phone/60 1' })], items(1))).toEqual(['accepted'])
      const others = limit({ accountId: other, maxMessages: 1 })
      expect(await ask([others], items(1, [0], other), {}, other)).toEqual(['accepted'])
      const all = limit({ accountId: null, maxMessages: 3 })
      expect(await ask([all], items(2))).toEqual(['accepted', 'accepted'])
      expect(await ask([all], items(2, [0], other), {}, other)).toEqual(['accepted', 'limited'])
    })

    it('that a message counts for count it all, or none of them when one is reached', async () => {
      const limits = [limit({ maxMessages: 2 }), limit({ key: 'phone/60 1', guard: 'phone', maxMessages: 1 })]
      expect(await ask(limits, items(2, [0, 1]))).toEqual(['accepted', 'limited'])
      expect(await ask(limits, items(2, [0]))).toEqual(['accepted', 'limited'])
    })

    it('do not count what was not accepted, and not a second time what was', async () => {
      const poor = await story.account(PRICE)
      const its = [limit({ accountId: poor })]
      expect(await ask(its, items(3, [0], poor), {}, poor)).toEqual(['accepted', 'unpaid', 'unpaid'])
      await story.store.change({ kind: 'top up', accountId: poor, amountMicros: toMicros(9 * PRICE), at: BEGINNING })
      expect(await ask(its, items(3, [0], poor), {}, poor)).toEqual(['accepted', 'accepted', 'limited'])

      const twice = { counts: [0], uniqueId: true }
      const first = messageItem(story.message(client, { clientId: '"a"' }), twice)
      const second = messageItem(story.message(client, { clientId: '"a"' }), twice)
      expect(await ask([limit()], [first, second, ...items(2)])).toEqual([
        'accepted',
        'repeated',
        'accepted',
        'accepted',
      ])
      expect(await ask([limit()], [second])).toEqual(['repeated'])
    })

    it('count a request that is repeated under its key once', async () => {
      const idempotency = { key: 'k', bodyHash: 'h', draft: '', keepUntil: BEGINNING + 60_000 }
      const request = { accountId: client, now: BEGINNING, idempotency, limits: [limit()], items: items(2) }
      await story.store.accept(request)
      expect(await story.store.accept(request)).toMatchObject({ kind: 'replayed' })
      expect(await ask([limit()], items(2))).toEqual(['accepted', 'limited'])
    })

    it('are not counted for requests that name none, nor for items that count for none', async () => {
      expect(await ask([], items(2, []))).toEqual(['accepted', 'accepted'])
      expect(await ask([limit()], items(4, []))).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
      expect(await ask([limit()], items(4))).toEqual(['accepted', 'accepted', 'accepted', 'limited'])
    })

    it('are forgotten once their period has ended', async () => {
      await ask([limit()], items(3))
      await story.sweep(BEGINNING + 999)
      expect(await ask([limit()], items(1))).toEqual(['limited'])
      await story.sweep(BEGINNING + 1_000)
      expect(await ask([limit()], items(1))).toEqual(['accepted'])
    })
  })
}
