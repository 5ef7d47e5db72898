/** The OpenAPI document and the reader of rich contents agree. */
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { writeOpenApi } from '../../src/contract/reference/open-api.ts'
import { ItemRefused } from '../../src/contract/request/refused.ts'
import { anyRich, CARD, CAROUSEL, RICH_CONTENTS, readRich, SUGGESTIONS } from '../support/rich-contents.ts'

const { components } = writeOpenApi() as { components: { schemas: Record<string, object> } }
const schema = Compile({ ...components.schemas['Rich'], components })

test.each(RICH_CONTENTS)('%s is valid by the document', (_, rich) => {
  expect(schema.Check(rich)).toBe(true)
})

test.each<[string, object]>([
  ['no type', { suggestions: SUGGESTIONS }],
  ['an unknown type', { type: 'list', suggestions: SUGGESTIONS }],
  ['an unknown member', { ...CARD, titel: 'A' }],
  ['an unknown member of a card', { ...CAROUSEL, cards: [CARD, CARD] }],
  ['one card', { ...CAROUSEL, cards: CAROUSEL.cards.slice(1) }],
  ['12 suggestions', { type: 'suggestions', suggestions: Array(12).fill(SUGGESTIONS[0]) }],
  ['a suggestion without a caption', { type: 'suggestions', suggestions: [{ type: 'reply' }] }],
  ['a caption of 26 characters', { type: 'suggestions', suggestions: [{ type: 'reply', text: 'x'.repeat(26) }] }],
])('%s is invalid by both', (_, rich) => {
  expect(schema.Check(rich)).toBe(false)
  expect(() => readRich(rich)).toThrow(ItemRefused)
})

/** The content with the value of one of its members, at any depth, replaced. */
function replaceOne(value: unknown, at: number, replacement: unknown): unknown {
  let left = at
  const walk = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null) {
      left -= 1
      return left === -1 ? replacement : each
    }
    if (Array.isArray(each)) return each.map(walk)
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, walk(member)]))
  }
  return walk(value)
}

/** Null and the empty string count as not sent, which the document leaves out. */
const others = fc.oneof(fc.string({ minLength: 1 }), fc.double(), fc.boolean(), fc.constant({}), fc.constant([]))

test('every content that the gateway accepts is valid by the document', () => {
  const withoutEmpty = (rich: object) =>
    JSON.parse(JSON.stringify(rich, (_, value) => (value === '' || value === null ? undefined : value)))
  fc.assert(
    fc.property(anyRich, fc.nat(40), others, (rich, at, other) => {
      for (const given of [withoutEmpty(rich), replaceOne(withoutEmpty(rich), at, other) as object]) {
        try {
          readRich(given)
        } catch (error) {
          if (!(error instanceof ItemRefused)) throw error
          continue
        }
        expect(schema.Check(given), JSON.stringify(given)).toBe(true)
      }
    }),
  )
})
