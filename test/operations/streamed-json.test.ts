/** Exports are written piece by piece while they are read. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PIECE_CHARACTERS, StreamedJson, TextPieces } from '../../src/operations/admin/fields/streamed-json.ts'

test('the pieces together are the JSON of the whole', () => {
  const members = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())))
  fc.assert(
    fc.property(members, (value) => {
      expect(new StreamedJson(value).value()).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a text in pieces is one JSON string', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'ä', '\ud83d\ude00') })), (texts) => {
      expect(new StreamedJson({ csv: new TextPieces(texts) }).value()).toEqual({ csv: texts.join('') })
    }),
  )
})

test('no entry is made before it is read, and no piece is much longer than its bound', () => {
  let made = 0
  function* entries() {
    for (let each = 0; each < 200_000; each += 1) {
      made += 1
      yield { prefix: String(each), price: 0.05 }
    }
  }
  const lengths: number[] = []
  for (const piece of new StreamedJson({ prices: entries() }).pieces) {
    lengths.push(piece.length)
    // Every entry takes more than 20 characters.
    expect(made).toBeLessThan((lengths.length * (PIECE_CHARACTERS + 100)) / 20)
  }
  expect(made).toBe(200_000)
  expect(lengths.length).toBeGreaterThan(80)
  expect(Math.max(...lengths)).toBeLessThan(PIECE_CHARACTERS + 100)
})

test('a member without entries is an empty list', () => {
  expect([...new StreamedJson({ costs: [], prices: new Map().values() }).pieces].join('')).toBe(
    '{"costs":[],"prices":[]}',
  )
  expect([...new StreamedJson({}).pieces].join('')).toBe('{}')
})
