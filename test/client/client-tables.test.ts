/** What the clients for Python and PHP have from our tables is what the tables say. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientTables } from '../../scripts/write-client-tables.ts'

test.each([...clientTables()])('%s is what `node scripts/write-client-tables.ts` writes', (path, text) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text)
})
