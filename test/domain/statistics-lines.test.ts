/** Lines of the statistics of messages are made of the store's totals. */
import { expect, test } from 'vitest'
import type { MessageTotal, StatisticsKey, StatisticsQuery } from '../../src/domain/statistics/message-statistics.ts'
import { drawLines } from '../../src/domain/statistics/statistics-lines.ts'
import { latencyClass, percentile } from '../../src/domain/structures/latency-class.ts'

const total = (event: MessageTotal['event'], messages: number, change: Partial<MessageTotal> = {}): MessageTotal => ({
  ...{ slot: -1, accountId: -1, channel: '', carrierId: '', operator: '', country: '', sender: '' },
  ...{ event, messages, parts: messages, currency: 'EUR', costCurrency: '', priceMicros: 0, costMicros: 0 },
  ...change,
})
const charged = (currency: string, priceMicros: number, costCurrency: string, costMicros: number) =>
  total('taken', 1, { currency, priceMicros, costCurrency, costMicros })
const draw = (totals: readonly MessageTotal[], by: readonly StatisticsKey[] = [], only: StatisticsQuery['only'] = {}) =>
  drawLines(totals, {
    ...{ from: 0, through: 0, source: 'days', accountId: null, slotHours: null, limit: 1 },
    by,
    only,
  })

test('a line counts each event, and its shares are those of what was taken and asked', () => {
  const [line, ...others] = draw([
    ...[total('asked', 10), total('taken', 6, { parts: 9 }), total('taken', 2)],
    ...[total('delivered 3', 4), total('delivered 5', 1), total('read', 2), total('cancelled', 1)],
    ...[total('failed EXPIRED', 2), total('failed FILTERED', 1), total('fell back UNDELIVERABLE', 3)],
    ...[total('report sent', 7), total('report failed', 8), total('charged', 9)],
  ])
  expect(others).toEqual([])
  expect(line).toMatchObject({
    ...{ asked: 10, taken: 8, parts: 11, delivered: 5, read: 2, cancelled: 1, failed: 3, fellBack: 3 },
    ...{ reportsSent: 7, reportsFailed: 8, deliveredOfTaken: 0.625, deliveredOfAsked: 0.625 },
  })
})

test('a message that is sent before its planned hour leaves nothing there', () => {
  const planned = [total('asked', 2, { slot: 48 }), total('unasked', 1, { slot: 48 })]
  const lines = draw([...planned, total('asked', 1, { slot: 24 }), total('asked', 1), total('unasked', 1)], ['channel'])
  expect(lines.map(({ slot, asked }) => [slot, asked])).toEqual([
    [24, 1],
    [48, 1],
  ])
})

test('by status, each has the outcomes of that name', () => {
  const lines = draw([total('asked', 3), total('failed EXPIRED', 1), total('fell back EXPIRED', 2)], ['status'])
  expect(lines).toMatchObject([
    { status: null, asked: 3, failed: 0 },
    { status: 'EXPIRED', asked: 0, failed: 1, fellBack: 2, deliveredOfTaken: null },
  ])
})

test.each([
  ['under way', [], { deliveredOfTaken: 1, deliveredOfAsked: 1 }],
  ['failed', [total('failed EXPIRED', 1)], { deliveredOfTaken: 0.9, deliveredOfAsked: 0.9 }],
  ['cancelled', [total('cancelled', 1)], { deliveredOfTaken: 1, deliveredOfAsked: 1 }],
  ['tried by another channel', [total('fell back EXPIRED', 1)], { deliveredOfTaken: 0.9, deliveredOfAsked: 1 }],
] as const)('a share is of the messages that were delivered or failed: others are %s', (_what, others, shares) => {
  const totals = [total('asked', 13), total('taken', 12), total('delivered 3', 9), ...others]
  expect(draw(totals)[0]).toMatchObject(shares)
})

test.each([
  ['fell back untaken', [total('fell back untaken UNDELIVERABLE', 10)]],
  ['failed untaken', [total('failed untaken EXPIRED', 4), total('failed untaken REJECTED', 6)]],
  ['both', [total('fell back untaken UNDELIVERABLE', 7), total('failed untaken EXPIRED', 3)]],
] as const)('a step that no carrier took makes none under way a lost one: %s', (_what, untaken) => {
  const underWay = [total('asked', 30), total('taken', 20), ...untaken]
  expect(draw(underWay)[0]?.deliveredOfTaken).toBeNull()
  expect(draw([...underWay, total('delivered 3', 8)])[0]?.deliveredOfTaken).toBe(1)
  const lost = [total('delivered 3', 8), total('failed EXPIRED', 1), total('fell back EXPIRED', 1)]
  expect(draw([...underWay, ...lost])[0]).toMatchObject({ deliveredOfTaken: 0.8 })
})

test('by status, steps count alike whether a carrier took them or not', () => {
  const lines = draw([total('failed EXPIRED', 1), total('failed untaken EXPIRED', 2)], ['status'])
  expect(lines).toMatchObject([{ status: 'EXPIRED', failed: 3 }])
})

test('there is no share while every message is under way', () => {
  expect(draw([total('asked', 5), total('taken', 4)])[0]).toMatchObject({
    deliveredOfTaken: null,
    deliveredOfAsked: null,
  })
})

test('the share of what was asked is unknown where it counts under another channel', () => {
  const totals = [total('asked', 2), total('delivered 1', 1), total('failed EXPIRED', 1)]
  expect(draw(totals)[0]?.deliveredOfAsked).toBe(0.5)
  expect(draw(totals, ['channel'])[0]?.deliveredOfAsked).toBeNull()
  expect(draw(totals, [], { carrier: 'a' })[0]?.deliveredOfAsked).toBeNull()
})

test('money of one currency is added up; the margin is that of the costs known in the currency of the price', () => {
  const money = (...totals: readonly MessageTotal[]) => {
    const [line] = draw(totals)
    const { priceMicros, currency, costMicros, costCurrency, marginMicros, pricedAloneMicros } = line ?? {}
    return [priceMicros, currency, costMicros, costCurrency, marginMicros, pricedAloneMicros]
  }
  expect(money(total('asked', 1))).toEqual([0, null, 0, null, 0, 0])
  expect(money(charged('EUR', 50, 'EUR', 20), charged('EUR', 30, 'EUR', 0))).toEqual([80, 'EUR', 20, 'EUR', 60, 0])
  expect(money(charged('EUR', 50, 'EUR', 20), charged('EUR', 30, '', 0))).toEqual([80, 'EUR', 20, 'EUR', 30, 30])
  expect(money(charged('EUR', 30, '', 0))).toEqual([30, 'EUR', null, null, null, 30])
  expect(money(charged('EUR', 50, 'USD', 20))).toEqual([50, 'EUR', 20, 'USD', null, 50])
  const mixed = money(charged('EUR', 50, 'USD', 20), charged('EUR', 1, 'EUR', 1))
  expect(mixed).toEqual([51, 'EUR', null, null, 0, 50])
  const priced = money(charged('EUR', 50, 'EUR', 20), charged('USD', 9, 'EUR', 3))
  expect(priced).toEqual([null, null, 23, 'EUR', null, null])
})

test('by currency, each has a line of its own', () => {
  const lines = draw([charged('USD', 9, '', 0), charged('EUR', 50, '', 0)], ['currency'])
  expect(lines).toMatchObject([
    { currency: 'EUR', priceMicros: 50 },
    { currency: 'USD', priceMicros: 9 },
  ])
})

test('lines are sorted by time and groups', () => {
  const at = (slot: number, channel: string) => total('asked', 1, { slot, channel })
  const lines = draw([at(2, 'sms'), at(1, 'sms'), at(1, 'rcs')], ['channel'])
  expect(lines.map(({ slot, channel }) => [slot, channel])).toEqual([
    [1, 'rcs'],
    [1, 'sms'],
    [2, 'sms'],
  ])
})

test('a time belongs to the first class whose bound it does not exceed, however long it is', () => {
  expect([0, 100, 101, 250, 5_000, 1e12].map(latencyClass)).toEqual([0, 0, 1, 1, 5, 15])
})

test('percentiles are interpolated within a class', () => {
  expect(percentile(new Map(), 0.5)).toBeNull()
  expect(percentile(new Map([[4, 10]]), 0.5)).toBe(1_500)
  const mixed = new Map([
    [0, 50],
    [5, 45],
    [6, 5],
  ])
  expect(percentile(mixed, 0.5)).toBe(100)
  expect(percentile(mixed, 0.95)).toBe(5_000)
  expect(percentile(mixed, 0.99)).toBe(9_000)
})
