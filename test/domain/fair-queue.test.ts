import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue, type FairRules } from '../../src/domain/structures/fair-queue.ts'

interface Entry {
  readonly tenant: number
  readonly number: number
}

const BY_COUNT: FairRules<Entry> = { tenantOf: ({ tenant }) => tenant, costOf: () => 1, turnOf: () => 1 }

/** Takes out so many. */
function take(line: FairQueue<Entry>, count = line.length): Entry[] {
  return Array.from({ length: count }, () => {
    const { first } = line
    line.shift()
    return first as Entry
  })
}

const enter = (line: FairQueue<Entry>, tenant: number, count: number, from = 0) => {
  for (let number = from; number < from + count; number += 1) line.push({ tenant, number })
}

test('one tenant alone is served in its order', () => {
  const line = new FairQueue<Entry>(BY_COUNT)
  enter(line, 1, 5_000)
  expect(take(line).map(({ number }) => number)).toEqual(Array.from({ length: 5_000 }, (_, number) => number))
  expect(line.first).toBeUndefined()
  line.shift()
  expect(line.length).toBe(0)
})

test('an entry after a batch of another tenant leaves next, and its second one takes turns with the batch', () => {
  const line = new FairQueue<Entry>(BY_COUNT)
  enter(line, 1, 3_000)
  take(line, 1_500)
  enter(line, 2, 2)
  enter(line, 3, 1)
  expect(take(line, 6).map(({ tenant }) => tenant)).toEqual([2, 3, 1, 2, 1, 1])
})

test('an entry goes ahead only in the first turn of a tenant for which others wait', () => {
  const line = new FairQueue<Entry>(BY_COUNT)
  expect(line.isFirstAhead).toBe(false)
  enter(line, 1, 3)
  expect(line.isFirstAhead).toBe(false)
  take(line, 1)
  enter(line, 2, 2)
  const ahead: [tenant: number, isAhead: boolean][] = []
  while (line.first !== undefined) {
    const isAhead = line.isFirstAhead
    for (const { tenant } of take(line, 1)) ahead.push([tenant, isAhead])
  }
  expect(ahead).toEqual([
    [2, true],
    [1, false],
    [2, false],
    [1, false],
  ])
})

test('a tenant that leaves and returns has no more turns than one that stays', () => {
  const line = new FairQueue<Entry>(BY_COUNT)
  for (const account of [1, 2, 3]) enter(line, account, 100)
  take(line, 3)
  const accounts: number[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    if (!accounts.slice(-1).includes(4)) enter(line, 4, 1)
    accounts.push(...take(line, 1).map(({ tenant }) => tenant))
  }
  expect(accounts.slice(0, 8)).toEqual([4, 1, 2, 3, 4, 1, 2, 3])
  expect(accounts.filter((account) => account === 4)).toHaveLength(10)
})

test('no entry is lost or passed over, in any order of pushes, shifts, returns and removals', () => {
  const action = fc.oneof(
    fc.record({ tenant: fc.integer({ min: 1, max: 15 }) }),
    fc.constantFrom('take', 'put back', 'remove some'),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), fc.boolean(), (actions, removesRest) => {
      const line = new FairQueue<Entry>(BY_COUNT)
      const left: Entry[] = []
      const removed: Entry[] = []
      let entered = 0
      for (const each of actions) {
        if (typeof each === 'object') {
          line.push({ tenant: each.tenant, number: entered++ })
        } else if (each === 'remove some') {
          removed.push(...line.remove(({ tenant, number }) => (tenant + number) % 5 === 0))
        } else if (line.length > 0) {
          const [entry] = take(line, 1) as [Entry]
          if (each === 'take') left.push(entry)
          else line.putBack(entry, ({ number }) => number > entry.number)
        }
      }
      expect(line.length).toBe(entered - left.length - removed.length)
      expect([...line]).toHaveLength(line.length)
      left.push(...(removesRest ? line.remove(() => true) : take(line)))
      expect(line.length).toBe(0)
      expect(line.first).toBeUndefined()
      const all = [...left, ...removed].map(({ number }) => number)
      expect(all.toSorted((a, b) => a - b)).toEqual([...Array(entered).keys()])
      for (let tenant = 1; tenant <= 15; tenant += 1) {
        const own = left.filter((entry) => entry.tenant === tenant).map(({ number }) => number)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
    }),
  )
})

test('an entry that is put back has its place again, but not its turn', () => {
  const line = new FairQueue<Entry>(BY_COUNT)
  enter(line, 1, 3)
  enter(line, 2, 2)
  const [first, second, third] = take(line, 3) as [Entry, Entry, Entry]
  expect([first, second, third].map(({ number }) => number)).toEqual([0, 0, 1])
  for (const entry of [third, first]) line.putBack(entry, ({ number }) => number > entry.number)
  const rest = take(line).map(({ tenant, number }) => [tenant, number])
  expect(rest).toEqual([
    [2, 1],
    [1, 0],
    [1, 1],
    [1, 2],
  ])
})

const bySize = () =>
  new FairQueue<{ tenant: number; cost: number }>({
    tenantOf: ({ tenant }) => tenant,
    costOf: ({ cost }) => cost,
    turnOf: (tenant) => (tenant === 9 ? 30 : 10),
  })

test('a tenant whose entry is larger than its turn sits out the turns that it used up', () => {
  const queue = bySize()
  for (let index = 0; index < 2; index += 1) queue.push({ tenant: 1, cost: 40 })
  for (let index = 0; index < 50; index += 1) queue.push({ tenant: 2, cost: 1 })
  const left = Array.from({ length: 52 }, () => {
    const { first } = queue
    queue.shift()
    return first?.tenant
  })
  expect([left.indexOf(1), left.lastIndexOf(1)]).toEqual([0, 41])
})

test('a tenant that was served ahead of its turns is not let off for having nothing in the queue for a moment', () => {
  const queue = bySize()
  const next = () => {
    const tenant = queue.first?.tenant
    queue.shift()
    return tenant
  }
  for (let index = 0; index < 40; index += 1) queue.push({ tenant: 2, cost: 10 })
  queue.push({ tenant: 1, cost: 40 })
  expect([next(), next()]).toEqual([2, 1])
  queue.push({ tenant: 1, cost: 40 })
  expect([next(), next(), next(), next(), next()]).toEqual([2, 2, 2, 2, 1])
})

test('a tenant with a longer turn is served in proportion', () => {
  const queue = bySize()
  for (let index = 0; index < 100; index += 1) for (const tenant of [1, 9]) queue.push({ tenant, cost: 2 })
  const left = Array.from({ length: 80 }, () => {
    const { first } = queue
    queue.shift()
    return first?.tenant
  })
  expect(left.filter((tenant) => tenant === 9)).toHaveLength(60)
})
