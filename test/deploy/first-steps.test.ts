/** Both commands of the README on a minimal system, by scripts/check-first-steps.sh. Only root can make one. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/check-first-steps.sh')
const canRun = process.getuid?.() === 0 && findProgram('debootstrap', 'debootstrap') !== null

test.skipIf(!canRun)('work on a minimal system', { timeout: 1_800_000 }, () => {
  const { status, stdout, stderr } = spawnSync(SCRIPT, { encoding: 'utf8' })
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 })
  console.log(stdout)
})
