/** Statistics of messages: counted in the transactions of the messages, rolled up by the sweep, exact at any time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountId } from '../../../src/domain/ids/account-id.ts'
import { withCost } from '../../../src/domain/journey/turn-cost.ts'
import { beginJourney } from '../../../src/domain/message/message.ts'
import { toMicros } from '../../../src/domain/money/money.ts'
import {
  DAYS_KEPT_DAYS,
  HOURS_KEPT_DAYS,
  hourOf,
  OTHER_GROUPS,
  type StatisticsKey,
  type StatisticsQuery,
} from '../../../src/domain/statistics/message-statistics.ts'
import { BEGINNING, buildPlan, buildStep } from '../../support/build-message.ts'
import { receipt, refused, taken } from '../../support/make-turn.ts'
import { type Install, messageItem, recorded, StoreStory } from './store-story.ts'

const HOUR_MS = 3_600_000
const FIRST = hourOf(BEGINNING)
const COST = () => ({ micros: toMicros(20_000), currency: 'EUR' })

export function describeMessageStatistics(install: Install): void {
  let story: StoreStory
  let client: AccountId
  beforeEach(async () => {
    story = await StoreStory.begin(install)
    client = await story.account()
  })
  afterEach(() => story.end())

  const totals = async (by: readonly StatisticsKey[], change: Partial<StatisticsQuery> = {}) => {
    const range = { from: FIRST, through: FIRST + 23, source: 'days', slotHours: null, limit: 1_000 } as const
    const found = await story.store.messageTotals({ ...range, accountId: null, only: {}, by, ...change })
    return found
      .map(({ slot, accountId, channel, carrierId, operator, country, sender, event, messages }) => {
        const place = [slot === -1 ? '' : slot - FIRST, accountId === -1 ? '' : accountId, channel, carrierId]
        return [...place, operator, country, sender].filter((cell) => cell !== '').concat([event, messages])
      })
      .sort((a, b) => (a.join() < b.join() ? -1 : 1))
  }
  const delivered = async (change: Parameters<StoreStory['accepted']>[1] = {}) => {
    const message = await story.accepted(client, change)
    const ref = `ref-${message.id}`
    const sent = await story.after(taken(message, [ref], { at: message.createdAt + 1_000 }))
    return story.after(receipt(sent, 'delivered', { at: message.createdAt + 2_000 }))
  }

  describe('statistics of messages', () => {
    it('count what is asked, taken and delivered, by every group', async () => {
      await delivered()
      await delivered({ operator: null })
      const other = await story.account()
      await story.accepted(other)
      expect(await totals([])).toEqual([
        ['asked', 3],
        ['delivered 4', 2],
        ['taken', 2],
      ])
      expect(await totals(['account', 'carrier'])).toEqual([
        [client, 'asked', 2],
        [client, 'carrier-1', 'delivered 4', 2],
        [client, 'carrier-1', 'taken', 2],
        [other, 'asked', 1],
      ])
      const rest = ['sms', '26201', 'DE', 'Posthorn', 'asked', 1]
      expect(await totals(['channel', 'operator', 'country', 'sender'], { accountId: other })).toEqual([rest])
      expect(await totals([], { only: { carrier: 'carrier-1', operator: '26201' } })).toEqual([
        ['delivered 4', 1],
        ['taken', 1],
      ])
      for (const none of [{ country: 'FR' }, { channel: 'rcs' }, { sender: 'Other' }]) {
        expect(await totals([], { only: none })).toEqual([])
      }
    })

    it('rank groups by a count, and add up those that are not kept apart', async () => {
      const other = await story.account()
      for (const _ of [1, 2, 3]) await story.accepted(other)
      await delivered()
      const totalsOf = async (change: Partial<StatisticsQuery>) => {
        const range = { from: FIRST, through: FIRST + 23, source: 'days', slotHours: null, limit: 1_000 } as const
        const found = await story.store.messageTotals({
          ...range,
          accountId: null,
          only: {},
          by: ['account'],
          ...change,
        })
        return found.map(({ accountId, event, currency, messages }) => [accountId, event, currency, messages]).sort()
      }
      for (const _ of ['before', 'after']) {
        const asked = await totalsOf({ ranking: 'asked' })
        expect(asked).toEqual(
          [
            [client, '', '', 1],
            [other, '', '', 3],
          ].sort(),
        )
        expect(await totalsOf({ ranking: 'delivered' })).toEqual(
          [
            [client, '', '', 1],
            [other, '', '', 0],
          ].sort(),
        )
        expect(await totalsOf({ ranking: 'asked', accountId: other })).toEqual([[other, '', '', 3]])
        const kept = new Set([`${client}\n\n\n\n\n`])
        expect(await totalsOf({ kept })).toEqual(
          [
            ...[
              [client, 'asked', 'EUR', 1],
              [client, 'delivered 4', 'EUR', 1],
              [client, 'taken', 'EUR', 1],
            ],
            [OTHER_GROUPS, 'asked', 'EUR', 3],
            [OTHER_GROUPS, 'groups', '', 1],
          ].sort(),
        )
        // The order by a share takes all events, that by an amount all currencies.
        expect(await totalsOf({ ranking: 'deliveredOfTaken', accountId: other })).toEqual([[other, 'asked', '', 3]])
        expect(await totalsOf({ ranking: 'marginMicros', accountId: other })).toEqual([[other, '', 'EUR', 3]])
        await story.sweep(BEGINNING + 30 * HOUR_MS)
        await story.sweep(BEGINNING + 31 * HOUR_MS)
      }
    })

    it('add up parts, prices and known costs, as the ledger charges them', async () => {
      const plan = [buildStep('sms', { parts: 2, priceMicros: toMicros(90_000) })]
      const message = await story.accepted(client, { plan, journey: beginJourney(plan, BEGINNING) })
      await story.after(withCost(taken(message, ['a', 'b']), BEGINNING, COST))
      await delivered()
      const query = { from: FIRST, through: FIRST, source: 'hours', slotHours: null, limit: 100 } as const
      const found = await story.store.messageTotals({ ...query, accountId: client, only: {}, by: [] })
      const charged = found.filter(({ priceMicros }) => priceMicros > 0)
      expect(charged.map((each) => [each.event, each.currency, each.costCurrency]).sort()).toEqual([
        ['taken', 'EUR', ''],
        ['taken', 'EUR', 'EUR'],
      ])
      expect(charged.find(({ costCurrency }) => costCurrency === 'EUR')).toMatchObject({
        ...{ messages: 1, parts: 2, priceMicros: 90_000, costMicros: 40_000 },
      })
      const [charges] = await story.store.chargeTotals({
        ...{ from: 202601 as never, through: 202601 as never },
        accounts: [client],
      })
      expect(charged.reduce((sum, { priceMicros }) => sum + priceMicros, 0)).toBe(90_000 + 50_000)
      expect(charges).toMatchObject({ accountId: client })
    })

    it('count a message that falls back under both channels, and one that fails once', async () => {
      const plan = buildPlan('rcs', 'sms')
      const message = await story.accepted(client, { plan, journey: beginJourney(plan, BEGINNING) })
      const second = await story.after(refused(message, 'no RCS', { carrierId: 'rbm' }))
      const sent = await story.after(taken(second, ['ref'], { carrierId: 'smsc' }))
      await story.after(receipt(sent, 'undeliverable', { carrierId: 'smsc' }))
      expect(await totals(['channel', 'carrier'])).toEqual([
        ['rcs', 'asked', 1],
        ['rcs', 'rbm', 'fell back untaken UNDELIVERABLE', 1],
        ['sms', 'smsc', 'failed UNDELIVERABLE', 1],
        ['sms', 'smsc', 'taken', 1],
      ])
    })

    it('belong to the hour in which a message starts, whenever its receipts arrive', async () => {
      const at = BEGINNING + 5 * HOUR_MS
      const plan = buildPlan('sms')
      const message = await story.accepted(client, { journey: beginJourney(plan, BEGINNING, { sendAt: at }) })
      const sent = await story.after(taken(message, ['ref'], { at: at + 1_000 }))
      await story.after(receipt(sent, 'delivered', { at: at + 7 * HOUR_MS }))
      expect(await totals([], { source: 'hours', slotHours: 1 })).toEqual([
        [5, 'asked', 1],
        [5, 'delivered 13', 1],
        [5, 'taken', 1],
      ])
    })

    it('leave out test messages, items that were refused, and turns that are stale or repeated', async () => {
      await delivered({ test: true })
      const poor = await story.account(0)
      await story.accept(poor, [messageItem(story.message(poor))])
      expect(await totals([])).toEqual([])
      const message = await story.accepted(client)
      const turn = taken(message, ['ref'])
      await story.store.record([recorded(turn)])
      await story.store.record([recorded(turn, { again: true })])
      await story.store.record([recorded(refused(message))])
      expect(await totals([])).toEqual([
        ['asked', 1],
        ['taken', 1],
      ])
    })

    it('say the same before and after they are rolled up, with receipts that come later, and after a restart', async () => {
      const other = await story.account()
      await story.accepted(other, { phone: '33612345678' as never })
      await delivered({ createdAt: BEGINNING + HOUR_MS, journey: beginJourney(buildPlan('sms'), BEGINNING + HOUR_MS) })
      const late = await story.after(taken(await story.accepted(client), ['late']))
      const groups: readonly (readonly StatisticsKey[])[] = [[], ['account', 'sender'], ['country', 'carrier']]
      const all = async () => {
        const sources = [{ source: 'hours', slotHours: 1 }, { source: 'days' }, { accountId: client }] as const
        return Promise.all(groups.flatMap((by) => sources.map((source) => totals(by, source))))
      }
      const before = await all()
      await story.sweep(BEGINNING + 3 * HOUR_MS)
      expect(await all()).toEqual(before)
      await story.after(receipt(late, 'delivered', { at: BEGINNING + 4 * HOUR_MS }))
      const after = await all()
      expect(after).not.toEqual(before)
      await story.reopen()
      await story.sweep(BEGINNING + 30 * HOUR_MS)
      expect(await all()).toEqual(after)
      await story.sweep(BEGINNING + 31 * HOUR_MS)
      expect(await all()).toEqual(after)
    })

    it('are summed up by the days of a zone, which begin at any hour', async () => {
      const other = await story.account()
      for (const hours of [0, 1, 23, 24, 25]) {
        const createdAt = BEGINNING + hours * HOUR_MS
        await story.accepted(other, { createdAt, journey: beginJourney(buildPlan('sms'), createdAt) })
      }
      const days = [FIRST - 23, FIRST + 1, FIRST + 24]
      const range = { source: 'hours', slotHours: 24, days, from: FIRST - 23, through: FIRST + 48 } as const
      const expected = [
        [-23, 'asked', 1],
        [1, 'asked', 2],
        [24, 'asked', 2],
      ]
      for (const hours of [25, 50, 51]) {
        expect(await totals([], { ...range, accountId: other })).toEqual(expected)
        expect(await totals([], range)).toEqual(expected)
        await story.sweep(BEGINNING + hours * HOUR_MS)
      }
    })

    it('are kept by hour for 35 days and by day for 800', async () => {
      await delivered()
      const hourly = { source: 'hours', slotHours: 1 } as const
      const days = async (count: number) => {
        // Counts are rolled up in two steps.
        for (const minutes of [0, 1]) await story.sweep(BEGINNING + count * 24 * HOUR_MS + minutes * 60_000)
        return [
          (await totals(['account'], hourly)).length,
          (await totals(['account'])).length,
          (await totals([])).length,
        ]
      }
      expect(await days(HOURS_KEPT_DAYS)).toEqual([3, 3, 3])
      expect(await days(HOURS_KEPT_DAYS + 1)).toEqual([0, 3, 3])
      expect(await days(DAYS_KEPT_DAYS)).toEqual([0, 3, 3])
      expect(await days(DAYS_KEPT_DAYS + 1)).toEqual([0, 0, 0])
    })

    it('are read in slices, with all rows of each day and hour, rolled up or not', async () => {
      const large = await story.account(1_000_000_000)
      const operators = Array.from({ length: 800 }, (_, index) => String(20_000 + index))
      for (let day = 0; day < 3; day += 1) {
        const createdAt = BEGINNING + day * 24 * HOUR_MS
        const journey = beginJourney(buildPlan('sms'), createdAt)
        const items = operators.map((operator) => messageItem(story.message(large, { operator, createdAt, journey })))
        await story.accept(large, items)
        await story.accepted(large, { createdAt: createdAt + HOUR_MS, journey })
      }
      const range = { accountId: large, through: FIRST + 71, limit: 10_000 }
      const all = async () => ({
        total: await totals([], range),
        days: await totals([], { ...range, slotHours: 24 }),
        hours: await totals([], { ...range, source: 'hours', slotHours: 1 }),
        one: await totals(['operator'], { ...range, only: { operator: '20799' } }),
        operators: (await totals(['operator'], range)).length,
        limited: (await totals(['operator'], { ...range, limit: 700 })).length,
      })
      const expected = {
        total: [['asked', 2_403]],
        days: [0, 24, 48].map((hour) => [hour, 'asked', 801]),
        hours: [0, 1, 24, 25, 48, 49].map((hour) => [hour, 'asked', hour % 24 === 0 ? 800 : 1]).sort(),
        one: [['20799', 'asked', 3]],
        operators: 801,
        limited: 700,
      }
      expect(await all()).toEqual(expected)
      for (const days of [1, 2, 4]) {
        await story.sweep(BEGINNING + days * 24 * HOUR_MS)
        expect(await all()).toEqual(expected)
      }
    })

    it('count reports that were sent and those that were given up, for their account', async () => {
      const messages = [await delivered(), await delivered(), await delivered()]
      const kinds = ['sent', 'failed', 'later'] as const
      const results = messages.map(({ id }, index) => {
        const kind = kinds[index] ?? 'later'
        const dueAt = kind === 'later' ? BEGINNING + HOUR_MS : null
        return { messageId: id, number: 0, kind, at: BEGINNING + 3_000, dueAt, detail: '', held: false }
      })
      await story.store.settleReports(results as never)
      await story.store.settleReports(results.slice(0, 1) as never)
      const reports = (await totals(['account'])).filter(([, event]) => String(event).startsWith('report'))
      expect(reports).toEqual([
        [client, 'report failed', 1],
        [client, 'report retried', 1],
        [client, 'report sent', 1],
      ])
    })

    it('count reports by hook, with the class of their time, and show hooks to statistics of hooks only', async () => {
      const kinds = ['sent', 'sent', 'later', 'failed', 'parked'] as const
      const hooks = [
        'https://a.example/x',
        'https://a.example/x',
        'https://b.example',
        'https://b.example',
        'https://c',
      ]
      const results = []
      for (const [index, kind] of kinds.entries()) {
        const { id } = await delivered()
        const dueAt = kind === 'later' || kind === 'parked' ? BEGINNING + HOUR_MS : null
        const [hook = '', tookMs] = [hooks[index], index * 200]
        const at = BEGINNING + 3_000
        results.push({ messageId: id, number: 0, kind, at, dueAt, detail: '', held: false, hook, tookMs })
      }
      await story.store.settleReports(results)
      const all = { from: 0, through: 2 ** 31 - 1, source: 'days', accountId: client, only: {}, by: [] } as const
      const ofHooks = async () => {
        const found = await story.store.messageTotals({ ...all, slotHours: null, limit: 100, ofHooks: true })
        return found.map(({ sender, event, messages }) => `${sender} ${event}: ${messages}`).sort()
      }
      const expected = [
        'https://a.example/x report sent 0: 1',
        'https://a.example/x report sent 1: 1',
        'https://b.example report failed 3: 1',
        'https://b.example report retried 2: 1',
      ]
      expect(await ofHooks()).toEqual(expected)
      const senders = async (only: object) => {
        const query = { ...all, only, by: ['sender'] as const, slotHours: null, limit: 100 }
        const found = await story.store.messageTotals(query)
        return found.filter(({ event }) => event.startsWith('report')).map(({ sender }) => sender)
      }
      expect(new Set(await senders({}))).toEqual(new Set(['']))
      expect(await senders({ sender: 'https://a.example/x' })).toEqual([])
      for (const days of [1, 2]) {
        await story.sweep(BEGINNING + days * 24 * HOUR_MS)
        expect(await ofHooks()).toEqual(expected)
      }
    })
  })
}
