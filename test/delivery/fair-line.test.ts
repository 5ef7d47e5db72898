import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairLine } from '../../src/delivery/fair-line.ts'

interface Entry {
  readonly tenant: number
  readonly number: number
}

/** Takes out so many. */
function take(line: FairLine<Entry>, count = line.length): Entry[] {
  return Array.from({ length: count }, () => {
    const { first } = line
    line.shift()
    return first as Entry
  })
}

/** The second class of that account. */
const tenantOf = (account: number) => 4 * account + 2

const enter = (line: FairLine<Entry>, account: number, count: number, from = 0) => {
  for (let number = from; number < from + count; number += 1) line.push({ tenant: tenantOf(account), number })
}

test('one tenant alone is served in its order', () => {
  const line = new FairLine<Entry>()
  enter(line, 1, 5_000)
  expect(take(line).map(({ number }) => number)).toEqual(Array.from({ length: 5_000 }, (_, number) => number))
  expect(line.first).toBeUndefined()
  line.shift()
  expect(line.length).toBe(0)
})

test('whoever comes after a crowd waits for one of it, and not for all', () => {
  const line = new FairLine<Entry>()
  enter(line, 1, 3_000)
  take(line, 1_500)
  enter(line, 2, 2)
  enter(line, 3, 1)
  expect(take(line, 6).map(({ tenant }) => tenant)).toEqual([1, 2, 3, 1, 2, 1].map(tenantOf))
})

test('nobody is lost or passed over, in any order of coming and going', () => {
  const deed = fc.oneof(
    fc.record({ tenant: fc.integer({ min: 1, max: 15 }).filter((tenant) => tenant % 4 > 0) }),
    fc.constant('take' as const),
  )
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 200 }), fc.boolean(), (deeds, clears) => {
      const line = new FairLine<Entry>()
      const left: Entry[] = []
      let entered = 0
      for (const each of deeds) {
        if (each === 'take') left.push(...take(line, Math.min(1, line.length)))
        else line.push({ tenant: each.tenant, number: entered++ })
      }
      expect(line.length).toBe(entered - left.length)
      left.push(...(clears ? line.clear() : take(line)))
      expect(line.length).toBe(0)
      expect(left.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([...Array(entered).keys()])
      for (let tenant = 1; tenant <= 15; tenant += 1) {
        const own = left.filter((entry) => entry.tenant === tenant).map(({ number }) => number)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
    }),
  )
})

test('the classes of one account share its turns by weight, and none of them starves', () => {
  const line = new FairLine<Entry>()
  const [otp, transactional, bulk] = [5, 6, 7]
  for (const tenant of [bulk, transactional, otp]) {
    for (let number = 0; number < 100; number += 1) line.push({ tenant, number })
  }
  const turns = take(line, 26).map(({ tenant }) => tenant)
  const count = (tenant: number) => turns.filter((each) => each === tenant).length
  expect([count(otp), count(transactional), count(bulk)]).toEqual([16, 8, 2])
})

test('a class of another account takes no turn from an account', () => {
  const line = new FairLine<Entry>()
  enter(line, 1, 100)
  for (let number = 0; number < 100; number += 1) for (const tenant of [9, 10, 11]) line.push({ tenant, number })
  const accounts = take(line, 20).map(({ tenant }) => Math.floor(tenant / 4))
  expect(accounts.filter((account) => account === 1)).toHaveLength(10)
})
