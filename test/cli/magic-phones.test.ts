/** The table that the sandbox prints names exactly the numbers for which its phones do something of their own. */
import { expect, test } from 'vitest'
import { MAGIC_PHONES } from '../../src/cli/sandbox.ts'
import { scriptOf } from '../../src/simulator/phones.ts'

test('the printed phones are the scripted ones', () => {
  const all = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
  const ordinary = scriptOf('491701234500')
  const scripted = all.filter((end) => scriptOf(`4917012345${end}`) !== ordinary)
  expect(MAGIC_PHONES.map(([end]) => end)).toEqual(['other', ...scripted])
})
