/** A rate is of the last ten seconds: right while it is steady, gone ten seconds after the last of it. */
import { expect, test } from 'vitest'
import { RateMeter } from '../../src/delivery/carriers/rate-meter.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('follows the rate of its counts, and drops old counts', () => {
  const clock = new VirtualClock()
  const meter = new RateMeter(clock)
  expect(meter.perSecond).toBe(0)
  meter.add(50)
  expect(meter.perSecond).toBe(5)
  for (let tenth = 0; tenth < 250; tenth += 1) {
    clock.advance(100)
    meter.add(2)
  }
  expect(meter.perSecond).toBeCloseTo(20, 0)
  clock.advance(5_000)
  expect(meter.perSecond).toBeGreaterThan(8)
  expect(meter.perSecond).toBeLessThan(12)
  clock.advance(6_000)
  expect(meter.perSecond).toBe(0)
})

test('does not notice that the wall clock was set back', () => {
  const clock = new VirtualClock()
  const meter = new RateMeter(clock)
  meter.add(40)
  clock.setBack(3_600_000)
  meter.add(10)
  expect(meter.perSecond).toBe(5)
  clock.advance(11_000)
  expect(meter.perSecond).toBe(0)
})
