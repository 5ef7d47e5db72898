/** Lines of the statistics of calls and verifications are made of the store's totals. */
import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { type CallTotal, callDay, drawCallLines, drawVerifyLines } from '../../src/domain/statistics/call-statistics.ts'

const total = (carrierId: string, outcome: CallTotal['outcome'], calls: number, ringMs = 0): CallTotal => ({
  ...{ day: null, accountId: toAccountId(1), carrierId, operator: null },
  ...{ outcome, calls, ringMs },
})

test('one line for each place: what was placed is how calls began, and the ringing that of those that ended', () => {
  const [first, second, ...others] = drawCallLines([
    total('a', 'answered', 1, 1_000),
    total('a', 'busy', 2),
    total('a', 'failed', 3),
    total('a', 'rang', 4),
    total('a', 'unanswered', 2, 6_500),
    total('b', 'wrong number', 1),
  ])
  expect(others).toEqual([])
  expect(first).toMatchObject({ accountId: 1, carrierId: 'a', placed: 9, meanRingMs: 2_500 })
  expect(first?.counts).toMatchObject({ rang: 4, answered: 1, unanswered: 2, busy: 2, failed: 3, declined: 0, off: 0 })
  expect(second).toMatchObject({ carrierId: 'b', placed: 1, meanRingMs: null })
  expect(drawCallLines([])).toEqual([])
})

test('verifications have lines of their own, with the mean time of those that were approved', () => {
  const totals = [
    total('a', 'rang', 4),
    total('a', 'verify approved', 3, 60_000),
    total('a', 'verify expired', 1),
    total('b', 'verify too_many', 2),
  ]
  expect(drawVerifyLines(totals)).toMatchObject([
    { carrierId: 'a', started: 4, counts: { approved: 3, expired: 1, too_many: 0, failed: 0 }, meanMs: 20_000 },
    { carrierId: 'b', started: 2, counts: { approved: 0, too_many: 2 }, meanMs: null },
  ])
  expect(drawCallLines(totals)).toMatchObject([{ carrierId: 'a', placed: 4 }])
})

test('a day is one of UTC', () => {
  expect(callDay(Date.UTC(2026, 0, 2) - 1)).toBe(callDay(Date.UTC(2026, 0, 1)))
  expect(callDay(Date.UTC(2026, 0, 2))).toBe(callDay(Date.UTC(2026, 0, 1)) + 1)
})
