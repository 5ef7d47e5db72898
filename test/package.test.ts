/** What the npm package starts with: bin/posthorn.js runs the right program, on a Node that can run it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Makes a program believe that its Node is of another version. */
const OLD_NODE = `data:text/javascript,${encodeURIComponent(`
  Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })
  Object.defineProperty(process, 'version', { value: 'v22.9.0' })
`)}`

describe('bin/posthorn.js', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'posthorn-bin-'))
    cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
    write('package.json', '{"type":"module"}')
    write('dist/main.js', 'console.log("the build")')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const run = (...options: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, join(folder, 'bin/posthorn.js')], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  test('runs the sources of a checkout, also beside a build that may be stale', () => {
    write('tsconfig.build.json', '{}')
    write('src/main.ts', 'console.log("the sources" as string)')
    expect(run()).toEqual({ status: 0, stdout: 'the sources\n', stderr: '' })
  })

  test('runs the build of a package', () => {
    expect(run()).toEqual({ status: 0, stdout: 'the build\n', stderr: '' })
  })

  test('says in one line that Node is too old, before it reads anything that an older Node cannot', () => {
    write('dist/main.js', 'a syntax error')
    const { status, stdout, stderr } = run('--import', OLD_NODE)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe('error: Posthorn needs Node 24 or newer, and this is v22.9.0\n')
  })
})

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

test('a checkout that was installed with --ignore-scripts says what it lacks', () => {
  const words = ['--import', OLD_NODE, 'scripts/need-node.js']
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toBe(
    'error: this checkout needs Node 24 or newer, and this is v22.9.0: npm ci without --ignore-scripts installs it\n',
  )
})

test.each(Object.entries(SCRIPTS).filter(([, line]) => /node \S+\.ts/.test(line)))(
  'npm run %s asks for a Node that runs TypeScript first',
  (_name, line) => {
    expect(line).toMatch(/^node scripts\/need-node\.js && node \S+\.ts/)
    expect(spawnSync(process.execPath, ['scripts/need-node.js'], { cwd: ROOT }).status).toBe(0)
  },
)

/** Of Node 20, for x64 and arm64. */
const COMMON_LIBRARIES = ['libc', 'libdl', 'libgcc_s', 'libm', 'libpthread', 'libstdc++']

test('the Node of a checkout needs no library that Node 20 does not', () => {
  const program = readFileSync(join(ROOT, 'node_modules/node/bin/node'))
  const libraries: string[] = []
  for (let at = program.indexOf('.so.'); at !== -1; at = program.indexOf('.so.', at + 1)) {
    libraries.push(...(program.toString('latin1', at - 30, at).match(/lib[\w+-]+$/) ?? []))
  }
  expect(libraries.filter((name) => !COMMON_LIBRARIES.includes(name))).toEqual([])
})

test('the package has neither sources nor maps of them, and says which Node it needs', () => {
  const { files, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8'))
  expect(files).not.toContain('src')
  expect(compilerOptions.sourceMap).toBeUndefined()
  expect(engines).toEqual({ node: '>=24' })
})
