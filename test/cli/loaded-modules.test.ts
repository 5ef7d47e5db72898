/** A command loads only what it needs: a container asks `posthorn health` every ten seconds. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../bin/posthorn.js')

/** Prints the files that the program has loaded, as the last line of standard error. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => process.stderr.write('\\n' + JSON.stringify(loaded)))
`)}`

function loadedBy(line: string) {
  const words = ['--import', WATCH, PROGRAM, ...line.split(' ')]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: {} })
  const files: readonly string[] = JSON.parse(stderr.split('\n').at(-1) ?? '')
  const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  return { status, own: files.filter((file) => /\/src\//.test(file)).length, packages: [...new Set(packages)].sort() }
}

test.each([
  ['--version', 0],
  ['-V', 0],
  ['health --help', 0],
  ['help health', 0],
  // No process listens on port 1.
  ['health --admin-port 1', 1],
  ['open-api --help', 0],
])('posthorn %s loads neither the gateway nor the operations', { timeout: 60_000 }, (line, status) => {
  const loaded = loadedBy(line)
  expect(loaded).toEqual({ status, own: expect.any(Number), packages: ['commander', 'ipaddr.js'] })
  expect(loaded.own).toBeLessThan(40)
})
