/** The cache forgets the addresses of a message's parts with the message. */
import { expect, test } from 'vitest'
import { MessageCache } from '../../src/delivery/turns/message-cache.ts'
import { buildMessage, buildStep } from '../support/build-message.ts'
import { taken } from '../support/make-turn.ts'

test('a part that two carriers took has two addresses, and none once its message is dropped', () => {
  const cache = new MessageCache({ maxHeld: 10, maxKept: 1 })
  const { message } = taken(buildMessage(), ['first'])
  const carrierId = message.journey.steps[0]?.carrierId ?? ''
  const address = { messageId: message.id, step: 0, part: 0 }
  cache.put(message, true)
  cache.learnAddress(carrierId, 'first', address)
  cache.learnAddress(carrierId, 'second', address)
  cache.learnAddress('other', 'first', address)
  cache.put(message, false)
  expect(cache.addressOf(carrierId, 'second')).toEqual(address)
  expect(cache.addressCount).toBe(3)
  cache.drop(message.id)
  expect(cache.addressCount).toBe(0)
  cache.learnAddress(carrierId, 'late', address)
  expect(cache.addressCount).toBe(0)
})

test('rich contents count as the messages whose memory they take', () => {
  const rich = { type: 'card', title: 'Shoes', description: 'x'.repeat(1_500), suggestions: [] } as const
  const step = buildStep('rcs', { content: { kind: 'text', text: 'Shoes', rich } })
  const large = (counter: number) => buildMessage({ counter, plan: [step] })
  const cache = new MessageCache({ maxHeld: 6, maxKept: 6 })
  cache.put(large(1), true)
  expect(cache.freeFor('rcs')).toBe(4)
  cache.put(large(2), true)
  expect(cache.freeFor('rcs')).toBe(2)
  cache.drop(large(1).id)
  expect(cache.freeFor('rcs')).toBe(4)
  for (const counter of [3, 4, 5, 6]) cache.put(large(counter), false)
  expect([3, 4, 5, 6].map((counter) => cache.get(large(counter).id) === undefined)).toEqual([true, false, false, false])
})
