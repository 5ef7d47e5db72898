/** The tries of a report that did not succeed at once. */
import { expect, test } from 'vitest'
import { addTry, MAX_KEPT_TRIES, readTries } from '../../src/domain/reports/report-tries.ts'

const failed = (at: number, detail = 'HTTP 500') => ({ at, tookMs: 12, detail })

test('a report that is delivered at once has no text', () => {
  expect(addTry(null, { at: 1, tookMs: 3, detail: 'HTTP 200' }, true)).toBeNull()
  expect(readTries(null)).toEqual([])
})

test('a failure begins the list, and the success after it ends it', () => {
  const text = addTry(addTry(null, failed(1), false), { at: 2, tookMs: null, detail: 'HTTP 204' }, true)
  expect(readTries(text)).toEqual([failed(1), { at: 2, tookMs: null, detail: 'HTTP 204' }])
})

test('the first try and the newest ones are kept, however many there are', () => {
  let text: string | null = null
  for (let at = 1; at <= 50; at += 1) text = addTry(text, failed(at), false)
  const tries = readTries(text)
  expect(tries).toHaveLength(MAX_KEPT_TRIES)
  expect(tries.map(({ at }) => at)).toEqual([1, 42, 43, 44, 45, 46, 47, 48, 49, 50])
})

test('an error is bounded and stays on its line', () => {
  const [first, ...others] = readTries(addTry(null, failed(1, `a\nb ${'x'.repeat(2_000)}`), false))
  expect(first?.detail).toMatch(/^a b x+$/)
  expect(first?.detail).toHaveLength(100)
  expect(others).toEqual([])
})
