/** The client for Python: its own tests, and its calls against the sandbox, whose clock follows the machine's. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../clients/python/', import.meta.url))
const TICK_MS = 20
const LONGEST_MS = 60_000
/** Debian 11 has an older one, and `python3-minimal` lacks modules. */
const PROBE = 'import asyncio, http.client, ssl, sys, unittest; sys.exit(sys.version_info < (3, 11))'
const PYTHON = findProgram('python3', 'python3', { words: ['-c', PROBE] })

let world: SandboxWorld
let ticking: NodeJS.Timeout
beforeAll(async () => {
  world = await SandboxWorld.start(LIFETIME_SECONDS, Date.now())
  ticking = setInterval(() => world.clock.turnTo(Date.now()), TICK_MS)
})
afterAll(async () => {
  clearInterval(ticking)
  await world.stop()
})

test.skipIf(PYTHON === null)('passes its own tests', async () => {
  const { stderr } = await python('-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests')
  expect(stderr).toMatch(/\nOK\n$/)
})

test.skipIf(PYTHON === null)('sends a chain, verifies its report, reads events and uploads a bulk', async () => {
  const { stdout } = await python('tests/against_sandbox.py')
  expect(stdout.trim().split('\n')).toEqual([
    'report DELIVERED chatapp',
    'status DELIVERED 0.04 EUR',
    'error invalid_phone phone',
    'error access_denied',
    'events 3',
    'bulk 10 stopped',
  ])
})

function python(...args: readonly string[]) {
  const env = {
    ...process.env,
    PYTHONPATH: `${FOLDER}src`,
    PYTHONDONTWRITEBYTECODE: '1',
    POSTHORN_URL: world.gateway.address,
    POSTHORN_KEY: world.key,
    POSTHORN_HOOK_SECRET: world.hookSecret,
  }
  return run(PYTHON ?? '', args, { cwd: FOLDER, env, timeout: LONGEST_MS })
}
