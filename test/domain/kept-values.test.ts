import { expect, test } from 'vitest'
import { KeptValues } from '../../src/domain/structures/kept-values.ts'

test('values in use stay, and the others leave in halves', () => {
  const kept = new KeptValues<string, number>(4)
  for (const [index, key] of ['a', 'b', 'c'].entries()) kept.set(key, index)
  expect(kept.get('a')).toBe(0)
  for (const key of ['d', 'e']) kept.set(key, 9)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(names.filter((name) => kept.get(name) !== undefined)).toEqual(['a', 'd', 'e'])
})

test('never more values than the maximum are kept', () => {
  const kept = new KeptValues<number, string>(10)
  for (let key = 0; key < 1_000; key += 1) kept.set(key, 'value')
  const left = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => kept.get(key) !== undefined)
  expect(left.length).toBeLessThanOrEqual(10)
  expect(left.at(-1)).toBe(999)
})
