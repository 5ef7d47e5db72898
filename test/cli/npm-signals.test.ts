/** A signal to the npm or npx that runs a gateway stops the gateway cleanly, and leaves no process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'

const ROOT = join(import.meta.dirname, '../..')

let folder: string
let npm: ChildProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-npm-'))
})
afterEach(() => {
  if (isGroupAlive()) process.kill(-groupOf(npm), 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

// npm and all that it starts are in a process group of their own, as on a terminal.
const groupOf = ({ pid = 0 }: ChildProcess) => pid

function isGroupAlive(): boolean {
  try {
    return process.kill(-groupOf(npm), 0)
  } catch {
    return false
  }
}

const OPTIONS = ['--port', '0', '--admin-port', '0', '--stop-notice-seconds', '0', '--json', '--data-dir']

test.each([
  // Without what `npm start` does before: that builds the console.
  ['npm start', 'SIGTERM', ['npm', 'start', '--ignore-scripts', '--']],
  ['npm start on a terminal', 'SIGINT', ['npm', 'start', '--ignore-scripts', '--']],
  ['npm run posthorn', 'SIGHUP', ['npm', 'run', 'posthorn', '--', 'sandbox']],
  ['npx posthorn', 'SIGTERM', ['npx', 'posthorn', 'sandbox']],
] as const)('%s, %s', { timeout: 180_000 }, async (name, signal, [command, ...words]) => {
  npm = spawn(command, [...words, ...OPTIONS, folder], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  await printed(npm.stdout, '\n}\n')
  // A terminal signals every process of the group.
  process.kill(name.endsWith('terminal') ? -groupOf(npm) : groupOf(npm), signal)
  await printed(npm.stderr, '"msg":"stopped"')
  await eventually('all processes to end', () => !isGroupAlive())
})

test.skipIf(!existsSync('/dev/full'))(
  'SIGTERM stops a gateway whose log cannot be written',
  { timeout: 120_000 },
  async () => {
    const words = ['bin/posthorn.js', 'sandbox', ...OPTIONS, folder]
    npm = spawn(process.execPath, words, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
    })
    await printed(npm.stdout, '\n}\n')
    npm.kill('SIGTERM')
    expect(await once(npm, 'close')).toEqual([0, null])
  },
)

/** Resolves when the stream has said so. Rejects with all it said if it ends without. */
async function printed(stream: Readable | null, wanted: string): Promise<void> {
  let text = ''
  for await (const part of stream?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    text += part
    if (text.includes(wanted)) return
  }
  throw new Error(`ended without ${wanted}: ${text}`)
}
