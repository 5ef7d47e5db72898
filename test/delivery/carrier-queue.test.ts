/**
 * The queue of a carrier: what is on the wire or not yet recorded is never more than the window, long texts included.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CarrierQueue } from '../../src/delivery/carrier-queue.ts'
import type { MessageId } from '../../src/domain/message-id.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const WINDOW = 10

test('messages of many parts start in their order and never go over the window', () => {
  const weights = fc.array(fc.integer({ min: 1, max: WINDOW }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(weights, (weightOf) => {
      const started: number[] = []
      const ends: (() => void)[] = []
      let inFlight = 0
      let most = 0
      const queue: CarrierQueue = new CarrierQueue({
        clock: new VirtualClock(),
        window: WINDOW,
        mayStart: () => true,
        start: (entry) => {
          started.push(entry.id)
          inFlight += entry.weight
          most = Math.max(most, inFlight)
          ends.push(() => {
            inFlight -= entry.weight
            queue.ended(entry)
          })
          return true
        },
        expire: () => {},
      })
      for (const [id, weight] of weightOf.entries())
        queue.push({ id: id as MessageId, tenant: 5, weight, deadlineAt: 1e15 })
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
      }
      expect(started).toEqual(weightOf.map((_, id) => id))
      expect(most).toBeLessThanOrEqual(WINDOW)
    }),
  )
})

test('a queue that a carrier slowed down goes on after its wait, although the wall clock was set back by an hour', () => {
  const clock = new VirtualClock()
  const started: number[] = []
  const queue = new CarrierQueue({
    clock,
    window: WINDOW,
    mayStart: () => true,
    start: ({ id }) => started.push(id) > 0,
    expire: () => {},
  })
  queue.pause(2_000)
  queue.push({ id: 1 as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15 })
  clock.setBack(3_600_000)
  clock.advance(1_999)
  expect(started).toEqual([])
  clock.advance(1)
  expect(started).toEqual([1])
})

test('a message that is not to be sent any more takes no place in the window', () => {
  const started: number[] = []
  const queue: CarrierQueue = new CarrierQueue({
    clock: new VirtualClock(),
    window: 1,
    mayStart: () => true,
    start: ({ id }) => started.push(id) === 3,
    expire: () => {},
  })
  const entries = [1, 2, 3, 4].map((id) => ({ id: id as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15 }))
  for (const entry of entries) queue.push(entry)
  expect(started).toEqual([1, 2, 3])
  queue.ended({ id: 3 as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15 })
  expect(started).toEqual([1, 2, 3, 4])
  expect([queue.inFlight, queue.length]).toEqual([0, 0])
})
