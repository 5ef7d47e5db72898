/**
 * docs/operations/operating.md is true: its commands work in its order on an empty folder, and its table is that of the
 * settings.
 */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/settings/config.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'

const PAGE = readFileSync(new URL('../../docs/operations/operating.md', import.meta.url), 'utf8')

test('the table of settings is the list of settings', () => {
  const rows = SETTINGS.map(({ env, flag, default: standard, meaning }) => {
    return `| \`${env}\` | \`--${flag}\` | ${standard === null ? '' : `\`${standard}\``} | ${meaning} |`
  })
  expect(PAGE.split('\n').filter((line) => line.startsWith('| `POSTHORN_'))).toEqual(rows)
})

test('every command of the page works, in its order', async () => {
  const line = new CommandLine()
  for (const [name, settings] of settingsFiles()) writeFileSync(line.path(name), settings)
  const commands = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap((block) => (block[1] ?? '').split('\n'))
    .filter((each) => each.startsWith('posthorn ') && !each.startsWith('posthorn serve'))
  expect(commands.length).toBeGreaterThan(20)
  for (const command of commands) {
    const words = splitWords(command).slice(1)
    const ran = await line.run(words.map((word) => (word.endsWith('.json') ? line.path(word) : word)))
    expect(ran, command).toMatchObject({ exitCode: 0, err: '' })
  }
  const rows = await line.directory()
  expect(rows.carriers.map((carrier) => carrier.kind).sort()).toEqual([
    'rbm',
    'sip',
    'smpp',
    'smpp',
    'viber',
    'whatsapp',
  ])
  line.close()
})

/** The JSON blocks of the page by the name of the file that stands before each. */
function settingsFiles(): readonly (readonly [string, string])[] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return [...PAGE.matchAll(/`(\w+\.json)`[^`]*(?:`[^`\n]+`[^`]*)*?```json\n([\s\S]*?)```/g)].map((block) => {
    const [, name = '', settings = ''] = block
    return [name, settings.replace('-----BEGIN PRIVATE KEY-----…', pem.replaceAll('\n', '\\n'))]
  })
}
