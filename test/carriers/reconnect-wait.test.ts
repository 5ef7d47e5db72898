/** The waits before a lost peer is tried again: growing, and reset only after a connection that lasted. */
import { expect, test } from 'vitest'
import { ReconnectWait } from '../../src/carriers/shared/reconnect-wait.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** Returns 0, so that the waits are not shortened. */
const random = { below: () => 0, bytes: (count: number) => new Uint8Array(count) }

test('the waits grow for a peer that accepts every connection and closes it at once', () => {
  const clock = new VirtualClock()
  const wait = new ReconnectWait({ clock, random }, 60_000)
  const waits = Array.from({ length: 8 }, () => {
    wait.connected()
    return wait.lost()
  })
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
})

test('the wait is short after a connection that lasted, whatever the wall clock says', () => {
  const clock = new VirtualClock()
  const wait = new ReconnectWait({ clock, random }, 60_000)
  for (let lost = 0; lost < 5; lost += 1) wait.lost()
  wait.connected()
  clock.setBack(3_600_000)
  clock.advance(32_000)
  expect(wait.lost()).toBe(1_000)
})

test('a connection has to last five seconds to reset the wait', () => {
  const clock = new VirtualClock()
  const wait = new ReconnectWait({ clock, random }, 60_000)
  const lasts = (milliseconds: number) => {
    wait.connected()
    clock.advance(milliseconds)
    return wait.lost()
  }
  expect([4_999, 4_999, 4_999, 5_000, 0].map(lasts)).toEqual([1_000, 2_000, 4_000, 1_000, 2_000])
})
