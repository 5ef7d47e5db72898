import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '../../src/domain/channels/channel.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { parseDecimal, toMicros } from '../../src/domain/money/money.ts'
import {
  describeGap,
  GENERAL_PRICES,
  GroupMemberships,
  PRICE_KIND,
  type Price,
  type PriceQuestion,
  scalePrice,
  Tariff,
} from '../../src/domain/money/price.ts'
import { findOverlap, refuseOverlap } from '../../src/domain/money/rate.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { PrefixTable } from '../../src/domain/numbers/prefix-table.ts'
import { buildPrice } from '../support/build-price.ts'

/** Few digits, so that prefixes meet numbers. */
const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom('1', '2', '3'), maxLength })

describe('a table of prefixes', () => {
  test('finds the longest prefix that fits, as a search through all of them does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(digits(4), fc.nat())), digits(6), (entries, number) => {
        const table = new PrefixTable<number>()
        for (const [prefix, value] of entries) table.set(prefix, value)
        const values = new Map(entries)
        const longest = [...values.keys()]
          .filter((prefix) => number.startsWith(prefix))
          .sort((a, b) => b.length - a.length)[0]
        expect(table.find(number)).toBe(longest === undefined ? undefined : values.get(longest))
        for (const [prefix, value] of values) expect(table.get(prefix)).toBe(value)
      }),
    )
  })
})

/** In order, so that rank is compared from the left; the smaller is the better. */
function rankOf(price: Price): readonly number[] {
  return [
    price.accountId !== null ? 0 : price.group !== null ? 1 : 2,
    price.operator === null ? 1 : 0,
    -price.prefix.length,
  ]
}

function compareRanks(a: Price, b: Price): number {
  const [left, right] = [rankOf(a), rankOf(b)]
  return left.map((each, index) => each - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

const moments = fc.constantFrom(null, 10, 20, 30)

const OWNERS = [
  GENERAL_PRICES,
  { accountId: toAccountId(1), group: null },
  { accountId: toAccountId(2), group: null },
  { accountId: null, group: 'retail' },
  { accountId: null, group: 'vip' },
]

const aPrice: fc.Arbitrary<Price> = fc
  .record({
    owner: fc.constantFrom(...OWNERS),
    currency: fc.constantFrom('EUR', 'USD'),
    channel: fc.constantFrom(...CHANNELS.slice(0, 2)),
    prefix: digits(3),
    operator: fc.constantFrom(null, '26201', '26202'),
    from: moments,
    until: moments,
    priceMicros: fc.nat({ max: 1_000 }).map(toMicros),
  })
  .map(({ owner, ...price }) => ({ ...price, ...owner }))
  .filter(({ from, until }) => from === null || until === null || from < until)

/** As they may stand in a store: none is valid for the same as another at one time. */
const prices = fc.array(aPrice, { maxLength: 60 }).map((drawn) => {
  const kept: Price[] = []
  for (const price of drawn) if (findOverlap(PRICE_KIND, kept.concat(price)) === null) kept.push(price)
  return kept
})

const question = (change: Partial<PriceQuestion>): PriceQuestion => ({
  accountId: toAccountId(1),
  currency: 'EUR',
  channel: 'sms',
  phone: '4915112345678' as Phone,
  operator: null,
  at: 0,
  ...change,
})

describe('a tariff', () => {
  test("gives the account's own price first, then its group's, then the operator's, then that of the longest prefix, of those valid", () => {
    fc.assert(
      fc.property(
        prices,
        digits(5),
        fc.constantFrom(null, '26201', '26203'),
        fc.constantFrom(9, 10, 19, 20, 29, 30),
        fc.constantFrom(null, 'retail'),
        (drawn, number, operator, at, group) => {
          const asked = question({ channel: 'rcs', phone: number as Phone, operator, at })
          const fitting = drawn.filter(
            (price) =>
              price.currency === asked.currency &&
              price.channel === asked.channel &&
              (price.accountId === null || price.accountId === asked.accountId) &&
              (price.group === null || price.group === group) &&
              (price.operator === null || price.operator === operator) &&
              number.startsWith(price.prefix) &&
              (price.from ?? 0) <= at &&
              at < (price.until ?? 99),
          )
          const [best, next] = fitting.sort(compareRanks)
          expect(new Tariff(drawn).priceOf(asked, group)).toBe(best?.priceMicros ?? null)
          // The rank leaves nothing to the order in which prices were set.
          if (best !== undefined && next !== undefined) expect(compareRanks(best, next)).toBeLessThan(0)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is the same in whatever order its prices come', () => {
    fc.assert(
      fc.property(prices, digits(5), fc.constantFrom(null, '26201'), (drawn, number, operator) => {
        const asked = question({ channel: 'rcs', phone: number as Phone, operator, at: 15 })
        expect(new Tariff(drawn).priceOf(asked, 'vip')).toBe(new Tariff(drawn.toReversed()).priceOf(asked, 'vip'))
      }),
    )
  })

  test('goes by the operator of a number that was ported, not by the prefix that it kept', () => {
    const tariff = new Tariff([
      buildPrice({ prefix: '49151', priceMicros: toMicros(7) }),
      buildPrice({ operator: '26202', priceMicros: toMicros(6) }),
      buildPrice({ operator: '26202', prefix: '49', priceMicros: toMicros(5) }),
    ])
    expect(tariff.priceOf(question({ operator: '26201' }), null)).toBe(7)
    expect(tariff.priceOf(question({ operator: null }), null)).toBe(7)
    expect(tariff.priceOf(question({ operator: '26202' }), null)).toBe(5)
    expect(tariff.priceOf(question({ operator: '26202', phone: '33612345678' as Phone }), null)).toBe(6)
  })

  test('changes price at the very millisecond, and falls back where nothing is valid', () => {
    const tariff = new Tariff([
      buildPrice({ prefix: '49', from: 100, until: 200, priceMicros: toMicros(2) }),
      buildPrice({ prefix: '49', from: 200, until: 300, priceMicros: toMicros(3) }),
      buildPrice({ prefix: '4', priceMicros: toMicros(1) }),
    ])
    expect([99, 100, 199, 200, 299, 300].map((at) => tariff.priceOf(question({ at }), null))).toEqual([
      1, 2, 2, 3, 3, 1,
    ])
  })

  test('of an account is that of the group to which it belongs at the time', () => {
    const [one, two] = [toAccountId(1), toAccountId(2)]
    const memberships = new GroupMemberships([
      { accountId: one, from: 200, group: null },
      { accountId: one, from: 100, group: 'retail' },
      { accountId: two, from: null, group: 'vip' },
    ])
    const at = [0, 99, 100, 199, 200]
    expect(at.map((each) => memberships.groupOf(one, each))).toEqual([null, null, 'retail', 'retail', null])
    expect([memberships.groupOf(two, 0), memberships.groupOf(toAccountId(3), 0)]).toEqual(['vip', null])
    expect([50, 150, 250].map((each) => memberships.groupsFrom(one, each))).toEqual([['retail'], ['retail'], []])
  })

  test('distinguishes a price of zero from no price', () => {
    const free = buildPrice({ prefix: '49', priceMicros: toMicros(0) })
    const tariff = new Tariff([free, { ...free, prefix: '', priceMicros: toMicros(9) }])
    expect(tariff.priceOf(question({}), null)).toBe(0)
    expect(tariff.priceOf(question({ phone: '33612345678' as Phone }), null)).toBe(9)
    expect(tariff.priceOf(question({ channel: 'rcs' }), null)).toBeNull()
    expect(tariff.priceOf(question({ currency: 'USD' }), null)).toBeNull()
  })
})

describe('prices for the same', () => {
  test('overlap exactly when one moment has two of them', () => {
    const validity = fc
      .tuple(moments, moments)
      .filter(([from, until]) => from === null || until === null || from < until)
    const validAt = ([from, until]: readonly [number | null, number | null], at: number) =>
      (from ?? 0) <= at && at < (until ?? 99)
    fc.assert(
      fc.property(fc.array(validity, { maxLength: 4 }), (all) => {
        const overlap = findOverlap(
          PRICE_KIND,
          all.map(([from, until]) => buildPrice({ from, until })),
        )
        const isDouble = [0, 10, 20, 30].some((at) => all.filter((each) => validAt(each, at)).length > 1)
        expect(overlap !== null).toBe(isDouble)
      }),
    )
  })

  test('that overlap are described', () => {
    const [january, july] = [Date.UTC(2027, 0, 1), Date.UTC(2027, 6, 1, 12)]
    const overlap = findOverlap(PRICE_KIND, [
      buildPrice({ accountId: toAccountId(3), prefix: '49', operator: '26201', from: july }),
      buildPrice({ accountId: toAccountId(3), prefix: '49', operator: '26201', from: january }),
    ])
    expect(overlap === null ? null : refuseOverlap(PRICE_KIND, overlap)).toBe(
      'the price of sms 49… of operator 26201 in EUR for account 3 from 2027-07-01T12:00:00Z overlaps with the one from ' +
        '2027-01-01: one must end before the other begins',
    )
  })
})

test('so many percent of a price is exact to half a millionth', () => {
  const percent = (text: string) => parseDecimal(text) ?? toMicros(0)
  expect(scalePrice(toMicros(45_000), percent('100'))).toBe(45_000)
  expect(scalePrice(toMicros(45_000), percent('92.5'))).toBe(41_625)
  expect(scalePrice(toMicros(33_333), percent('110'))).toBe(36_666)
  expect(scalePrice(toMicros(5), percent('110'))).toBe(6)
  expect(scalePrice(toMicros(90_000_000_000_000), percent('105.000001'))).toBe(94_500_000_900_000)
  expect(scalePrice(toMicros(90_000_000_000_000), percent('112'))).toBe(null)
  expect(scalePrice(toMicros(90_000_000_000_000), percent('999999999'))).toBe(null)
})

describe('the end of a price', () => {
  const [december, january] = [Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)]
  const ended = buildPrice({ prefix: '49', until: december })

  test('leaves a gap until the next price for the same, or for good', () => {
    expect(describeGap([], ended, null)).toBe('there is no price for sms 49… in EUR from 2026-12-01')
    const next = [buildPrice({ prefix: '49', from: january }), buildPrice({ prefix: '4', from: january + 1 })]
    expect(describeGap(next, ended, null)).toBe('there is no price for sms 49… in EUR from 2026-12-01 until 2027-01-01')
    const others: readonly Partial<Price>[] = [
      { channel: 'rcs' },
      { currency: 'USD' },
      { prefix: '491' },
      { prefix: '43' },
      { operator: '26201' },
      { accountId: toAccountId(7) },
      { until: december },
    ]
    for (const other of others) {
      expect(describeGap([buildPrice({ prefix: '49', ...other })], ended, null)).toMatch(/^there is no price/)
    }
  })

  test('leaves none if a price follows at once, or one for more numbers is valid then', () => {
    for (const other of [{ prefix: '49', from: december }, { prefix: '4' }, { prefix: '', from: 0, until: january }]) {
      expect(describeGap([buildPrice(other)], ended, null)).toBeNull()
    }
    const own = { ...ended, accountId: toAccountId(7), operator: '26201' }
    for (const other of [{}, { accountId: own.accountId }, { operator: own.operator }]) {
      expect(describeGap([buildPrice({ prefix: '49', ...other, from: 0 })], own, null)).toBeNull()
    }
    const ofGroup = buildPrice({ prefix: '49', group: 'retail' })
    expect(describeGap([ofGroup], own, 'retail')).toBeNull()
    expect(describeGap([ofGroup], own, 'vip')).toMatch(/^there is no price/)
    expect(describeGap([], buildPrice({ prefix: '49' }), null)).toBeNull()
  })

  test('does not count the price that it replaces', () => {
    expect(describeGap([buildPrice({ prefix: '49' })], ended, null)).toMatch(/^there is no price/)
  })
})
