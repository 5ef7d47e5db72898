/** Patterns of settings find a value in an answer, and cannot be made slow by it. */
import { describe, expect, test } from 'vitest'
import { readPattern } from '../../src/carriers/http/places/find-text.ts'

describe('a pattern', () => {
  test.each([
    ['^OK (\\w+)', 'OK m-1', 'm'],
    ['^success \\| [0-9]+ \\| ([0-9-]+)', 'success | 49 | 7-1', '7-1'],
    ['^(success|error|held)', 'error: no', 'error'],
    ['id=(\\d+)', 'x id=12;', '12'],
    ['"s?id":"([^"]+)"', '{"sid":"a[1]"}', 'a[1]'],
    ['^[+*?|]?(\\w+)', '*a', 'a'],
    ['^OK (\\w+)', 'no', ''],
  ])('%s finds its value in %j', (source, text, value) => {
    expect(readPattern(source)(text)).toBe(value)
  })

  test('reads the first 512 characters', () => {
    const find = readPattern('(\\d)')
    expect([511, 512].map((length) => find(`${'x'.repeat(length)}7`))).toEqual(['7', ''])
  })
})

describe('what could be slow is refused:', () => {
  const REPEATS = 'should repeat at most once, or twice if it begins with ^'
  const WAYS = 'should have at most 16 ways through its ? and |'
  test.each([
    ['(a+)+', 'should have no groups that repeat'],
    ['(a)\\1', 'should have no groups that repeat'],
    ['(?=a)(b)', 'should have no groups that repeat'],
    ['^a*b*(c*)', REPEATS],
    ['(a*)a*b', REPEATS],
    ['^x|(a*)a*b', REPEATS],
    ['(^a*)a*b', REPEATS],
    ['(.{1,512}).{1,512}x', REPEATS],
    ['^a?a?a?a?a?(a*)a*b', WAYS],
    ['^a?a?a?(x|y|z)', WAYS],
    [`^(${Array.from({ length: 17 }, () => 'a').join('|')})`, WAYS],
    ['^a', 'should have one group'],
    ['^(a)(b)', 'should have one group'],
    ['^(a]', 'should be a regular expression'],
  ])('%s', (source, reason) => {
    expect(() => readPattern(source)).toThrow(reason)
  })
})
