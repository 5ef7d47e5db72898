/** A fresh installation is set up by the command line alone, and only what may begin one does. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Channel } from '../../src/domain/channels/channel.ts'
import { Directory } from '../../src/domain/directory/directory.ts'
import { readPhone } from '../../src/domain/numbers/phone.ts'
import { hashKey } from '../../src/operations/request/api-key.ts'
import { OLD_SCHEMA, oldRows } from '../stores/old-database.ts'
import { CommandLine } from '../support/command-line.ts'
import { TEST_KEY } from '../support/test-keys.ts'

let line: CommandLine

beforeEach(() => {
  line = new CommandLine()
})
afterEach(() => line.close())

const SMPP = { host: 'smpp.example.net', port: 2775, systemId: 'posthorn', password: 'secret77' }

test('an empty folder becomes an installation that can send', async () => {
  const account = await line.ask(['account', 'create', '--name', 'Example Shop'])
  expect(account).toMatchObject({ account: 1, name: 'Example Shop', currency: 'EUR' })
  expect(account['hook_secret']).toMatch(/^whsec_[\w+/]{32}$/)
  expect(await line.ask(['account', 'top-up', '--account', '1', '--amount', '250.5'])).toMatchObject({
    available: 250.5,
  })
  const { key } = await line.ask(['key', 'issue', '--account', '1', '--name', 'server'])
  await line.ask(['sender', 'approve', '--account', '1', '--channel', 'sms', '--name', 'Shop'])
  await line.ask(['price', 'set', '--channel', 'sms', '--prefix', '49', '--price', '0.05', '--currency', 'EUR'])
  await line.ask([...'price set --channel sms --price 0.045 --currency EUR --account 1'.split(' ')])
  await line.ask(['pool', 'add', '--id', 'berlin', '--numbers', '4930123400000-4930123400999,493012350000'])
  writeFileSync(line.path('acme.json'), JSON.stringify({ ...SMPP, port: 1 }))
  await line.ask([...'carrier add --id acme --kind smpp --set port=2775 --settings'.split(' '), line.path('acme.json')])
  await line.ask('carrier add --id voice --kind sip --set host=sbc.example.net --pool berlin --prefix 49'.split(' '))
  await line.ask('route add --carrier voice --prefix 4917 --pool berlin --ring-seconds 2.5'.split(' '))
  expect((await line.run(['route', 'list'])).out).toMatch(/call +voice +4917 +- +- +- +100 +1 +berlin +2\.5\n/)
  await line.ask('route add --carrier acme --prefix 4917 --operators 26201,26202 --priority 5'.split(' '))
  await line.ask(['sender', 'approve', '--account', '1', '--channel', 'chatapp', '--name', 'Shop'])
  await line.ask(['chat-template', 'approve', '--account', '1', '--signature', 'Shop', '--template', 'It is here.'])

  const rows = await line.directory()
  const directory = new Directory(rows)
  const owner = directory.accessBy(hashKey(String(key)), 0)?.account
  expect(owner?.name).toBe('Example Shop')
  if (owner === undefined) return
  expect(directory.pool('berlin')?.numbers).toHaveLength(1_001)
  expect(directory.chatTemplatesOf(owner.id)).toMatchObject([{ template: 'It is here.', status: 'approved' }])
  const phone = readPhone('4917012345678')
  if (phone === null) throw new Error('the number should be possible')
  expect(directory.isApproved(owner.id, 'sms', 'Shop', phone)).toBe(true)
  const asked = { accountId: owner.id, currency: 'EUR', channel: 'sms', phone, operator: null, at: 0 } as const
  expect(directory.priceOf(asked)).toBe(45_000)
  const route = (channel: Channel, operator: string | null) =>
    directory.routes.candidates({ channel, phone, operator, accountId: owner.id, sender: 'Shop', at: 0 }, 0)[0]
  expect(route('sms', '26202')).toMatchObject({ prefix: '4917', priority: 5 })
  expect(route('call', null)).toMatchObject({ carrierId: 'voice', poolId: 'berlin', ringSeconds: 2.5 })
  expect(directory.carriers.find((carrier) => carrier.id === 'acme')?.settings).toEqual(SMPP)
})

test('the currency of an account is announced, because it can never be changed', async () => {
  expect((await line.run('account create --help'.split(' '))).out.replaceAll(/\s+/g, ' ')).toContain(
    '--currency <text> currency of the account, ISO 4217; EUR by default. It cannot be changed later',
  )
  const { out } = await line.run('account create --name Shop'.split(' '))
  expect(out).toContain(
    'The currency of an account (EUR) cannot be changed: for another currency create another account.',
  )
})

test('the data folder and the key are for their owner alone', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  expect(statSync(line.dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(line.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('settings come from standard input too, and a quoted text of digits stays text', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const words = 'carrier add --id acme --kind smpp --no-route --settings - --set password="12345678"'.split(' ')
  expect(await line.ask(words, JSON.stringify(SMPP))).toMatchObject({ carrier_id: 'acme', route: null })
  const rows = await line.directory()
  expect(rows.carriers[0]?.settings).toEqual({ ...SMPP, password: '12345678' })
  expect(rows.routes).toEqual([])
})

test('a suspended account is refused by its keys and open again when it is active', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const { key } = await line.ask(['key', 'issue', '--account', '1', '--name', 'server'])
  const opens = async () => new Directory(await line.directory()).accessBy(hashKey(String(key)), 0)
  await line.ask(['account', 'set', '--account', '1', '--state', 'suspended', '--unique-ids', 'yes'])
  expect(await opens()).toBeNull()
  await line.ask(['account', 'set', '--account', '1', '--state', 'active', '--operations-per-second', '20'])
  expect((await opens())?.account.settings).toMatchObject({ uniqueIds: true, operationsPerSecond: 20 })
})

test('a rotation of the hook secret keeps the one before, and no older one', async () => {
  const { hook_secret: first } = await line.ask(['account', 'create', '--name', 'Shop'])
  const { hook_secret: second } = await line.ask(['hook', 'rotate-secret', '--account', '1'])
  expect((await line.directory()).accounts[0]?.hookSecrets).toEqual([second, first])
  const { hook_secret: third } = await line.ask(['hook', 'rotate-secret', '--account', '1'])
  expect((await line.directory()).accounts[0]?.hookSecrets).toEqual([third, second])
})

test('init creates an installation once, and changes nothing the second time', async () => {
  const empty = new CommandLine({ initialized: false })
  try {
    expect(await empty.ask(['init'])).toEqual({ created: true, place: empty.dataDir, migrated: null })
    await empty.ask(['account', 'create', '--name', 'Shop'])
    const key = readFileSync(join(empty.dataDir, 'secret.key'), 'utf8')
    expect(await empty.ask(['init'])).toEqual({ created: false, place: empty.dataDir, migrated: null })
    expect(readFileSync(join(empty.dataDir, 'secret.key'), 'utf8')).toBe(key)
    expect((await empty.directory()).accounts).toMatchObject([{ name: 'Shop' }])
    rmSync(join(empty.dataDir, 'secret.key'))
    expect(await empty.run(['init'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/secret\.key is missing/),
    })
  } finally {
    empty.close()
  }
})

test('init migrates an older database and reports it, once', async () => {
  const older = new CommandLine({ initialized: false })
  try {
    older.environment = { POSTHORN_SECRET_KEY: TEST_KEY }
    mkdirSync(older.dataDir, { mode: 0o700 })
    const { tables, version: from } = OLD_SCHEMA.sqlite
    const database = new DatabaseSync(join(older.dataDir, 'posthorn.db'))
    database.exec(`${tables}; ${oldRows('sqlite')}; PRAGMA user_version = ${from}`)
    database.close()
    const first = await older.run(['init'])
    expect(first.out).toBe(`An installation exists in ${older.dataDir}. Its database was migrated to this version.\n`)
    expect(first.err).toMatch(/^migrating the database from version 55 to \d+; .*\nmigrated the database .*\n$/)
    const { out } = await older.run(['init'])
    expect(out).toBe(`An installation exists in ${older.dataDir}. Nothing changed.\n`)
  } finally {
    older.close()
  }
})

test('without an installation every command but init refuses, names init and creates nothing', async () => {
  const empty = new CommandLine({ initialized: false })
  const commands = [
    'serve --port 0 --admin-port 0 --log-level silent',
    'migrate',
    'account create --name Shop',
    'user add --user anna --role owner',
    'account list',
    'account show --account 1',
    'account set --account 1 --state suspended',
    'account top-up --account 1 --amount 1',
    'key issue --account 1 --name a',
    'sender approve --account 1 --channel sms --name Shop',
    'sender approve --account 1 --channel chatapp --name Shop',
    'chat-template approve --account 1 --signature Shop --template a',
    'price set --channel sms --price 1 --currency EUR',
    'carrier add --id a --kind sip --set host=a --no-route',
    'carrier list',
    'route add --carrier a',
    'pool add --id a --numbers 4930123400000',
    'hook resume --account 1 --address https://a.example',
    'hook rotate-secret --account 1',
    'trace 640',
  ]
  for (const command of commands) {
    const ran = await empty.run(command.split(' '))
    expect(ran, command).toMatchObject({ exitCode: 1, out: '' })
    expect(ran.err, command).toMatch(/^error: no installation in [^\n]+'posthorn init --data-dir [^\n]+\n$/)
  }
  expect(existsSync(empty.dataDir)).toBe(false)
  empty.close()
})
