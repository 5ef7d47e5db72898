/** The builds of all versions are folders beside each other, with a list of them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addVersion } from '../../site/add-version.ts'

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'posthorn-versions-'))
})
afterEach(() => rmSync(work, { recursive: true }))

const read = (name: string) => readFileSync(join(work, 'all', name), 'utf8')
const publish = (version: string) => {
  mkdirSync(join(work, version))
  writeFileSync(join(work, version, 'index.html'), `documentation of ${version}`)
  writeFileSync(join(work, version, '404.html'), `not in ${version}`)
  addVersion(join(work, version), join(work, 'all'), version)
}

test('a version is added beside the earlier ones, and the first page leads to the newest', () => {
  for (const version of ['0.9.0', '0.10.0', '0.9.1']) publish(version)
  expect(JSON.parse(read('versions.json'))).toEqual(['0.10', '0.9'])
  expect(read('index.html')).toContain('url=v0.10/')
  expect(read('v0.10/index.html')).toBe('documentation of 0.10.0')
  expect(read('404.html')).toBe('not in 0.10.0')
  // The patch has replaced the documentation of its version.
  expect(read('v0.9/index.html')).toBe('documentation of 0.9.1')
})
