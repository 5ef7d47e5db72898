/** The benchmarks still run, with loads too small to measure anything, so that a change that breaks one fails here. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { formatTable } from '../../bench/figure.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../bench/', import.meta.url))

test.concurrent.each([
  ['accept', ['40', '1', '4']],
  ['deliver', ['40', '1']],
  ['smpp', ['200', '1', '10']],
])(
  '%s measures and says a ratio',
  async (name, args) => {
    const { stdout } = await run(process.execPath, [`${folder}${name}.ts`, ...args], { timeout: 60_000 })
    expect(stdout).toMatch(new RegExp(`^${name}: \\d+\\.\\d+ of `, 'm'))
  },
  90_000,
)

test('all benchmarks run by their names, and an unknown name is refused with the known ones', async () => {
  const { stdout } = await run(process.execPath, [`${folder}run.ts`, '--quick', 'chain', 'short-link'])
  expect(stdout).toMatch(/^\| RCS refused, chat app refused, SMS delivered, reported \| \d+\.\d+ /m)
  expect(stdout).toMatch(/^\| one hot short link \| \d+\.\d+ /m)
  const refused = run(process.execPath, [`${folder}run.ts`, 'unknown'])
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('end-to-end, chain') })
}, 90_000)

test('verdicts follow the targets, whichever direction is better', () => {
  const figure = { benchmark: 'b', comparedWith: 'c', detail: '', must: 2, aim: 3 }
  const cells = formatTable([
    { ...figure, rounds: [9, 2.5, 1] },
    { ...figure, rounds: [1, 1.9, 4] },
    { ...figure, rounds: [3.5, 3, 2], must: 3, aim: 2, lessIsBetter: true, unit: ' s' },
  ])
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ').slice(1, 6))
  expect(cells).toEqual([
    ['2.50 (1.00 to 9.00)', 'c', '≥ 2.00', '≥ 3.00', 'held'],
    ['1.90 (1.00 to 4.00)', 'c', '≥ 2.00', '≥ 3.00', '**missed**'],
    ['3.00 s (2.00 to 3.50)', 'c', '≤ 3.00 s', '≤ 2.00 s', 'held'],
  ])
})
