/** A release sets one version everywhere, dates the changelog, commits and tags; without --write it is a plan. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FILES = [
  'package.json',
  'package-lock.json',
  'client/package.json',
  'clients/python/pyproject.toml',
  'deploy/helm/posthorn/Chart.yaml',
  'CHANGELOG.md',
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-release-'))
  for (const name of FILES) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  // Independent of what this checkout has released.
  write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A fault.\n\n## [0.0.9] - 2026-01-01\n')
  git('init', '--quiet')
  git('config', 'user.name', 'A maintainer')
  git('config', 'user.email', 'maintainer@posthorn.invalid')
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim()
const release = (...args: readonly string[]) => {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/release.ts'), ...args], options)
  return { status, out: stdout, err: stderr }
}

test('shows what it would do, and writes nothing', () => {
  const before = FILES.map(read)
  const { status, out } = release('99.0.0')
  expect(status).toBe(0)
  expect(out).toMatch(
    / → 99\.0\.0: package\.json, .*CHANGELOG\.md; commit and tag v99\.0\.0\nNothing is written: add --write\./,
  )
  expect(FILES.map(read)).toEqual(before)
  expect(git('tag')).toBe('')
})

test('sets the version of every package, dates the changelog, commits and tags', () => {
  const lock = JSON.parse(read('package-lock.json'))
  expect(release('99.0.0', '--write')).toMatchObject({ status: 0, err: '' })
  for (const name of ['package.json', 'client/package.json']) expect(JSON.parse(read(name)).version).toBe('99.0.0')
  expect(read('clients/python/pyproject.toml')).toMatch(/^version = "99\.0\.0"$/m)
  expect(read('deploy/helm/posthorn/Chart.yaml')).toMatch(/^version: 99\.0\.0\nappVersion: 99\.0\.0$/m)
  expect(release('99.0.0', '--check')).toMatchObject({ status: 0, out: 'All packages have version 99.0.0.\n' })
  lock.version = '99.0.0'
  lock.packages[''].version = '99.0.0'
  expect(JSON.parse(read('package-lock.json'))).toEqual(lock)
  expect(read('CHANGELOG.md')).toMatch(
    /## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n\n### Fixed\n\n- A fault\.\n/,
  )
  expect(git('log', '-1', '--format=%s')).toBe('release: 99.0.0')
  expect(git('describe')).toBe('v99.0.0')
  expect(git('status', '--porcelain')).toBe('')
})

test('all packages of this checkout have the same version', () => {
  expect(release(JSON.parse(read('package.json')).version, '--check')).toMatchObject({ status: 0, err: '' })
})

test('names the packages that have another version', () => {
  const { version } = JSON.parse(read('package.json'))
  write(
    'deploy/helm/posthorn/Chart.yaml',
    read('deploy/helm/posthorn/Chart.yaml').replace(/^appVersion.*/m, 'appVersion: 9.9.9'),
  )
  expect(release(version, '--check')).toEqual({
    ...{ status: 1, out: '' },
    err: `error: not version ${version}: deploy/helm/posthorn/Chart.yaml\n`,
  })
})

test.each([
  ['no version', ['next'], 'usage: node scripts/release.ts 1.2.3 [--write | --check]'],
  ['an older version', ['0.0.9'], /0\.0\.9 is not newer than \d+\.\d+\.\d+/],
  ['a changelog without changes', ['99.0.0'], 'CHANGELOG.md has no change below "## [Unreleased]"'],
])('refuses %s', (what, args, reason) => {
  if (what.startsWith('a changelog')) {
    write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [0.0.9] - 2026-01-01\n\n- A fault.\n')
    git('commit', '--all', '--quiet', '--message', 'nothing new')
  }
  const { status, err } = release(...args, '--write')
  expect(status).toBe(1)
  expect(err).toMatch(reason)
})

test('refuses uncommitted changes, and a version that is tagged', () => {
  git('tag', 'v99.0.0')
  expect(release('99.0.0', '--write')).toEqual({ status: 1, out: '', err: 'error: the tag v99.0.0 exists\n' })
  write('note.txt', 'not committed')
  expect(release('99.0.0', '--write')).toEqual({ status: 1, out: '', err: 'error: there are uncommitted changes\n' })
})
