/** The rules of operator changes, without a database: what they request of it. */
import { expect, test } from 'vitest'
import { setTariff } from '../../src/stores/changes/prices.ts'
import { buildPrice } from '../support/build-price.ts'

test('a tariff of half a million prices is written in one step', () => {
  const prices = Array.from({ length: 500_000 }, (_, index) => buildPrice({ prefix: String(1_000_000 + index) }))
  const rule = setTariff(null, 'EUR', prices)
  expect(rule.next().value).toMatchObject({ step: 'remove', table: 'price' })
  expect(rule.next({ count: 0 }).value).toMatchObject({ step: 'put', table: 'price', rows: { length: 500_000 } })
})
