/** The cache forgets the addresses of a message's parts with the message. */
import { expect, test } from 'vitest'
import { MessageCache } from '../../src/delivery/message-cache.ts'
import { buildMessage } from '../support/build-message.ts'
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
