/** What only its owner may know is shown once, when it is made, and by no command after that. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashKey } from '../../src/operations/request/api-key.ts'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine

beforeEach(() => {
  line = new CommandLine()
})
afterEach(() => line.close())

test('no command that shows or lists prints a secret', async () => {
  const { hook_secret: hookSecret } = await line.ask(['account', 'create', '--name', 'Shop'])
  const { key } = await line.ask(['key', 'issue', '--account', '1', '--name', 'server'])
  const add = 'carrier add --id acme --kind smpp --set host=smpp.example --set port=1 --set systemId=me'.split(' ')
  const added = [
    await line.run([...add, '--set', 'password=hunter22']),
    await line.run([...add, '--set', 'password=hunter22', '--json']),
  ]
  const shown = [...added]
  for (const words of [
    'account list',
    'account show --account 1',
    'carrier list',
    'account set --account 1 --state suspended',
  ]) {
    shown.push(await line.run(words.split(' ')), await line.run([...words.split(' '), '--json']))
  }
  const all = shown.map((ran) => ran.out + ran.err).join('\n')
  expect(shown.map((ran) => ran.exitCode)).toEqual(shown.map(() => 0))
  expect(all).toContain('acme')
  expect(all).toContain('server')
  for (const secret of [String(key), hashKey(String(key)), String(hookSecret), 'hunter22'])
    expect(all).not.toContain(secret)
})

test('text output has the new key and the new secret, each alone on its line', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  expect((await line.run(['key', 'issue', '--account', '1', '--name', 'a'])).out).toMatch(/^ph_live_\w{39}\n/)
  expect((await line.run(['hook', 'rotate-secret', '--account', '1'])).out).toMatch(/^whsec_[\w+/]{32}\n/)
})

test('names cannot move the cursor or forge lines of a table', async () => {
  expect((await line.run(['account', 'create', '--name', 'Shop\u001b[2J'])).exitCode).toBe(2)
  expect((await line.run(['account', 'create', '--name', 'Shop\n2  Bank'])).exitCode).toBe(2)
})
