/** Every command explains itself: a summary, an example that it understands itself, its settings as flags. */
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/settings/config.ts'
import { processTerminal } from '../../src/cli/command/terminal.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'

const LEAVES = leavesOf(await buildProgram(processTerminal), [])

function leavesOf(command: Command, path: readonly string[]): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => leavesOf(child, [...path, child.name()]))
}

test.each(LEAVES)('%s has help with an example of itself', async (path, command) => {
  const line = new CommandLine({ initialized: false })
  const { exitCode, out, err } = await line.run([...path.split(' '), '--help'])
  line.close()
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  expect(out).toContain('--json')
  const examples = [...out.matchAll(/^ {2}\$ posthorn (.+)$/gm)].map((match) => match[1] ?? '')
  expect(examples).not.toEqual([])
  for (const example of examples) {
    const words = splitWords(example.replace(/ [<>] .*$/, ''))
    expect(words.join(' ')).toMatch(new RegExp(`^${path}( |$)`))
    const flags = words.flatMap((word) => /^--[\w-]+/.exec(word) ?? [])
    expect(flags.filter((flag) => command.options.every((option) => option.long !== flag))).toEqual([])
  }
})

test.each(LEAVES)('%s describes each of its options', (_path, command) => {
  const undescribed = command.options.filter(({ description }) => description.trim() === '')
  expect(undescribed.map(({ long }) => long)).toEqual([])
})

test.each(LEAVES)('%s has flags for settings that are yes or no: the name alone means yes', (_path, command) => {
  const needing = command.options.filter(({ flags, required }) => required && /[<|]yes\|no/.test(flags))
  expect(needing.map(({ long }) => long)).toEqual([])
})

test('a command that needs a running gateway names one in its example', async () => {
  const named = ENDPOINTS.filter(({ needsGateway }) => needsGateway).map((each) => each.command ?? each.ownCommand)
  expect(named).toEqual(expect.arrayContaining(['carrier balance', 'carrier test', 'message send-now']))
  const line = new CommandLine({ initialized: false })
  for (const name of named) {
    const { out } = await line.run([...String(name).split(' '), '--help'])
    expect(out).toContain(`$ posthorn ${name} --server http://127.0.0.1:8081`)
  }
  line.close()
})

test('every command that an endpoint names exists', () => {
  const paths = new Set(LEAVES.map(([path]) => path))
  const named = ENDPOINTS.flatMap(({ command, ownCommand }) => command ?? ownCommand ?? [])
  expect(named.filter((name) => !paths.has(name))).toEqual([])
})

test('the sandbox takes every setting, serve all but those of the sandbox', () => {
  const flagsOf = (path: string) => {
    const known = new Set(LEAVES.find(([each]) => each === path)?.[1].options.map((option) => option.long))
    return SETTINGS.map((setting) => setting.flag).filter((flag) => known.has(`--${flag}`))
  }
  const all = SETTINGS.map((setting) => setting.flag)
  expect(flagsOf('sandbox')).toEqual(all)
  expect(flagsOf('serve')).toEqual(all.filter((flag) => flag !== 'sandbox-key'))
  expect(flagsOf('trace')).toEqual(['data-dir', 'database', 'secret-key-file'])
})

test('prints its version and its commands', async () => {
  const line = new CommandLine({ initialized: false })
  expect((await line.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { exitCode, out } = await line.run(['--help'])
  expect(exitCode).toBe(0)
  for (const [path] of LEAVES) expect(out).toContain(path.split(' ')[0])
  expect((await line.run([])).exitCode).toBe(2)
  line.close()
})

test('the OpenAPI document is JSON', async () => {
  const line = new CommandLine({ initialized: false })
  expect(JSON.parse((await line.run(['open-api'])).out)).toMatchObject({ openapi: expect.stringMatching(/^3\./) })
  line.close()
})
