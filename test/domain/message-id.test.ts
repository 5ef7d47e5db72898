import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import {
  BUCKETS,
  bucketOf,
  bucketOfMessage,
  LAST_COUNTER,
  makeMessageId,
  parseMessageId,
} from '../../src/domain/ids/message-id.ts'

const counter = fc.integer({ min: 1, max: LAST_COUNTER })
const account = fc.integer({ min: 1, max: 2 ** 31 }).map(toAccountId)

test('an id is a safe positive number that names its account’s bucket and reads back from its digits', () => {
  fc.assert(
    fc.property(counter, account, (count, sender) => {
      const id = makeMessageId(count, sender)
      expect(Number.isSafeInteger(id)).toBe(true)
      expect(id).toBeGreaterThan(0)
      expect(bucketOfMessage(id)).toBe(bucketOf(sender))
      expect(parseMessageId(String(id))).toBe(id)
    }),
  )
})

test('ids of different counters differ and increase with them, for every account', () => {
  fc.assert(
    fc.property(counter, counter, account, account, (one, other, sender, another) => {
      fc.pre(one < other)
      expect(makeMessageId(one, sender)).toBeLessThan(makeMessageId(other, another))
    }),
  )
})

test('the first and the last counter make ids, what lies beyond does not', () => {
  const sender = toAccountId(BUCKETS - 1)
  expect(makeMessageId(1, sender)).toBe(127)
  expect(makeMessageId(LAST_COUNTER, sender)).toBe(Number.MAX_SAFE_INTEGER)
  for (const wrong of [0, -1, 1.5, Number.NaN, LAST_COUNTER + 1]) {
    expect(() => makeMessageId(wrong, sender)).toThrow(RangeError)
  }
})

test.each(['', '0', '63', '-64', '64.0', '6e4', ' 64', '64 ', '0x40', '9007199254740992', '99999999999999999', 'abc'])(
  '%j is not an id',
  (text) => {
    expect(parseMessageId(text)).toBeNull()
  },
)
