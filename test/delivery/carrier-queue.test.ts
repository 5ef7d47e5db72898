/**
 * The queue of a carrier: what is on the wire or not yet recorded is never more than the window, long texts included.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CarrierQueue } from '../../src/delivery/carriers/carrier-queue.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
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
        lowerShare: 10,
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
        queue.push({ id: id as MessageId, tenant: 5, weight, deadlineAt: 1e15, readAt: 0 })
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
    lowerShare: 10,
    mayStart: () => true,
    start: ({ id }) => started.push(id) > 0,
    expire: () => {},
  })
  queue.pause(2_000)
  queue.push({ id: 1 as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15, readAt: 0 })
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
    lowerShare: 10,
    mayStart: () => true,
    start: ({ id }) => started.push(id) === 3,
    expire: () => {},
  })
  const entries = [1, 2, 3, 4].map((id) => ({ id: id as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15, readAt: 0 }))
  for (const entry of entries) queue.push(entry)
  expect(started).toEqual([1, 2, 3])
  queue.ended({ id: 3 as MessageId, tenant: 5, weight: 1, deadlineAt: 1e15, readAt: 0 })
  expect(started).toEqual([1, 2, 3, 4])
  expect([queue.inFlight, queue.length]).toEqual([0, 0])
})

describe('a reserved part of the window', () => {
  const entryOf = (id: number, account: number, weight = 1) => ({
    ...{ id: id as MessageId, tenant: 4 * account + 2 },
    ...{ weight, deadlineAt: 1e15, readAt: 0 },
  })

  function fill(weights: readonly number[], window = 10) {
    const started: number[] = []
    const queue = new CarrierQueue({
      clock: new VirtualClock(),
      ...{ window, reserved: 2, lowerShare: 10 },
      mayStart: () => true,
      start: ({ id }) => started.push(id) > 0,
      expire: () => {},
    })
    for (const [id, weight] of weights.entries()) queue.push(entryOf(id, 1, weight))
    return { started, queue }
  }

  test('is kept from an account with a backlog, and taken by one that had nothing waiting', () => {
    const { started, queue } = fill(Array.from({ length: 20 }, () => 1))
    expect([started.length, queue.inFlight]).toEqual([8, 8])
    queue.ended(entryOf(0, 1))
    for (const id of [100, 101, 102]) queue.push(entryOf(id, id))
    expect(started.slice(8)).toEqual([8, 100, 101])
    queue.ended(entryOf(1, 1))
    expect(started.slice(11)).toEqual([102])
    for (const id of [2, 3]) queue.ended(entryOf(id, 1))
    expect(started).toHaveLength(12)
    queue.ended(entryOf(100, 100))
    expect(started.slice(12)).toEqual([9])
  })

  test('is not kept from a message with more parts than the rest of the window has, once nothing else is under way', () => {
    const { started, queue } = fill([1, 10])
    expect(started).toEqual([0])
    queue.ended(entryOf(0, 1))
    expect(started).toEqual([0, 1])
  })
})
