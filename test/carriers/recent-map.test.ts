import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { RecentMap } from '../../src/carriers/shared/recent-map.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const MAX = 100

function stage() {
  const clock = new VirtualClock()
  const map = new RecentMap<object>(clock, MAX)
  return { map, until: clock.now() + 60_000 }
}

test('removes the entries that were set first beyond its size', () => {
  const { map, until } = stage()
  for (let index = 0; index < MAX; index += 1) map.set(`id-${index}`, {}, until)
  map.set('id-0', {}, until)
  map.delete('id-1')
  for (let index = 0; index < MAX; index += 1) {
    map.set(`later-${index}`, {}, until)
    expect(map.size).toBe(MAX)
  }
  expect(map.get('id-0')).toBeUndefined()
  expect(map.get('later-0')).toBeDefined()
})

test('releases the memory of removed entries before it is full', async () => {
  const { map, until } = stage()
  const removed = (function fill() {
    const value = {}
    map.set('removed', value, until)
    for (let index = 0; index < 10 * MAX; index += 1) {
      map.set(`id-${index}`, {}, until)
      map.delete(`id-${index}`)
    }
    map.delete('removed')
    return new WeakRef(value)
  })()
  expect(map.size).toBe(0)
  // A value stays until the end of the job in which its reference is made or read.
  await new Promise((resolve) => setImmediate(resolve))
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(removed.deref()).toBeUndefined()
})
