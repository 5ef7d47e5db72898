/** Operator changes of any size: a rule does its work in slices. */
import { expect, test } from 'vitest'
import { GENERAL_PRICES } from '../../src/domain/money/price.ts'
import { setPrices, setTariff } from '../../src/stores/changes/prices.ts'
import type { RowStep } from '../../src/stores/changes/row-step.ts'
import { buildPrice } from '../support/build-price.ts'

test('a tariff of half a million prices is checked and written in slices of a thousand', () => {
  const prices = Array.from({ length: 500_000 }, (_, index) => buildPrice({ prefix: String(1_000_000 + index) }))
  const rule = setTariff(GENERAL_PRICES, 'EUR', prices)
  const steps: RowStep[] = []
  for (let next = rule.next(); next.done !== true; next = rule.next({ count: 0, rows: [[1]] })) steps.push(next.value)
  expect(steps.filter(({ step }) => step === 'pause').length).toBeGreaterThanOrEqual(500)
  const written = steps.flatMap((each) => (each.step === 'put' ? each.rows.length : []))
  expect(Math.max(...written)).toBe(1_000)
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBe(500_000)
})

test('the prices of one destination at many times look for those stored once', () => {
  const prices = Array.from({ length: 3_000 }, (_, hour) => {
    return buildPrice({ from: hour * 3_600_000, until: (hour + 1) * 3_600_000 })
  })
  const rule = setPrices(prices)
  const sought: number[] = []
  for (let next = rule.next(); next.done !== true; ) {
    if (next.value.step === 'find' && next.value.table === 'price') sought.push(next.value.where.length)
    next = rule.next({ count: 0, rows: next.value.step === 'find' && next.value.table !== 'price' ? [[1]] : [] })
  }
  expect(sought).toEqual([1, 1, 1])
})
