/** docs/reference/api.md is what the tables of the contract say, and says something of all of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFields } from '../../src/contract/fields/fields.ts'
import { writeApiReference } from '../../src/contract/reference/api-reference.ts'
import { exampleOf } from '../../src/contract/reference/example-operations.ts'
import { DEFAULT_LIMITS } from '../../src/contract/request/limits.ts'
import { OPERATION_SCHEMAS } from '../support/all-operations.ts'
import { CommandLine } from '../support/command-line.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const page = read('docs/reference/api.md')

test('docs/reference/api.md is what `posthorn api-reference` prints', async () => {
  const line = new CommandLine()
  const { exitCode, out } = await line.run(['api-reference'])
  line.close()
  expect(exitCode).toBe(0)
  expect(out).toBe(page)
  expect(out).toBe(writeApiReference())
})

test('every field of every operation has a row', () => {
  const names = new Set(OPERATION_SCHEMAS.flatMap(({ fields }) => fields.map(({ name }) => name)))
  expect([...names].filter((name) => !page.includes(`\n| \`${name}\` | `))).toEqual([])
})

test.each(OPERATION_SCHEMAS)('the example of $type is accepted', ({ type, fields }) => {
  expect(() => readFields({ ...exampleOf(type) }, fields, DEFAULT_LIMITS)).not.toThrow()
})

test('every error text has a cause and a remedy', () => {
  const source = read('src/contract/request/error-texts.ts')
  const functions = [...source.matchAll(/^export function (\w+)\(/gm)].map(([, name = '']) => name)
  const others = ['fieldIn', 'ignored', 'moreIgnored']
  expect(functions.filter((name) => !others.includes(name)).length).toBeGreaterThan(25)
  const advice = read('src/contract/reference/error-advice.ts')
  expect(functions.filter((name) => !others.includes(name) && !advice.includes(`${name}(`))).toEqual([])
})

test('every member of a report in the examples is described', () => {
  const [, reports = ''] = page.split('\n## Reports')
  const members = readdirSync(new URL('examples/', ROOT))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.keys(JSON.parse(read(`examples/${name}`)).report ?? {}))
    .filter((name) => name !== 'type')
  expect(members.length).toBeGreaterThan(10)
  expect([...new Set(members)].filter((name) => !reports.includes(`\`${name}\``))).toEqual([])
})
