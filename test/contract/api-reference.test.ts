/** The API reference says something of all that the tables of the contract have. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiPages } from '../../scripts/reference/api-pages.ts'
import { exampleOf } from '../../scripts/reference/example-operations.ts'
import { readFields } from '../../src/contract/fields/fields.ts'
import { OTHER_SCHEMAS } from '../../src/contract/operations/operation-schemas.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { OPERATION_SCHEMAS } from '../support/all-operations.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const pages = apiPages()
const all = [...pages.values()].join('\n')

test('every operation is on one page, and every page is in the list', () => {
  const headings = (type: string) => all.split(`\n## \`${type}\`\n`).length - 1
  expect(OTHER_SCHEMAS.filter(({ type }) => headings(type) !== 1).map(({ type }) => type)).toEqual([])
  const [list = '', ...others] = pages.keys()
  const listed = pages.get(list) ?? ''
  expect(others.filter((path) => !listed.includes(`](${path.replace('docs/reference/', '')})`))).toEqual([])
})

test('every field of every operation has a row', () => {
  const names = new Set(OPERATION_SCHEMAS.flatMap(({ fields }) => fields.map(({ name }) => name)))
  expect([...names].filter((name) => !all.includes(`\n| \`${name}\` | `))).toEqual([])
})

test.each(OPERATION_SCHEMAS)('the example of $type is accepted', ({ type, fields }) => {
  expect(() => readFields({ ...exampleOf(type) }, fields, DEFAULT_LIMITS)).not.toThrow()
})

test('every error text has a cause and a remedy', () => {
  const source = read('src/contract/request/error-texts.ts')
  const functions = [...source.matchAll(/^export function (\w+)\(/gm)].map(([, name = '']) => name)
  const others = ['fieldIn', 'ignored', 'moreIgnored']
  expect(functions.filter((name) => !others.includes(name)).length).toBeGreaterThan(25)
  const advice = read('scripts/reference/error-advice.ts')
  expect(functions.filter((name) => !others.includes(name) && !advice.includes(`${name}(`))).toEqual([])
})

test('every member of a report in the examples is described', () => {
  const reports = pages.get('docs/reference/api/reports.md') ?? ''
  const members = readdirSync(new URL('examples/', ROOT))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.keys(JSON.parse(read(`examples/${name}`)).report ?? {}))
    .filter((name) => name !== 'type')
  expect(members.length).toBeGreaterThan(10)
  expect([...new Set(members)].filter((name) => !reports.includes(`\`${name}\``))).toEqual([])
})
