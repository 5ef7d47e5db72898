/** `posthorn import`: shows what a kannel.conf becomes, creates it, and leaves alone what exists. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

const CONFIG = `group = smsc
smsc = smpp
smsc-id = north
host = smpp.example.net
port = 2775
transceiver-mode = true
smsc-username = shop
smsc-password = Geheim-1
system-type = ""
allowed-prefix = +49
my-number = 80008

group = smsc
smsc = at
device = /dev/ttyUSB0

group = sendsms-user
username = web
password = Geheim-2
user-allow-ip = "10.0.0.*"
default-sender = Shop

group = sms-service
keyword = hours
text = "We open at 8."

group = sms-service
keyword = default
post-url = "http://shop.example/in?from=%p&text=%b"
max-messages = 0
`

let line: CommandLine
beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
})
afterEach(() => line.close())

function words(text: string, ...more: readonly string[]): readonly string[] {
  const file = line.path('kannel.conf')
  writeFileSync(file, text)
  return ['import', file, '--account', '1', ...more]
}

const ITEMS = [
  '+ sender 80008 of account 1 for sms',
  '+ sender Shop of account 1 for sms',
  '+ carrier north (smpp)',
  '+ route sms 49… to north',
  '+ inbound number north 80008 with keyword hours',
  '+ inbound number north 80008',
  '+ reply of north 80008 with keyword hours',
  '+ login web of account 1, from 10.0.0.0/24, with sender Shop',
]

test('shows what it would create and what it cannot translate, and changes nothing', async () => {
  const before = await line.directory()
  const { exitCode, out, err } = await line.run(words(CONFIG))
  expect({ exitCode, err }).toStrictEqual({ exitCode: 0, err: '' })
  expect(out.split('\n').map((each) => each.replace(line.path('kannel.conf'), 'FILE'))).toStrictEqual([
    ...ITEMS,
    '8 items, not created: add --apply to create them.',
    '',
    'Not translated, or not quite:',
    'FILE:14: smsc, smsc: Posthorn has no carriers of the type at',
    '',
  ])
  expect(await line.directory()).toStrictEqual(before)
})

test('creates it, and neither shows nor stores the passwords in the clear', async () => {
  const { out } = await line.run(words(CONFIG, '--apply'))
  expect(out).toContain('8 items created.')
  expect(out).not.toContain('Geheim')
  const { carriers, routes, inboundNumbers, logins, senders } = await line.directory()
  expect(carriers).toMatchObject([{ id: 'north', settings: { host: 'smpp.example.net', password: 'Geheim-1' } }])
  expect(routes).toMatchObject([{ channel: 'sms', carrierId: 'north', prefix: '49', priority: 100 }])
  const hook = 'kannel:http://shop.example/in?from=%p&text=%b method=post&reply=no&smsc=north'
  expect(inboundNumbers).toContainEqual(expect.objectContaining({ address: '80008', keyword: null, hook }))
  expect(inboundNumbers).toMatchObject([
    {},
    { address: '80008', keyword: 'hours', reply: 'We open at 8.', accountId: 1 },
  ])
  expect(senders.map(({ name }) => name).sort()).toStrictEqual(['80008', 'Shop'])
  expect(logins).toMatchObject([{ name: 'web', accountId: 1, sender: 'Shop', networks: ['10.0.0.0/24'], type: 'sms' }])
  expect(JSON.stringify(logins)).not.toContain('Geheim')
})

test('leaves what exists as it is, so that it can be run again', async () => {
  await line.ask(words(CONFIG, '--apply'))
  await line.ask(['carrier', 'set', '--id', 'north', '--set', 'window=5'])
  await line.ask(['login', 'set', '--account', '1', '--name', 'web', '--sender', 'none'])
  const before = await line.directory()
  const more = `${CONFIG}\ngroup = sendsms-user\nusername = app\npassword = Geheim-and-long\n`
  expect((await line.run(words(CONFIG, '--apply'))).out).toContain('Nothing to create.')
  expect(await line.directory()).toStrictEqual(before)
  expect(await line.ask(words(more, '--apply'))).toMatchObject({
    difference: ['+ login app of account 1, from everywhere'],
  })
  expect((await line.directory()).carriers).toStrictEqual(before.carriers)
})

test('a hook that Posthorn refuses is named with its carrier, and nothing is created', async () => {
  const before = await line.directory()
  const { exitCode, err } = await line.run(words(CONFIG.replace('//shop.example', '//10.0.0.1'), '--apply'))
  expect(exitCode).toBe(1)
  expect(err).toMatch(/^error: inbound_numbers, carrier north: hook: .*POSTHORN_HOOK_ALLOW/)
  expect(await line.directory()).toStrictEqual(before)
})

test('a generic HTTP carrier is created with its request, and its password is not shown again', async () => {
  const http = `group = smsc
smsc = http
smsc-id = web
system-type = generic
send-url = "https://sms.example/send?user=u&pass=Geheim-3&to=%p&from=%P&text=%b"
status-success-regex = "OK|queued"
`
  await line.ask(words(http, '--apply'))
  const { carriers } = await line.directory()
  expect(carriers).toMatchObject([{ id: 'web', kind: 'http', settings: { request: { method: 'GET' } } }])
  expect((await line.run(['config', 'export'])).out).not.toContain('Geheim')
})

test('a login whose name another account has is named, and nothing else is created', async () => {
  await line.ask(['account', 'create', '--name', 'Other'])
  await line.ask(['login', 'add', '--account', '2', '--name', 'web', '--password', 'long-enough-for-all'])
  const before = await line.directory()
  const { exitCode, err } = await line.run(words(CONFIG, '--apply'))
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^error: login web: there is a/) })
  expect(await line.directory()).toStrictEqual(before)
})

test.each([
  ['an unknown account', ['--account', '7'], /account 7/],
  ['a network that is none', ['--network', '10.0.0.1/8'], /--network: 10\.0\.0\.1\/8 is no network/],
])('%s is refused', async (_, more, error) => {
  const { exitCode, err } = await line.run(words(CONFIG, '--apply', ...more))
  expect(exitCode).not.toBe(0)
  expect(err).toMatch(error)
  expect((await line.directory()).carriers).toStrictEqual([])
})

test('a missing file is named', async () => {
  const { exitCode, err } = await line.run(['import', '/nowhere/kannel.conf', '--account', '1'])
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('/nowhere/kannel.conf') })
})
