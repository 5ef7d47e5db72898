/**
 * The queue of a carrier: what is on the wire or not yet recorded is never more than the window, long texts included.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CarrierQueue } from '../../src/delivery/carrier-queue.ts'
import type { MessageId } from '../../src/domain/message-id.ts'
import { turnLoop } from '../support/eventually.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const WINDOW = 10

test('messages of many parts start in their order and never go over the window', async () => {
  const weights = fc.array(fc.integer({ min: 1, max: WINDOW }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(weights, async (weightOf) => {
      const started: number[] = []
      const ends: (() => void)[] = []
      let inFlight = 0
      let most = 0
      const queue = new CarrierQueue({
        clock: new VirtualClock(),
        window: WINDOW,
        mayStart: () => true,
        start: async ({ id, weight }) => {
          started.push(id)
          inFlight += weight
          most = Math.max(most, inFlight)
          await new Promise<void>((end) => ends.push(end))
          inFlight -= weight
        },
        expire: () => {},
      })
      for (const [id, weight] of weightOf.entries())
        queue.push({ id: id as MessageId, tenant: 5, weight, deadlineAt: 1e15 })
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
        await turnLoop(2)
      }
      expect(started).toEqual(weightOf.map((_, id) => id))
      expect(most).toBeLessThanOrEqual(WINDOW)
    }),
  )
})

test('a queue that a carrier slowed down goes on after its wait, although the wall clock was set back by an hour', async () => {
  const clock = new VirtualClock()
  const started: number[] = []
  const queue = new CarrierQueue({
    clock,
    window: WINDOW,
    mayStart: () => true,
    start: async ({ id }) => void started.push(id),
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
