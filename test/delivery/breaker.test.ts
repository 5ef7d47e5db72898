/**
 * The waits of a breaker: doubled from five seconds to five minutes, and short again once the carrier has answered; and
 * how slow answers open it.
 */
import { expect, test } from 'vitest'
import { Breaker } from '../../src/delivery/carriers/breaker.ts'
import type { DegradedAfter } from '../../src/ports/carriers/carrier.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

function build(degradedAfter?: DegradedAfter) {
  const clock = new VirtualClock()
  const states: string[] = []
  const breaker: Breaker = new Breaker({
    clock,
    random: new SeededRandom(),
    onChange: () => states.push(breaker.state),
    degradedAfter,
  })
  const failOnce = () => {
    breaker.begin()
    breaker.fail('no answer')
  }
  /** Seconds until it lets the next probe through. */
  const wait = () => {
    const openedAt = clock.now()
    clock.turnTo(clock.nextAt() ?? openedAt)
    return (clock.now() - openedAt) / 1_000
  }
  return { clock, breaker, states, failOnce, wait }
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
  breaker.fail('no answer')
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

test('so many slow answers in a row open it, with the first moment and the last reason; a success in between does not', () => {
  const { clock, breaker, wait } = build()
  for (let answer = 0; answer < 4; answer += 1) expect(breaker.slow('busy')).toBe(false)
  breaker.succeed()
  for (let answer = 0; answer < 4; answer += 1) expect(breaker.slow('busy')).toBe(false)
  expect(breaker.degraded).toBeNull()
  const since = clock.now()
  expect(breaker.slow('busy')).toBe(true)
  expect(breaker.degraded).toEqual({ since, reason: 'busy', slow: true })
  wait()
  expect(breaker.mayTry).toBe(true)
  breaker.begin()
  expect(breaker.slow('still busy')).toBe(true)
  expect(breaker.degraded).toEqual({ since, reason: 'still busy', slow: true })
  breaker.succeed()
  expect(breaker.degraded).toBeNull()
  expect(breaker.state).toBe('closed')
})

test('so do two that lie seconds apart, as the carrier is set', () => {
  const { clock, breaker } = build({ answers: 100, seconds: 30 })
  breaker.slow('busy')
  clock.advance(29_000)
  expect(breaker.slow('busy')).toBe(false)
  clock.setBack(3_600_000)
  clock.advance(1_000)
  expect(breaker.slow('busy')).toBe(true)
})

test('a carrier that stays slow is asked again at least every minute', () => {
  const { breaker, wait } = build({ answers: 1, seconds: 5 })
  breaker.slow('busy')
  for (const full of [5, 10, 20, 40, 60, 60]) {
    expect(wait()).toBeLessThanOrEqual(full)
    breaker.begin()
    breaker.slow('busy')
  }
})

test('an account that can send nothing is tried after a minute, up to ten, and only the answer to the trial closes it', () => {
  const { breaker, wait } = build()
  breaker.fail('no answer')
  breaker.hold('no credit')
  expect(breaker.degraded).toMatchObject({ reason: 'no credit', account: true })
  // What was on the wire when it opened.
  breaker.hold('no credit')
  breaker.succeed()
  for (const full of [60, 120, 240, 480, 600, 600]) {
    expect(breaker.mayTry).toBe(false)
    const seconds = wait()
    expect(seconds).toBeLessThanOrEqual(full)
    expect(seconds).toBeGreaterThanOrEqual(full * 0.8)
    breaker.begin()
    if (full % 240 === 0) breaker.fail('no answer')
    else breaker.hold('no credit')
  }
  expect(breaker.degraded).toMatchObject({ reason: 'no credit', account: true })
  breaker.tryNow()
  breaker.begin()
  breaker.succeed()
  expect(breaker.degraded).toBeNull()
  breaker.hold('no credit')
  expect(wait()).toBeLessThanOrEqual(60)
})
