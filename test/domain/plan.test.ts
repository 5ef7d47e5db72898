import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginJourney, holdOf } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { BEGINNING, buildStep } from '../support/build-message.ts'

test('the hold of a plan pays any of its steps, and is not more than its most expensive one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (prices) => {
      const plan = prices.map((price) => buildStep('sms', { priceMicros: toMicros(price) }))
      const hold = holdOf(plan)
      expect(prices).toContain(hold)
      for (const price of prices) expect(price).toBeLessThanOrEqual(hold)
      expect(beginJourney(plan, BEGINNING).heldMicros).toBe(hold)
    }),
  )
})

test('a journey begins with its first step alone, in as many open parts as it has, and without a plan not at all', () => {
  const plan = [buildStep('sms', { parts: 3, lifetimeSeconds: 60 }), buildStep('rcs')]
  expect(beginJourney(plan, BEGINNING)).toMatchObject({
    step: 0,
    phase: 'open',
    dueAt: BEGINNING,
    deadlineAt: BEGINNING + 60_000,
    steps: [{ status: 'QUEUED', at: BEGINNING, parts: Array(3).fill({ state: 'open', ref: null }) }],
  })
  expect(() => beginJourney([], BEGINNING)).toThrow(RangeError)
})
