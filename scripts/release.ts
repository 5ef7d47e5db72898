/**
 * Prepares a release: sets the version of all packages, dates the changelog, commits and tags. Only shows its plan
 * unless `--write` is given. Pushing the tag starts .github/workflows/release.yml, which uses `--check`.
 *
 *   node scripts/release.ts 0.2.0
 *   node scripts/release.ts 0.2.0 --write
 *   node scripts/release.ts 0.2.0 --check   fails if a package has another version
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

class CannotRelease extends Error {}

type Edit = (text: string) => string

/** Replaces what is between the two groups of the pattern. */
function versionAt(pattern: RegExp, version: string): Edit {
  return (text) => {
    if (!pattern.test(text)) throw new CannotRelease('has no version')
    return text.replace(pattern, `$1${version}$2`)
  }
}

/** The lock file has the version at its top, and again in the package of the path "". */
function locked(text: string, version: string): string {
  const lock = JSON.parse(text)
  const packages = { ...lock.packages, '': { ...lock.packages[''], version } }
  return `${JSON.stringify({ ...lock, version, packages }, null, 2)}\n`
}

/** The chart has its own version and that of the image, which are the same. */
function chart(version: string): Edit {
  const own = versionAt(/^(version: ).*()$/m, version)
  const app = versionAt(/^(appVersion: ).*()$/m, version)
  return (text) => app(own(text))
}

function dated(version: string, day: string): Edit {
  return (text) => {
    const [head = '', ...rest] = text.split(/^## \[Unreleased\]\n/m)
    if (rest.length !== 1) throw new CannotRelease('must have one heading "## [Unreleased]"')
    const [changes = ''] = (rest[0] ?? '').split(/^## \[/m)
    if (!/^- /m.test(changes)) throw new CannotRelease('has no change below "## [Unreleased]"')
    return `${head}## [Unreleased]\n\n## [${version}] - ${day}\n${rest[0]}`
  }
}

function edits(version: string, day: string): readonly (readonly [string, Edit])[] {
  const first = versionAt(/("version": ")[^"]+(")/, version)
  return [
    ['package.json', first],
    ['package-lock.json', (text) => locked(text, version)],
    ['client/package.json', first],
    ['clients/python/pyproject.toml', versionAt(/^(version = ")[^"]+(")/m, version)],
    ['deploy/helm/posthorn/Chart.yaml', chart(version)],
    ['CHANGELOG.md', dated(version, day)],
  ]
}

function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number))
  const at = (a ?? []).findIndex((part, index) => part !== b?.[index])
  return at >= 0 && (a?.[at] ?? 0) > (b?.[at] ?? 0)
}

function release(words: readonly string[], folder: string, day: string): string {
  const [version = '', ...flags] = words
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new CannotRelease('usage: node scripts/release.ts 1.2.3 [--write | --check]')
  }
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  if (flags.includes('--check')) return check(version, read)
  const current: string = JSON.parse(read('package.json')).version
  if (!isNewer(version, current)) throw new CannotRelease(`${version} is not newer than ${current}`)
  if (git('status', '--porcelain') !== '') throw new CannotRelease('there are uncommitted changes')
  if (git('tag', '--list', `v${version}`) !== '') throw new CannotRelease(`the tag v${version} exists`)

  const changed = edits(version, day).map(([name, edit]) => {
    try {
      return [name, edit(read(name))] as const
    } catch (error) {
      throw error instanceof CannotRelease ? new CannotRelease(`${name} ${error.message}`) : error
    }
  })
  const names = changed.map(([name]) => name)
  const plan = `${current} → ${version}: ${names.join(', ')}; commit and tag v${version}`
  if (!flags.includes('--write')) return `${plan}\nNothing is written: add --write.`
  for (const [name, text] of changed) writeFileSync(join(folder, name), text)
  git('add', ...names)
  git('commit', '--quiet', '--message', `release: ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Posthorn ${version}`)
  return `${plan}\nPublish it with: git push origin HEAD v${version}`
}

/** Every package already has the version: setting it changes nothing. */
function check(version: string, read: (name: string) => string): string {
  const packages = edits(version, '').filter(([name]) => name !== 'CHANGELOG.md')
  const others = packages.flatMap(([name, edit]) => (edit(read(name)) === read(name) ? [] : [name]))
  if (others.length > 0) throw new CannotRelease(`not version ${version}: ${others.join(', ')}`)
  return `All packages have version ${version}.`
}

try {
  console.log(release(process.argv.slice(2), process.cwd(), new Date().toISOString().slice(0, 10)))
} catch (error) {
  if (!(error instanceof CannotRelease)) throw error
  console.error(`error: ${error.message}`)
  process.exitCode = 1
}
