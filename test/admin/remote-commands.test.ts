/** The same commands, on a local store and over the admin API of a running gateway: same effects, same output. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let line: CommandLine
beforeAll(async () => {
  world = await SandboxWorld.start()
  line = new CommandLine()
})
beforeEach(() => {
  line.environment = { POSTHORN_SERVER: world.gateway.adminAddress, POSTHORN_TOKEN: world.adminToken }
})
afterAll(async () => {
  line.close()
  await world.stop()
})

test('a command uses the given server', async () => {
  expect(await line.ask(['user', 'list'])).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ user: 'sandbox', role: 'owner' })]),
  })
  const { body: account } = await world.askAdmin('GET', '/accounts/1')
  const balance = { available: account['available'], currency: 'EUR' }
  expect(await line.ask(['account', 'balance', '--account', '1'])).toMatchObject(balance)
  await line.ask(['user', 'add', '--user', 'ben', '--role', 'support'])
  const { body } = await world.askAdmin('GET', '/users')
  const users = body['data'] as readonly { readonly user: string }[]
  expect(users.map(({ user }) => user)).toEqual(expect.arrayContaining(['ben', 'sandbox']))
})

test('errors are one sentence that names the options', async () => {
  const wrong = await line.run(['token', 'issue', '--user', 'ben', '--label', ''])
  expect(wrong).toMatchObject({ exitCode: 2, err: 'error: --label: must be a text of 1 to 100 characters\n' })
  expect(await line.run(['account', 'balance', '--account', '99'])).toMatchObject({
    err: 'error: there is no account 99\n',
  })
})

test('a role error names the command, also one that does more than one request', async () => {
  await line.ask(['user', 'add', '--user', 'flora', '--role', 'finance'])
  const { token } = await line.ask(['token', 'issue', '--user', 'flora', '--label', 'office'])
  line.environment = { ...line.environment, POSTHORN_TOKEN: String(token) }
  const file = line.path('settings.json')
  writeFileSync(file, '{"carriers": []}')
  for (const [command, ...words] of [
    ['carrier set', '--id', 'sandbox-sms', '--set', 'window=2'],
    ['carrier remove', '--id', 'sandbox-sms'],
    ['config export'],
    ['config apply', file],
    ['forget', '491701230000', '--yes'],
  ]) {
    const { exitCode, err } = await line.run([...String(command).split(' '), ...words])
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringMatching(`finance may not use ${command}\\b`) })
  }
})

test('carriers are listed and shown with how they are, each with its links', async () => {
  const list = await line.run(['carrier', 'list'])
  expect(list.out).toMatch(
    /^carrier +kind +channel +draining +provider +checks +up +since +breaker +degraded +in flight +window .* links\n/,
  )
  expect(list.out).toMatch(/^sandbox-sms +smpp +sms +no +- +- +yes .* transceiver 1 up\b/m)
  const shown = await line.run(['carrier', 'show', '--id', 'sandbox-sms'])
  expect(shown.out).toMatch(/^state up +yes$/m)
  expect(shown.out).toMatch(/^settings password +<kept>$/m)
  expect(shown.out).toMatch(
    /\nstate links\nname +state +since +in flight +window +last error +last error at +next try at +misunderstood\ntransceiver 1 +up +2/,
  )
  expect(await line.ask(['carrier', 'show', '--id', 'sandbox-sms'])).toMatchObject({
    state: {
      up: true,
      links: [{ name: 'transceiver 1', state: 'up', in_flight: 0, last_error: null, misunderstood: 0 }],
    },
  })
})

test('accounts are listed with what they can spend, and shown with all that is known', async () => {
  expect((await line.run(['account', 'list'])).out).toMatch(
    /^account +name +state +available +currency\n1 +\S.* active +[\d.]+ +EUR\n$/,
  )
  const { out } = await line.run(['account', 'show', '--account', '1'])
  expect(out).toMatch(/^account +1\n/)
  for (const fact of [
    /^available +\d/m,
    /^unique ids +no$/m,
    /^keys +\S/m,
    /^stopped hooks +-$/m,
    /\nsenders\nchannel +name +state\n/,
  ])
    expect(out).toMatch(fact)
})

test('a route and a price of one account are removed by their key, with and without the account', async () => {
  const ask = (words: string) => line.ask(words.split(' '))
  await ask('route add --carrier sandbox-sms --prefix 49 --account 1 --priority 5')
  await ask('price set --channel sms --currency EUR --prefix 49 --account 1 --price 0.02')
  await ask('cost set --carrier sandbox-sms --prefix 49 --price 0.01')
  expect(await ask('price list --account 1')).toMatchObject({ data: [{ account: 1, prefix: '49', price: 0.02 }] })
  expect(await line.run('route remove --carrier sandbox-sms --prefix 49 --account none'.split(' '))).toMatchObject({
    err: 'error: there is no such route\n',
  })
  await ask('route remove --carrier sandbox-sms --prefix 49 --account 1')
  await ask('price remove --channel sms --currency EUR --prefix 49 --account 1')
  await ask('cost remove --carrier sandbox-sms --prefix 49')
  const { body } = await world.askAdmin('GET', '/configuration')
  expect(body['routes']).not.toContainEqual(expect.objectContaining({ prefix: '49' }))
  expect(body['prices']).not.toContainEqual(expect.objectContaining({ prefix: '49' }))
})

test('a message is traced and found by its phone, which no address names', async () => {
  const phone = '491701234500'
  const [id] = await world.send(rcsItem(phone))
  await world.pass(2)
  const { out } = await line.run(['trace', String(id)])
  expect(out).toMatch(/^status +DELIVERED$/m)
  expect(out).toMatch(/^20\S+Z +carrier +delivered +rcs /m)
  const found = await line.ask(['message', 'find', '--phone', phone])
  expect(found).toMatchObject({ data: [{ message: id, phone, status: 'DELIVERED' }] })
  expect((await world.askAdmin('GET', `/messages?phone=${phone}`)).status).toBe(400)
  expect(await line.run(['message', 'find', '--phone', '12'])).toMatchObject({
    err: 'error: --phone: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918\n',
  })
  expect(await line.run(['trace', '999999'])).toMatchObject({
    exitCode: 1,
    err: "error: there is no message 999999: if it is a client's id, look for it with posthorn message find --id 999999\n",
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
    out: 'user  role   account  state   subject  password  codes\nanna  owner  -        active  -        no        no\n',
  })
  expect(await line.ask(['audit', 'list'])).toMatchObject({
    data: [{ actor: 'tester', via: 'command line', action: 'addUser', subject: 'user anna', before: null }],
  })
})
