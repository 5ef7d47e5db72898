/** The queue of a sender with a rate: parts leave evenly, and what had to wait for its carrier makes no burst. */
import { expect, test } from 'vitest'
import type { QueueEntry } from '../../src/delivery/carriers/carrier-queue.ts'
import { SenderQueues, senderQueueId } from '../../src/delivery/carriers/sender-queues.ts'
import type { RatedSender } from '../../src/domain/accounts/sender.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import type { TrafficClass } from '../../src/domain/message/traffic-class.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const SENDER = { accountId: 1, channel: 'sms', name: '1234', perSecond: 2 } as RatedSender

function open(nodes = 1) {
  const clock = new VirtualClock()
  const released: number[] = []
  const expired: number[] = []
  const worker = {
    requeue: ({ id }: QueueEntry) => void released.push(id),
    expire: ({ id }: QueueEntry) => void expired.push(id),
  }
  const queues = new SenderQueues({ clock, nodes: () => nodes, maxWaiting: 4, lowerShare: 10 }, worker)
  return { clock, released, expired, queues, queue: queues.of(SENDER) }
}

function entry(id: number, weight = 1, deadlineAt = 1e15): QueueEntry {
  return { id: id as MessageId, tenant: 7, weight, deadlineAt, readAt: 0 }
}

test('messages leave in order, one of three parts takes the time of three, and nodes divide the rate', () => {
  const { clock, released, queue } = open(2)
  for (const [id, weight] of [1, 3, 1, 1].entries()) queue.push(entry(id, weight))
  const seen = [1_000, 1_000, 2_000, 1_000].map((wait) => {
    clock.advance(wait)
    return [...released]
  })
  expect(seen).toEqual([
    [0, 1],
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
  ])
})

test('messages that waited for their carrier start at the rate, however many were released', () => {
  const { clock, released, queue } = open()
  for (let id = 0; id < 10; id += 1) queue.push(entry(id))
  clock.advance(4_500)
  expect(released).toHaveLength(10)
  clock.advance(10_000)
  expect([queue.mayStart(entry(0)), queue.mayStart(entry(1))]).toEqual([true, false])
  clock.advance(499)
  expect(queue.mayStart(entry(1))).toBe(false)
  clock.advance(1)
  expect([queue.mayStart(entry(1)), queue.mayStart(entry(2))]).toEqual([true, false])
})

test('a full queue takes bulk from the store again once it is half empty, and codes at any time', () => {
  const { clock, expired, queues, queue } = open()
  for (let id = 0; id < 5; id += 1) queue.push(entry(id, 1, id === 4 ? clock.now() + 700 : 1e15))
  const hasRoom = (of: TrafficClass) => queues.withRoom([SENDER]).includes(senderQueueId(SENDER, of))
  expect([hasRoom('bulk'), hasRoom('otp')]).toEqual([false, true])
  clock.advance(500)
  expect(hasRoom('bulk')).toBe(false)
  clock.advance(200)
  expect([expired, hasRoom('bulk')]).toEqual([[4], true])
})
