import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairLine } from '../../src/delivery/fair-line.ts'

interface Entry {
  readonly party: number
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

const enter = (line: FairLine<Entry>, party: number, count: number, from = 0) => {
  for (let number = from; number < from + count; number += 1) line.push({ party, number })
}

test('one party alone is served in its order', () => {
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
  expect(take(line, 6).map(({ party }) => party)).toEqual([1, 2, 3, 1, 2, 1])
})

test('nobody is lost or passed over, in any order of coming and going', () => {
  const deed = fc.oneof(fc.record({ party: fc.integer({ min: 1, max: 4 }) }), fc.constant('take' as const))
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 200 }), fc.boolean(), (deeds, clears) => {
      const line = new FairLine<Entry>()
      const left: Entry[] = []
      let entered = 0
      for (const each of deeds) {
        if (each === 'take') left.push(...take(line, Math.min(1, line.length)))
        else line.push({ party: each.party, number: entered++ })
      }
      expect(line.length).toBe(entered - left.length)
      left.push(...(clears ? line.clear() : take(line)))
      expect(line.length).toBe(0)
      expect(left.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([...Array(entered).keys()])
      for (const party of [1, 2, 3, 4]) {
        const own = left.filter((entry) => entry.party === party).map(({ number }) => number)
        expect(own).toEqual(own.toSorted((a, b) => a - b))
      }
    }),
  )
})
