import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/account.ts'
import { CHANNELS } from '../../src/domain/channel.ts'
import { toMicros } from '../../src/domain/money.ts'
import { PrefixTable } from '../../src/domain/prefix-table.ts'
import { type Price, Tariff } from '../../src/domain/price.ts'

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

describe('a tariff', () => {
  const aPrice: fc.Arbitrary<Price> = fc.record({
    accountId: fc.constantFrom(null, toAccountId(1), toAccountId(2)),
    currency: fc.constantFrom('EUR', 'USD'),
    channel: fc.constantFrom(...CHANNELS),
    prefix: digits(3),
    priceMicros: fc.nat({ max: 5 }).map(toMicros),
  })

  test("gives the account's own price before the general one, the longest prefix first in each", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(aPrice, {
          maxLength: 40,
          selector: ({ accountId, currency, channel, prefix }) => `${accountId} ${currency} ${channel} ${prefix}`,
        }),
        digits(5),
        (prices, number) => {
          const fitting = prices
            .filter((price) => price.currency === 'EUR' && price.channel === 'sms' && number.startsWith(price.prefix))
            .filter((price) => price.accountId !== 2)
            .sort((a, b) => (b.accountId ?? 0) - (a.accountId ?? 0) || b.prefix.length - a.prefix.length)
          expect(new Tariff(prices).priceOf(toAccountId(1), 'EUR', 'sms', number)).toBe(fitting[0]?.priceMicros ?? null)
        },
      ),
    )
  })

  test('knows a price of nothing from no price', () => {
    const free: Price = { accountId: null, currency: 'EUR', channel: 'sms', prefix: '49', priceMicros: toMicros(0) }
    const tariff = new Tariff([free, { ...free, prefix: '', priceMicros: toMicros(9) }])
    expect(tariff.priceOf(toAccountId(1), 'EUR', 'sms', '4915112345678')).toBe(0)
    expect(tariff.priceOf(toAccountId(1), 'EUR', 'sms', '33612345678')).toBe(9)
    expect(tariff.priceOf(toAccountId(1), 'EUR', 'rcs', '4915112345678')).toBeNull()
    expect(tariff.priceOf(toAccountId(1), 'USD', 'sms', '4915112345678')).toBeNull()
  })
})
