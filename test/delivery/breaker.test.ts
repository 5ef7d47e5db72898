/** The waits of a breaker: doubled from five seconds to five minutes, and short again once the carrier has answered. */
import { expect, test } from 'vitest'
import { Breaker } from '../../src/delivery/breaker.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

function build() {
  const clock = new VirtualClock()
  const states: string[] = []
  const breaker: Breaker = new Breaker({
    clock,
    random: new SeededRandom(),
    onChange: () => states.push(breaker.state),
  })
  const failOnce = () => {
    breaker.begin()
    breaker.fail()
  }
  /** Seconds until it lets the next probe through. */
  const wait = () => {
    const openedAt = clock.now()
    clock.turnTo(clock.nextAt() ?? openedAt)
    return (clock.now() - openedAt) / 1_000
  }
  return { breaker, states, failOnce, wait }
}

test('each probe that fails doubles the wait, up to five minutes, less up to a fifth', () => {
  const { breaker, failOnce, wait } = build()
  for (let failure = 0; failure < 5; failure += 1) failOnce()
  for (const full of [5, 10, 20, 40, 80, 160, 300, 300]) {
    expect(breaker.mayTry).toBe(false)
    const seconds = wait()
    expect(seconds).toBeLessThanOrEqual(full)
    expect(seconds).toBeGreaterThanOrEqual(full * 0.8)
    expect(breaker.mayTry).toBe(true)
    failOnce()
  }
})

test('one probe at a time, and one answer closes it for good', () => {
  const { breaker, states, failOnce, wait } = build()
  for (let failure = 0; failure < 5; failure += 1) failOnce()
  // What was on the wire when it opened fails too, and does not make it wait longer.
  breaker.fail()
  wait()
  breaker.begin()
  expect(breaker.mayTry).toBe(false)
  breaker.succeed()
  expect(breaker.mayTry).toBe(true)
  expect(states).toEqual(['open', 'half-open', 'closed'])
  for (let failure = 0; failure < 4; failure += 1) failOnce()
  expect(breaker.state).toBe('closed')
  failOnce()
  expect(wait()).toBeLessThanOrEqual(5)
})
