/** What stands in the way of an erasure is found without reading a table once for each bucket. */
import { expect, test } from 'vitest'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import { findInTheWay } from '../../src/stores/commands/erasure/forget-phone.ts'

test('each bucket is asked only by the phone, which is in an index', () => {
  const { value } = findInTheWay(['491511234567' as Phone]).next()
  const queries = value !== null && 'queries' in value ? value.queries : []
  expect(queries.length).toBeGreaterThan(2)
  for (const { bucket, sql } of queries) if (bucket === 'each') expect(sql.text).toContain('{to phones}')
})
