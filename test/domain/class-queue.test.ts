import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import { ClassQueue } from '../../src/domain/message/class-queue.ts'
import { classOfTenant, tenantOfClass } from '../../src/domain/message/message.ts'
import { TRAFFIC_CLASSES, type TrafficClass } from '../../src/domain/message/traffic-class.ts'

interface Entry {
  readonly tenant: number
  readonly number: number
}

const tenant = (account: number, of: TrafficClass) => tenantOfClass(account as AccountId, of)

function enter(queue: ClassQueue<Entry>, account: number, of: TrafficClass, count: number): void {
  for (let number = 0; number < count; number += 1) queue.push({ tenant: tenant(account, of), number })
}

function take(queue: ClassQueue<Entry>, count = queue.length): Entry[] {
  return Array.from({ length: count }, () => {
    const { first } = queue
    queue.shift()
    return first as Entry
  })
}

const classesOf = (entries: readonly Entry[]) => entries.map((entry) => classOfTenant(entry.tenant))

test('a code of any account leaves next, however many others wait', () => {
  const queue = new ClassQueue<Entry>(10)
  enter(queue, 1, 'bulk', 5_000)
  enter(queue, 2, 'transactional', 100)
  take(queue, 2_000)
  for (const account of [1, 2, 3]) {
    enter(queue, account, 'otp', 1)
    expect(queue.isFirstAhead).toBe(true)
    expect(queue.first?.tenant).toBe(tenant(account, 'otp'))
    queue.shift()
  }
})

test.each([
  [10, [800, 100, 100]],
  [40, [200, 400, 400]],
  [0, [1_000, 0, 0]],
])('with a share of %d, a flood of codes leaves that of each 100 places to each lower class', (share, expected) => {
  const queue = new ClassQueue<Entry>(share)
  for (const each of TRAFFIC_CLASSES) enter(queue, 1, each, 2_000)
  // The first of them comes once it has been passed over often enough.
  take(queue, 20)
  const left = classesOf(take(queue, 1_000))
  expect(TRAFFIC_CLASSES.map((each) => left.filter((one) => one === each).length)).toEqual(expected)
})

test('a class that waited alone has saved no places when a higher one comes', () => {
  const queue = new ClassQueue<Entry>(10)
  enter(queue, 1, 'bulk', 1_000)
  take(queue, 900)
  enter(queue, 2, 'otp', 9)
  expect(classesOf(take(queue, 9))).toEqual(Array(9).fill('otp'))
})

test('the codes of an account that has many do not delay those of another one', () => {
  const queue = new ClassQueue<Entry>(10)
  enter(queue, 1, 'otp', 1_000)
  take(queue, 10)
  enter(queue, 2, 'otp', 3)
  const accounts = take(queue, 6).map((entry) => Math.floor(entry.tenant / 4))
  expect(accounts).toEqual([2, 1, 2, 1, 2, 1])
})

test('no entry is lost or passed over within its account and class, in any order of what happens', () => {
  const action = fc.oneof(
    fc.record({ account: fc.integer({ min: 1, max: 3 }), of: fc.constantFrom(...TRAFFIC_CLASSES) }),
    fc.constantFrom('take', 'put back', 'remove some'),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), fc.integer({ min: 0, max: 40 }), (actions, share) => {
      const queue = new ClassQueue<Entry>(share)
      const [left, removed]: [Entry[], Entry[]] = [[], []]
      let entered = 0
      for (const each of actions) {
        if (typeof each === 'object') {
          queue.push({ tenant: tenant(each.account, each.of), number: entered++ })
        } else if (each === 'remove some') {
          removed.push(...queue.remove(({ number }) => number % 5 === 0))
        } else if (queue.length > 0) {
          const [entry] = take(queue, 1) as [Entry]
          if (each === 'take') left.push(entry)
          else queue.putBack(entry, ({ number }) => number > entry.number)
        }
      }
      expect([...queue]).toHaveLength(queue.length)
      left.push(...take(queue))
      expect(queue.first).toBeUndefined()
      const all = [...left, ...removed].map(({ number }) => number)
      expect(all.toSorted((a, b) => a - b)).toEqual([...Array(entered).keys()])
      for (const own of Map.groupBy(left, (entry) => entry.tenant).values()) {
        const numbers = own.map(({ number }) => number)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      }
    }),
  )
})
