/** Finding the present items of a configuration that is applied. */
import { expect, test } from 'vitest'
import type { DirectoryRows } from '../../src/domain/directory/directory.ts'
import { findSame, type Resource } from '../../src/operations/admin/endpoint/resource.ts'

const ITEMS = 2_000

interface Item {
  readonly name: string
}

test('as many items as there are present ones cost a look at each, and not at all for each', () => {
  let reads = 0
  const items: readonly Item[] = Array.from({ length: ITEMS }, (_, index) => ({
    get name() {
      reads += 1
      return `item ${index % (ITEMS - 1)}`
    },
  }))
  const resource = { key: ['name'], items: () => items } as unknown as Resource<Item>
  const rows = {} as DirectoryRows
  for (let index = 0; index < ITEMS - 1; index += 1) {
    // Of two with the same name, the first.
    expect(findSame(resource, { name: `item ${index}` }, rows)).toBe(items[index])
  }
  expect(findSame(resource, { name: 'another' }, rows)).toBeNull()
  expect(reads).toBeLessThan(20 * ITEMS)
})
