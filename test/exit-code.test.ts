/** A run of the tests that failed ends with an exit code that says so. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('what the tests are set up with leaves the exit code of a failed run alone', () => {
  const script = `await import(${JSON.stringify(join(import.meta.dirname, 'support/postgres-server.ts'))}); process.exitCode = 3`
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect({ status: ran.status, err: ran.stderr }).toEqual({ status: 3, err: '' })
})
