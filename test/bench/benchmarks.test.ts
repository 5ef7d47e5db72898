/** The benchmarks still run, with loads too small to measure anything, so that a change that breaks one fails here. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

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
