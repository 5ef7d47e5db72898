import { expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { MessageIds } from '../../src/operations/request/message-ids.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

/** A store's counter, of which other nodes take as well; keeps what was given out here. */
class Counter {
  next = 1
  readonly given: { readonly first: number; readonly count: number }[] = []

  gave(id: number): boolean {
    const counter = Math.floor(id / 64)
    return this.given.some(({ first, count }) => counter >= first && counter < first + count)
  }

  async reserveIds(count: number): Promise<number> {
    const first = this.next
    this.given.push({ first, count })
    this.next += count + 1_000
    return first
  }
}

test('a store is asked once for thousands of ids, and ahead of need', async () => {
  const counter = new Counter()
  const ids = new MessageIds(counter, new VirtualClock(0))
  const account = toAccountId(7)
  const seen = new Set<number>()
  for (let round = 0; round < 40_000; round += 1) {
    while (ids.left === 0) await ids.refill(1)
    const id = ids.next(account)
    if (id % 64 === 7 && counter.gave(id)) seen.add(id)
    if (round % 1_000 === 0) await Promise.resolve()
  }
  expect(seen.size).toBe(40_000)
  expect(counter.given.length).toBeLessThan(8)
})

test('requests that wait together for more than a block get ids of their own', async () => {
  const ids = new MessageIds(new Counter(), new VirtualClock(0))
  const account = toAccountId(64)
  const batches = await Promise.all(
    [20_000, 20_000, 5].map(async (count) => {
      while (ids.left < count) await ids.refill(count)
      return Array.from({ length: count }, () => ids.next(account))
    }),
  )
  expect(new Set(batches.flat()).size).toBe(40_005)
})

test('what was reserved long ago is not used, so that ids follow time', async () => {
  const [counter, clock] = [new Counter(), new VirtualClock(0)]
  const ids = new MessageIds(counter, clock)
  await ids.refill(1)
  ids.next(toAccountId(7))
  clock.turnTo(600_000)
  expect(ids.left).toBe(0)
  await ids.refill(1)
  expect(Math.floor(ids.next(toAccountId(7)) / 64)).toBe(counter.given[1]?.first)
})
