/**
 * The tables that the sandbox prints and that docs/guides/sandbox.md has are the same, and name exactly the numbers
 * whose phones are scripted.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAGIC_PHONES } from '../../src/cli/run/sandbox.ts'
import { scriptOf } from '../../src/simulator/phones/phones.ts'

test('the printed phones are the scripted ones', () => {
  const all = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
  const ordinary = scriptOf('491701234500')
  const scripted = all.filter((end) => scriptOf(`4917012345${end}`) !== ordinary)
  expect(MAGIC_PHONES.map(([end]) => end)).toEqual(['anything else', ...scripted])
})

test('the page about the sandbox has the same table', () => {
  const page = readFileSync(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (anything else|\d\d) \| (.+) \|$/gm)].map(([, end, what]) => [end, what])
  expect(rows).toEqual(MAGIC_PHONES)
})
