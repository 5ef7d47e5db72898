import { expect, test } from 'vitest'
import { readTraceparent } from '../../src/domain/network/traceparent.ts'

const VALID = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a traceparent of version 00 is read as it is', () => {
  expect(readTraceparent(VALID)).toBe(VALID)
  expect(readTraceparent(VALID.replace(/01$/, '00'))).toMatch(/-00$/)
})

test('anything else is none', () => {
  const ids = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const invalid = [
    ...[null, undefined, '', 'x', `${VALID} `, `${VALID}-00`, VALID.toUpperCase(), VALID.replace('00-', '01-')],
    ...ids.map((id) => VALID.replace(id, '0'.repeat(id.length))),
    ...ids.map((id) => VALID.replace(id, id.slice(1))),
  ]
  expect(invalid.filter((text) => readTraceparent(text) !== null)).toEqual([])
})
