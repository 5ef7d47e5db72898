/** A program that tests can do without counts as present only if it does what they need. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findProgram } from './support/debian-program.ts'

let folder: string
let warn: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-programs-'))
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const NAME = 'posthorn-peer'
const install = (text: string) => {
  writeFileSync(join(folder, NAME), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, NAME), 0o755)
}

test('one that starts is present', () => {
  install('exit 0')
  expect(findProgram(NAME, 'peer')).toBe(join(folder, NAME))
  expect(warn).not.toHaveBeenCalled()
})

test('one that shows success by another code is present', () => {
  install('[ "$1" = -v ] && exit 99')
  expect(findProgram(NAME, 'peer', { words: ['-v'], exitCode: 99 })).toBe(join(folder, NAME))
})

test.each([
  ['lacks a library', 'echo "error while loading shared libraries: libcurl.so.4" >&2; exit 127', 'libcurl.so.4'],
  ['lacks a module that its tests need', 'echo "cannot find package sprig" >&2; exit 1', 'cannot find package sprig'],
  ['is killed at its start', 'kill -9 $$', '--version failed'],
])('one that %s is absent, and a line says why', (_, text, why) => {
  install(text)
  expect(findProgram(NAME, 'peer')).toBe(null)
  expect(warn.mock.lastCall?.[0]).toMatch(new RegExp(`^${NAME} .*${why}.* \\(Debian: peer\\); its tests are skipped$`))
})

test('one for another machine is absent', () => {
  writeFileSync(join(folder, NAME), '\x7fELF')
  chmodSync(join(folder, NAME), 0o755)
  expect(findProgram(NAME, 'peer')).toBe(null)
})

test('a folder of its name is no program', () => {
  mkdirSync(join(folder, NAME))
  expect(findProgram(NAME, 'peer')).toBe(null)
  expect(warn.mock.lastCall?.[0]).toContain('is not installed')
})
