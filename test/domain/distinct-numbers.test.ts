/** The numbers that rates distinguish: any number costs what one of them does, whichever rates are left out. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctNumbers } from '../../src/domain/money/distinct-numbers.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { type Rate, RateTable, UNLIMITED } from '../../src/domain/money/rate.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'

const NOW = 0
const priced = (prefix: string, operator: string | null = null) => ({ prefix, operator })

test('a prefix meets the operators of its country, and no others', () => {
  const rates = [priced(''), priced('49'), priced('4915'), priced('', '26202'), priced('33', '20801')]
  expect([...distinctNumbers(rates)]).toEqual([
    ...[priced(''), priced('49'), priced('4915')],
    ...[priced('', '26202'), priced('49', '26202'), priced('4915', '26202')],
    ...[priced('33', '20801'), priced('', '20801')],
  ])
})

const PREFIX = fc.constantFrom('', '4', '49', '491', '4915', '49151', '33', '336')
const OPERATOR = fc.constantFrom(null, '26201', '26202', '20801')
const RATE: fc.Arbitrary<Rate> = fc
  .record({ prefix: PREFIX, operator: OPERATOR, price: fc.integer({ min: 0, max: 9 }) })
  .map(({ prefix, operator, price }) => ({ ...UNLIMITED, prefix, operator, priceMicros: toMicros(price) }))
const NUMBER = fc.constantFrom(
  ...['4915112345678', '4917112345678', '33612345678', '436601234567'].flatMap((phone) =>
    [null, phone.startsWith('49') ? '26201' : '20801', phone.startsWith('49') ? '26202' : null].map((operator) => ({
      phone: phone as Phone,
      operator,
    })),
  ),
)

test('a number costs the same as one of the list, with all rates and with some', () => {
  const rates = fc.uniqueArray(RATE, { selector: ({ prefix, operator }) => `${prefix} ${operator}`, maxLength: 12 })
  fc.assert(
    fc.property(rates, NUMBER, fc.infiniteStream(fc.boolean()), (all, number, keep) => {
      const some = all.filter(() => keep.next().value === true)
      const costs = (from: readonly Rate[], asked: typeof number) => {
        const table = new RateTable<Rate>()
        for (const rate of from) table.add(rate)
        return table.find(asked, NOW)?.priceMicros ?? null
      }
      const listed = [...distinctNumbers([...all, priced('')])].map(({ prefix, operator }) => [
        costs(all, { phone: prefix as Phone, operator }),
        costs(some, { phone: prefix as Phone, operator }),
      ])
      expect(listed).toContainEqual([costs(all, number), costs(some, number)])
    }),
  )
})
