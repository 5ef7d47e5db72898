import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, monthAfter, monthOf, readMonth, writeMonth } from '../../src/domain/time/month.ts'

test('a moment is in its month, from the first millisecond to the last, in UTC', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
      const month = monthOf(date.getTime())
      const [begin, end] = [beginningOf(month), beginningOf(monthAfter(month))]
      expect(begin).toBeLessThanOrEqual(date.getTime())
      expect(end).toBeGreaterThan(date.getTime())
      expect(monthOf(begin)).toBe(month)
      expect(monthOf(end - 1)).toBe(month)
      expect(writeMonth(month)).toBe(date.toISOString().slice(0, 7))
      expect(readMonth(writeMonth(month))).toBe(month)
    }),
  )
})

test.each(['', '2026', '2026-13', '2026-00', '2026-1', '202611', ' 2026-11', '1999-12'])('%j is no month', (text) => {
  expect(readMonth(text)).toBeNull()
})
