/** A queue does as a list does, however it grew and shrank. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fifo } from '../../src/domain/structures/fifo.ts'

type Step = readonly [what: 'push' | 'shift' | 'remove' | 'insert', count: number]

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('push' as const, 'shift' as const, 'remove' as const, 'insert' as const),
  fc.nat(150),
)

test('it has the items of a list to which the same was done', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const queue = new Fifo<number>()
      const list: number[] = []
      let next = 0
      for (const [what, count] of steps) {
        if (what === 'push') {
          for (let left = count; left > 0; left -= 1) {
            queue.push(next)
            list.push(next)
            next += 1
          }
        } else if (what === 'shift') {
          for (let left = count; left > 0; left -= 1) expect(queue.shift()).toBe(list.shift())
        } else if (what === 'remove') {
          expect(queue.remove((item) => item % 7 === count % 7)).toEqual(list.filter((item) => item % 7 === count % 7))
          list.splice(0, list.length, ...list.filter((item) => item % 7 !== count % 7))
        } else {
          queue.insertBefore(-1, (item) => item > count)
          const place = list.findIndex((item) => item > count)
          list.splice(place === -1 ? list.length : place, 0, -1)
        }
        expect(queue.length).toBe(list.length)
        expect(queue.first).toBe(list[0])
        expect([...queue]).toEqual(list)
      }
    }),
  )
})
