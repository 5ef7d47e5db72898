/** Both commands of the README on a minimal system, by scripts/check-first-steps.sh. Only root can make one. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/check-first-steps.sh')
/** The exit code of the script where it cannot do its work. */
const NO_PACKAGES = 75
const canRun = process.getuid?.() === 0 && findProgram('debootstrap', 'debootstrap') !== null

test.skipIf(!canRun)('work on a minimal system', { timeout: 1_800_000 }, ({ skip }) => {
  const { status, stdout, stderr } = spawnSync(SCRIPT, { encoding: 'utf8' })
  if (status === NO_PACKAGES) {
    console.warn(stderr)
    skip('the packages of a minimal system cannot be had')
  }
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 })
  console.log(stdout)
})
