/**
 * A power cut right after `posthorn init` leaves the installation: every new folder and file is synced into the folder
 * above.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'

/** Containers may forbid tracing. */
const STRACE = findProgram('strace', 'strace', { words: ['-o', '/dev/null', process.execPath, '--version'] })
const PROGRAM = fileURLToPath(new URL('../../bin/posthorn.js', import.meta.url))

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'posthorn-init-'))
})
afterAll(() => rmSync(root, { recursive: true }))

type Step = readonly [kind: 'made' | 'synced', path: string]

/** What the program made below the root and which folders it synced, in order. */
function traceInit(dataDir: string): readonly Step[] {
  const log = join(root, 'trace')
  const traced = ['-f', '-y', '-o', log, '-e', 'trace=mkdir,mkdirat,openat,link,linkat,fsync']
  execFileSync(STRACE ?? '', [...traced, process.execPath, PROGRAM, 'init', '--data-dir', dataDir], { stdio: 'ignore' })
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(root) && / = \d/.test(line))
    .flatMap((line): readonly Step[] => {
      const synced = /fsync\(\d+<(.+?)>/.exec(line)?.[1]
      if (synced !== undefined) return [['synced', synced]]
      const made = /mkdir|link|O_CREAT/.test(line) ? /.*"(.+?)"/.exec(line)?.[1] : undefined
      return made === undefined ? [] : [['made', made]]
    })
}

test.skipIf(STRACE === null)('each new entry is synced with the folder that holds it', { timeout: 60_000 }, () => {
  const dataDir = join(root, 'new', 'data')
  const steps = traceInit(dataDir)
  const lasting = [join(root, 'new'), dataDir, join(dataDir, 'secret.key'), join(dataDir, 'posthorn.db')]
  const unsynced = lasting.filter((path) => {
    const made = steps.findIndex(([kind, each]) => kind === 'made' && each === path)
    return made === -1 || !steps.slice(made).some(([kind, each]) => kind === 'synced' && each === dirname(path))
  })
  expect(unsynced).toEqual([])
})
