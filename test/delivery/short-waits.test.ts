/** Reports that wait in memory for a few seconds come back on time, whatever becomes of the wall clock. */
import { expect, test } from 'vitest'
import { ShortWaits } from '../../src/delivery/reports/short-waits.ts'
import type { PendingReport } from '../../src/ports/records/pending-report.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test.each([3_600_000, 0, -3_600_000])('set back by %d ms', (milliseconds) => {
  const clock = new VirtualClock()
  const due: number[] = []
  const waits = new ShortWaits(clock, (reports) => due.push(...reports.map(({ number }) => number)))
  const report = (number: number) => ({ number }) as PendingReport
  waits.add(report(1), clock.now() + 5_000)
  clock.setBack(milliseconds)
  waits.add(report(2), clock.now() + 5_500)
  clock.advance(4_999)
  expect(due).toEqual([])
  clock.advance(251)
  expect(due).toEqual([1])
  clock.advance(500)
  expect(due).toEqual([1, 2])
})
