/** The table of schemas in docs/operations/install.md is that of the code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSIONS, type Versions } from '../../src/stores/tables/changes.ts'

const PAGE = readFileSync(new URL('../../docs/operations/install.md', import.meta.url), 'utf8')

test.each<[string, (versions: Versions) => string]>([
  ['current', ({ present }) => `${present}`],
  ['of an earlier build', ({ oldest, present }) => `${oldest} to ${present - 1}`],
  ['older', ({ oldest }) => `below ${oldest}`],
  ['of a newer Posthorn', ({ present }) => `above ${present}`],
])('the table of schemas has the numbers of the code: %s', (row, numbers) => {
  expect(PAGE).toContain(`\n| ${row} | ${numbers(VERSIONS.sqlite)} | ${numbers(VERSIONS.postgres)} |`)
})
