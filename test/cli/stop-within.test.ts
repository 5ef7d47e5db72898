/** A gateway that something holds up ends all the same. */
import { expect, test } from 'vitest'
import { stopWithin } from '../../src/cli/run/stop-within.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test('after 55 seconds, with a failure', async () => {
  const clock = new VirtualClock()
  const stopped = expect(stopWithin(clock, new Promise<void>(() => {}))).rejects.toThrow(
    'the stop took longer than 55 s; open work is recovered as after a crash',
  )
  clock.advance(55_000)
  await stopped
})

test('a stop in time leaves no timer, and its failure is passed on', async () => {
  const clock = new VirtualClock()
  await stopWithin(clock, Promise.resolve())
  await expect(stopWithin(clock, Promise.reject(new Error('taken over')))).rejects.toThrow('taken over')
  expect(clock.nextAt()).toBeNull()
})
