/** Storage of answers for repeats: a client must not fill the disk with errors that are free of charge. */
import { describe, expect, it, test } from 'vitest'
import { writeItemError } from '../../src/contract/envelope.ts'
import { notOneOf } from '../../src/contract/error-texts.ts'
import { OPERATION_TYPES } from '../../src/contract/operation-schemas.ts'
import { packText, unpackText } from '../../src/stores/admission/pack-text.ts'

const refused = { kind: 'written', text: writeItemError(null, notOneOf('type', OPERATION_TYPES)) }
const draftOf = (results: readonly object[]) => JSON.stringify({ requestId: null, results })

test('ten thousand equal refusals take about as much space as their request', () => {
  const draft = draftOf(Array(10_000).fill(refused))
  expect(packText(draft).length).toBeLessThan(1.5 * '{},'.length * 10_000)
  expect(unpackText(packText(draft))).toBe(draft)
})

describe.each([0, 1, 20, 2_000])('an answer of %i results', (count) => {
  it('is unpacked unchanged', () => {
    const draft = draftOf(Array.from({ length: count }, (_, id) => ({ ...refused, id, name: '“ü” 😀' })))
    expect(unpackText(packText(draft))).toBe(draft)
  })
})

test('reads unpacked answers of earlier versions unchanged', () => {
  const draft = draftOf(Array(100).fill(refused))
  expect(unpackText(draft)).toBe(draft)
})
