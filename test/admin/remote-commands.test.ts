/** The same commands, on the store of this machine and over the admin API of a gateway that runs: they do and tell the same. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let line: CommandLine
beforeAll(async () => {
  world = await SandboxWorld.start()
  line = new CommandLine()
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
})
afterAll(async () => {
  line.close()
  await world.stop()
})

test('a command asks the server that it was told of', async () => {
  expect(await line.ask(['user', 'list'])).toMatchObject({ data: [{ user: 'sandbox', role: 'owner' }] })
  expect(await line.ask(['account', 'balance', '--account', '1'])).toMatchObject({ available: 1000, currency: 'EUR' })
  await line.ask(['user', 'add', '--user', 'ben', '--role', 'support'])
  expect((await world.askAdmin('GET', '/users')).body).toMatchObject({ data: [{ user: 'ben' }, { user: 'sandbox' }] })
})

test('what is wrong is told in one sentence, by the names of the options', async () => {
  const wrong = await line.run(['token', 'issue', '--user', 'ben', '--label', ''])
  expect(wrong).toMatchObject({ exitCode: 1, err: 'error: --label: must be a text of 1 to 100 characters\n' })
  expect(await line.run(['account', 'balance', '--account', '99'])).toMatchObject({
    err: 'error: there is no account 99\n',
  })
})

test('a server that is not there, and a token that is missing, are named', async () => {
  line.environment = { POSTHORN_SERVER: 'http://127.0.0.1:1', POSTHORN_TOKEN: 'x' }
  expect((await line.run(['user', 'list'])).err).toContain('http://127.0.0.1:1 cannot be reached')
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress }
  expect((await line.run(['user', 'list'])).err).toContain('POSTHORN_TOKEN')
})

test('without a server the same command works on the data folder', async () => {
  line.environment = {}
  await line.ask(['user', 'add', '--user', 'anna', '--role', 'owner'])
  expect(await line.run(['user', 'list'])).toMatchObject({
    out: 'user  role   state   password  codes\nanna  owner  active  no        no\n',
  })
  expect(await line.ask(['audit', 'list'])).toMatchObject({
    data: [{ actor: 'tester', via: 'command line', deed: 'addUser', subject: 'user anna', before: null }],
  })
})
