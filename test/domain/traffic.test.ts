import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addTraffic,
  recentTraffic,
  remarkableTraffic,
  TRAFFIC_SLOT_MS,
  type Traffic,
  type TrafficKey,
  trafficPrefix,
  trafficSlot,
} from '../../src/domain/guards/traffic.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'

const KEY: TrafficKey = { accountId: null, kind: 'messages', prefix: '491511' }
const RULE = { floor: 100, factor: 5, stopMinutes: 60 }

/** What is known after these counts, one a slot; a slot without any is left out, as in life. */
function patternOf(counts: readonly number[], known: Traffic | null = null, from = 0): Traffic {
  let traffic = known
  for (const [slot, count] of counts.entries()) {
    if (count > 0) traffic = addTraffic(traffic, KEY, from + slot, count)
  }
  if (traffic === null) throw new Error('there was no traffic')
  return traffic
}

const days = (count: number, perSlot: number) => Array(count * 288).fill(perSlot) as number[]

describe('the prefix of traffic', () => {
  test.each([
    ['4915112345678', '491511'],
    ['12125550100', '12125'],
    ['37120000000', '3712000'],
  ])('of %s is %s', (phone, prefix) => {
    expect(trafficPrefix(phone as Phone)).toBe(prefix)
  })
})

describe('traffic', () => {
  test('is not remarkable below the floor, after any traffic', () => {
    expect(remarkableTraffic(patternOf([1]), RULE)).toBe(100)
  })

  test('of every day is nothing remarkable, and five times as much is', () => {
    const traffic = patternOf([...days(3, 200), 200])
    expect(traffic.mean).toBeGreaterThan(170)
    expect(remarkableTraffic(traffic, RULE)).toBeGreaterThan(850)
    expect(remarkableTraffic(traffic, RULE)).toBeLessThanOrEqual(1_000)
  })

  test('is learnt within a quarter of an hour, if it is no more than a few times the floor', () => {
    expect(remarkableTraffic(patternOf([99]), RULE)).toBe(100)
    expect(remarkableTraffic(patternOf([200, 200, 200, 1]), RULE)).toBe(200)
  })

  test('does not become usual by one great burst', () => {
    const traffic = patternOf([...days(3, 20), 10_000, 20])
    expect(remarkableTraffic(traffic, RULE)).toBeLessThan(250)
  })

  test('is forgotten by half in a day', () => {
    const before = patternOf([...days(4, 1_000)])
    const known = addTraffic(before, KEY, before.slot + 288, 1)
    expect(known.mean / before.mean).toBeCloseTo(0.5, 2)
  })

  test('is reckoned over the last five minutes, across two slots', () => {
    const traffic = patternOf([60, 40])
    expect(recentTraffic(traffic, TRAFFIC_SLOT_MS)).toBe(100)
    expect(recentTraffic(traffic, 1.5 * TRAFFIC_SLOT_MS)).toBe(70)
    expect(recentTraffic(traffic, 2 * TRAFFIC_SLOT_MS)).toBe(40)
    expect(recentTraffic(patternOf([60, 0, 40]), 2 * TRAFFIC_SLOT_MS)).toBe(40)
    expect(trafficSlot(TRAFFIC_SLOT_MS - 1)).toBe(0)
  })

  const counts = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 900 })

  test('is the same whether it comes at once or bit by bit, from one node or from several', () => {
    fc.assert(
      fc.property(counts, (each) => {
        fc.pre(each.some((count) => count > 0))
        let halves: Traffic | null = null
        for (const [slot, count] of each.entries()) {
          if (count === 0) continue
          halves = addTraffic(halves, KEY, slot, 1)
          if (count > 1) halves = addTraffic(halves, KEY, slot, count - 1)
        }
        expect(halves).toEqual(patternOf(each))
      }),
    )
  })

  test('has the same mean for skipped slots as for empty ones, and no count exceeds it', () => {
    fc.assert(
      fc.property(counts, (each) => {
        fc.pre(each.some((count) => count > 0))
        const first = each.findIndex((count) => count > 0)
        let plain: Traffic | null = null
        for (const [slot, count] of each.entries()) if (slot >= first) plain = addTraffic(plain, KEY, slot, count)
        const skipped = addTraffic(patternOf(each), KEY, each.length, 0)
        const explicit = plain === null ? null : addTraffic(plain, KEY, each.length, 0)
        expect(skipped.mean).toBeCloseTo(explicit?.mean ?? Number.NaN, 6)
        expect(skipped.slots).toBe(explicit?.slots)
        expect(skipped.mean).toBeGreaterThanOrEqual(0)
        expect(skipped.mean).toBeLessThanOrEqual(Math.max(...each))
      }),
    )
  })

  test('that comes late counts in the slot under way, and a clock set back harms nothing', () => {
    const traffic = patternOf([10, 20])
    expect(addTraffic(traffic, KEY, 0, 5)).toEqual({ ...traffic, count: 25 })
    expect(recentTraffic(traffic, 0)).toBe(30)
  })
})
