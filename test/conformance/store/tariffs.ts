/** Tariffs: prices with operators and dates, of which no two are valid for the same at one time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toAccountId } from '../../../src/domain/ids/account-id.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import { GENERAL_PRICES, type Price } from '../../../src/domain/money/price.ts'
import { UNLIMITED } from '../../../src/domain/money/rate.ts'
import type { RoutingChange } from '../../../src/ports/changes/routing-change.ts'
import { buildPrice } from '../../support/build-price.ts'
import { type Install, StoreStory } from './store-story.ts'

const SPRING = Date.UTC(2027, 2, 1)
const ONE = { priceMicros: toMicros(1) }
const SUMMER = Date.UTC(2027, 5, 1)

/** Sets of thousands of objects take minutes to compare. */
function sorted(prices: readonly Price[]): readonly string[] {
  return prices.map((price) => JSON.stringify(Object.entries(price).sort())).sort()
}

export function describeTariffs(install: Install): void {
  let story: StoreStory

  beforeEach(async () => {
    story = await StoreStory.begin(install)
  })
  afterEach(() => story.end())

  const prices = async () => (await story.store.loadDirectory()).prices

  describe('a tariff', () => {
    it('keeps prices apart by operator and beginning, and changes the one that begins at the same time', async () => {
      const client = await story.account(0)
      const old = buildPrice({ prefix: '49', until: SPRING })
      const next = buildPrice({ prefix: '49', from: SPRING, until: SUMMER, priceMicros: toMicros(60_000) })
      const ofOperator = buildPrice({ prefix: '49', operator: '26201' })
      const own = buildPrice({ accountId: client, prefix: '49' })
      for (const price of [old, next, ofOperator, own]) await story.store.change({ kind: 'set price', price })
      expect(new Set(await prices())).toEqual(new Set([old, next, ofOperator, own]))
      const later = { ...next, until: null, priceMicros: toMicros(1) }
      await story.store.change({ kind: 'set price', price: later })
      await story.store.change({ kind: 'remove price', price: old })
      await story.reopen()
      expect(new Set(await prices())).toEqual(new Set([later, ofOperator, own]))
    })

    it('refuses a price whose validity overlaps, with a sentence, and changes nothing', async () => {
      const old = buildPrice({ prefix: '49' })
      await story.store.change({ kind: 'set price', price: old })
      const before = await story.store.loadDirectory()
      const change = { kind: 'set price', price: buildPrice({ prefix: '49', from: SPRING }) } as const
      await expect(story.store.change(change)).rejects.toMatchObject({
        name: 'ChangeRefused',
        message:
          'the price of sms 49… in EUR from 2027-03-01 overlaps with the one at all times: ' +
          'one must end before the other begins',
      })
      expect(await story.store.loadDirectory()).toEqual(before)
      await story.store.change({ kind: 'set price', price: { ...old, until: SPRING } })
      await story.store.change(change)
      expect(await prices()).toHaveLength(2)
    })

    it('is replaced whole for one account or in general, and leaves others alone', async () => {
      const [one, other] = [await story.account(0), await story.account(0)]
      const kept = [buildPrice(), buildPrice({ accountId: other }), buildPrice({ currency: 'USD' })]
      for (const price of [...kept, buildPrice({ accountId: one, prefix: '1' })]) {
        await story.store.change({ kind: 'set price', price })
      }
      const own = ['49', '43', '41'].map((prefix) => buildPrice({ accountId: one, prefix }))
      await story.store.change({
        kind: 'set tariff',
        owner: { accountId: one, group: null },
        currency: 'EUR',
        prices: own,
      })
      expect(new Set(await prices())).toEqual(new Set([...kept, ...own]))
      await story.store.change({ kind: 'set tariff', owner: GENERAL_PRICES, currency: 'EUR', prices: [] })
      expect(new Set(await prices())).toEqual(new Set([...kept.slice(1), ...own]))
    })

    it('of costs is replaced whole for one carrier, and leaves others alone', async () => {
      const carrier = (id: string) => ({ id, channel: 'sms', kind: 'smpp', settings: {} }) as const
      for (const id of ['acme', 'other']) await story.store.change({ kind: 'set carrier', carrier: carrier(id) })
      const cost = { carrierId: 'acme', category: null, prefix: '49', ...UNLIMITED, currency: null, ...ONE }
      const other = { ...cost, carrierId: 'other' }
      const list = [
        { ...cost, until: SPRING },
        { ...cost, from: SPRING },
      ]
      for (const each of [{ ...cost, prefix: '43' }, other]) await story.store.change({ kind: 'set cost', cost: each })
      await story.store.change({ kind: 'set costs', carrierId: 'acme', costs: list })
      for (const [carrierId, costs] of [
        ['acme', [cost, ...list]],
        ['acme', [other]],
        ['unknown', []],
      ] as const) {
        const refused = story.store.change({ kind: 'set costs', carrierId, costs })
        await expect(refused).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      await story.reopen()
      expect(new Set((await story.store.loadDirectory()).costs)).toEqual(new Set([...list, other]))
    })

    it('and costs are each read again after changes of their own, and when their owner is removed', async () => {
      const carrier = { id: 'acme', channel: 'sms', kind: 'smpp', settings: {} } as const
      const cost = { ...UNLIMITED, ...ONE, carrierId: 'acme', category: null, prefix: '49', currency: null }
      const price = buildPrice({ group: 'vip' })
      const changes = [
        [{ kind: 'set carrier', carrier }, 'none'],
        [{ kind: 'set price group', group: { id: 'vip' } }, 'none'],
        [{ kind: 'set price', price }, 'prices'],
        [{ kind: 'set cost', cost }, 'costs'],
        [{ kind: 'remove cost', cost }, 'costs'],
        [{ kind: 'set costs', carrierId: 'acme', costs: [cost] }, 'costs'],
        [{ kind: 'set draining', carrierId: 'acme', draining: true }, 'none'],
        [{ kind: 'remove carrier', carrierId: 'acme' }, 'costs'],
        [{ kind: 'remove price group', group: { id: 'vip' } }, 'prices'],
      ] as const
      for (const [change, list] of changes) {
        const before = await story.store.loadDirectory()
        await story.store.change(change)
        const after = await story.store.loadDirectory()
        const anew = (['prices', 'costs'] as const).filter((each) => after[each] !== before[each])
        expect({ kind: change.kind, anew }).toEqual({ kind: change.kind, anew: list === 'none' ? [] : [list] })
      }
      expect(await story.store.loadDirectory()).toMatchObject({ prices: [], costs: [] })
    })

    it('changes by thousands of prices together, which may make room for each other', async () => {
      const client = await story.account(0)
      const all = async (changes: readonly RoutingChange[]) => {
        const { revision } = await story.store.loadDirectory()
        return story.store.change({ kind: 'all', revision, changes })
      }
      const set = (price: Price) => ({ kind: 'set price', price }) as const
      const own = buildPrice({ accountId: client, prefix: '1' })
      const many = Array.from({ length: 1_500 }, (_, index) => buildPrice({ prefix: `49${1_000 + index}` }))
      await all([set(own), ...many.map(set)])
      expect(sorted(await prices())).toEqual(sorted([own, ...many]))
      // The new price is set before the old one ends, and the last of two changes of a price counts.
      const ended = many.map((price) => ({ ...price, until: SPRING }))
      const next = many.map((price) => ({ ...price, from: SPRING }))
      const cheaper = next.map((price) => ({ ...price, priceMicros: toMicros(1) }))
      await all([...next, ...cheaper, ...ended].map(set))
      expect(sorted(await prices())).toEqual(sorted([own, ...cheaper, ...ended]))

      const before = await story.store.loadDirectory()
      const unknown = buildPrice({ accountId: toAccountId(4_711) })
      await expect(all([...many.map(set), set(own)])).rejects.toMatchObject({ name: 'ChangeRefused' })
      await expect(all([...cheaper, unknown].map(set))).rejects.toThrow('there is no account 4711')
      const removal = [...ended, unknown].map((price) => ({ kind: 'remove price', price }) as const)
      await expect(all(removal)).rejects.toThrow('there is no such price')
      expect(await story.store.loadDirectory()).toEqual(before)
      await all(removal.slice(0, -1))
      expect(sorted(await prices())).toEqual(sorted([own, ...cheaper]))
    })

    it('is not replaced by one with overlapping prices, of another account, or of an unknown one', async () => {
      const client = await story.account(0)
      await story.store.change({ kind: 'set price', price: buildPrice({ accountId: client }) })
      const before = await story.store.loadDirectory()
      const own = buildPrice({ accountId: client })
      const unknown = toAccountId(4_711)
      for (const [accountId, list] of [
        [client, [own, { ...own, from: SPRING }]],
        [client, [own, buildPrice({ prefix: '49' })]],
        [client, [{ ...own, currency: 'USD' }]],
        [unknown, [buildPrice({ accountId: unknown })]],
      ] as const) {
        const change = { kind: 'set tariff', owner: { accountId, group: null }, currency: 'EUR', prices: list } as const
        await expect(story.store.change(change)).rejects.toMatchObject({ name: 'ChangeRefused' })
      }
      expect(await story.store.loadDirectory()).toEqual(before)
    })

    it('of a group is apart from others, and goes with the group; a membership has a beginning', async () => {
      const client = await story.account(0)
      const group = { id: 'retail' }
      const ofGroup = buildPrice({ group: 'retail' })
      const others = [buildPrice(), buildPrice({ accountId: client })]
      await expect(story.store.change({ kind: 'set price', price: ofGroup })).rejects.toThrow('no price group retail')
      await story.store.change({ kind: 'set price group', group })
      for (const price of [...others, ofGroup]) await story.store.change({ kind: 'set price', price })
      const owner = { accountId: null, group: 'retail' }
      const cheaper = { ...ofGroup, priceMicros: toMicros(1) }
      await story.store.change({ kind: 'set tariff', owner, currency: 'EUR', prices: [cheaper] })
      const always = { accountId: client, from: null, group: 'retail' }
      const later = { accountId: client, from: SPRING, group: null }
      for (const membership of [always, later]) await story.store.change({ kind: 'set group membership', membership })
      await story.reopen()
      expect(new Set(await prices())).toEqual(new Set([...others, cheaper]))
      const { priceGroups, groupMemberships } = await story.store.loadDirectory()
      expect([priceGroups, groupMemberships]).toEqual([[group], [always, later]])

      const both = { kind: 'set price', price: { ...ofGroup, accountId: client } } as const
      await expect(story.store.change(both)).rejects.toThrow('for an account or for a group, not for both')
      const unknown = { kind: 'set group membership', membership: { ...always, group: 'vip' } } as const
      await expect(story.store.change(unknown)).rejects.toThrow('there is no price group vip')
      const removal = { kind: 'remove price group', group } as const
      await expect(story.store.change(removal)).rejects.toThrow('accounts belong to the price group retail')
      await story.store.change({ kind: 'set account', accountId: client, state: 'closed' })
      expect((await story.store.loadDirectory()).groupMemberships).toEqual([])
      await story.store.change(removal)
      expect(new Set(await prices())).toEqual(new Set(others))
    })
  })
}
