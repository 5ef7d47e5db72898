import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/account.ts'
import { MessageIds } from '../../src/operations/message-ids.ts'

/** A store's counter, and how often it was asked. */
class Counter {
  next = 1
  asked: number[] = []

  async reserveIds(count: number): Promise<number> {
    this.asked.push(count)
    const first = this.next
    this.next += count
    return first
  }
}

test('a store is asked once for thousands of ids, and ahead of need', async () => {
  const counter = new Counter()
  const ids = new MessageIds(counter)
  const account = toAccountId(7)
  const seen = new Set<number>()
  for (let round = 0; round < 40_000; round += 1) {
    while (ids.left === 0) await ids.refill(1)
    const id = ids.next(account)
    expect(id % 64).toBe(7)
    seen.add(id)
    if (round % 1_000 === 0) await Promise.resolve()
  }
  expect(seen.size).toBe(40_000)
  expect(counter.asked.length).toBeLessThan(8)
})

test('requests that wait together for more than a block get ids of their own', async () => {
  const ids = new MessageIds(new Counter())
  const account = toAccountId(64)
  const batches = await Promise.all(
    [20_000, 20_000, 5].map(async (count) => {
      while (ids.left < count) await ids.refill(count)
      return Array.from({ length: count }, () => ids.next(account))
    }),
  )
  expect(new Set(batches.flat()).size).toBe(40_005)
})
