/** The program as a process of its own: what it writes where, its exit codes, and which Node it wants. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine

beforeEach(() => {
  line = new CommandLine()
})
afterEach(() => line.close())

test('an answer goes to standard output and nothing else goes anywhere', async () => {
  await line.init()
  const program = new ChildProgram(['account', 'create', '--name', 'Shop', '--json', '--data-dir', line.dataDir])
  expect(await program.ended()).toBe(0)
  expect(JSON.parse(program.out)).toMatchObject({ account: 1, name: 'Shop' })
  expect(program.err).toBe('')
})

test('a refusal goes to standard error, with exit code 1; wrong usage has 2', async () => {
  const refused = new ChildProgram(['account', 'list'], { POSTHORN_DATA_DIR: line.dataDir })
  const wrong = new ChildProgram(['account', 'create', '--name'])
  expect(await refused.ended()).toBe(1)
  expect(refused.err).toMatch(/^error: no installation in [^\n]+\n$/)
  expect(await wrong.ended()).toBe(2)
  expect(wrong.err).toMatch(/^error: --name: a value is missing\n$/)
  expect(refused.out + wrong.out).toBe('')
})

test('a reader that has seen enough is no failure', async () => {
  const program = new ChildProgram(['--help'])
  program.stopReading()
  expect(await program.ended()).toBe(0)
  expect(program.err).toBe('')
})

test('an older Node gets a hint', async () => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.9.0' } })`
  const program = new ChildProgram(['account', 'list'], {}, [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
  ])
  expect(await program.ended()).toBe(1)
  expect(program.err).toMatch(/^error: Posthorn needs Node 24 or newer, and this is v[\d.]+\n$/)
})
