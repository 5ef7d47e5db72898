import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasTooManyMarks, MAX_COMBINING_MARKS } from '../../src/domain/text/hidden-characters.ts'
import { transliterate } from '../../src/domain/text/transliterate.ts'

const alternating = (count: number) => '\u0301\u0316'.repeat(Math.ceil(count / 2)).slice(0, count)

test.each([
  ['no marks', 'Hello', false],
  ['30 marks on one letter', `a${alternating(30)}`, false],
  ['31 marks on one letter', `a${alternating(31)}`, true],
  ['31 marks at the end of a long text', `${'x'.repeat(5_000)}${alternating(31)}`, true],
  ['60 marks, 30 on each of two letters', `a${alternating(30)}b${alternating(30)}`, false],
  ['marks beyond the first plane', '\u{1d165}'.repeat(31), true],
  ['vowel signs of a language that writes many', 'क्षि'.repeat(500), false],
])('%s: too many marks in a row: %s', (_, text, tooMany) => {
  expect(hasTooManyMarks(text)).toBe(tooMany)
})

test('a text with a longer run is never normalized, whatever its length', () => {
  const { normalize } = String.prototype
  const normalized: string[] = []
  String.prototype.normalize = function (this: string, form?: string) {
    normalized.push(String(this))
    return normalize.call(this, form)
  }
  try {
    const hostile = `a${alternating(MAX_COMBINING_MARKS + 1)}`
    expect(transliterate(hostile)).toBe(hostile)
    expect(normalized).toEqual([])
    expect(transliterate('e\u0301 \u010d')).toBe('é c')
    expect(normalized).toContain('e\u0301 \u010d')
  } finally {
    String.prototype.normalize = normalize
  }
})

test('finds a run wherever a pattern finds one', () => {
  const longRun = /\p{M}{31}/u
  const pieces = fc.constantFrom(
    'a',
    'é',
    '\u0301',
    '\u0316\u0301',
    '\u{1d165}',
    '\u{e0100}',
    '\ud834',
    '\udd65',
    '😀',
    '中',
  )
  const repeated = fc.tuple(pieces, fc.integer({ min: 1, max: 33 })).map(([piece, times]) => piece.repeat(times))
  fc.assert(
    fc.property(fc.array(repeated, { maxLength: 8 }), (runs) => {
      expect(hasTooManyMarks(runs.join(''))).toBe(longRun.test(runs.join('')))
    }),
  )
})
