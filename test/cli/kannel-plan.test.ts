/** What an import of kannel.conf plans: public files have these four shapes, here with invented data. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkCarrierSettings } from '../../src/app/carriers/carrier-drivers.ts'
import { planImport } from '../../src/cli/kannel/plan-import.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-kannel-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const NOTHING = { numbers: [], networks: [], checkSettings: checkCarrierSettings }

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function plan(text: string, choices: Partial<typeof NOTHING> = {}) {
  return planImport(write('kannel.conf', text), { ...NOTHING, ...choices })
}

const notesOf = ({ notes }: ReturnType<typeof plan>) =>
  notes.map(({ line, subject, why }) => `${line} ${subject}: ${why}`)

/** A carrier that fits every service. */
const SMSC =
  'group = smsc\nsmsc = smpp\nsmsc-id = north\nhost = 192.0.2.7\nport = 2775\ntransceiver-mode = 1\nsmsc-username = u\nsmsc-password = p\nmy-number = 80008\n\n'

describe('a modem and a service by GET', () => {
  const TEXT = `group = core
admin-port = 13000
admin-password = ring-the-bell
dlr-storage = internal

group = smsc
smsc = at
smsc-id = Net One
device = /dev/ttyUSB0
allowed-prefix = "078;25078;+25078"

group = sendsms-user
username = clinic
password = clinic-and-more
footer = "CLINIC"

group = sms-service
keyword = default
get-url = http://192.0.2.50:8000/in?smsc=%i&phone=%p&text=%a
max-messages = 0
`
  test('the login is planned, and the modem is noted with its line', () => {
    const planned = plan(TEXT)
    expect(planned).toMatchObject({
      carriers: [],
      numbers: [],
      logins: [{ name: 'clinic', password: 'clinic-and-more', networks: null, sender: null }],
    })
    expect(notesOf(planned)).toStrictEqual([
      '7 smsc Net One, smsc: Posthorn has no carriers of the type at',
      '15 sendsms-user clinic, footer: put it into the texts',
      '17 sms-service default: has no carrier in this import',
    ])
    expect(JSON.stringify(planned.notes)).not.toContain('ring-the-bell')
  })
})

describe('a service that strips its keyword', () => {
  const hookOf = (settings: string) =>
    plan(`${SMSC}group = sms-service\nkeyword = win\nstrip-keyword = true\n${settings}\n`).numbers[0]?.hook

  test('posts the rest of the text', () => {
    expect(hookOf('post-url = http://192.0.2.9/')).toBe('kannel:http://192.0.2.9/? method=post&strip=yes&smsc=north')
  })

  test.each(['get-url = http://192.0.2.9/', 'strip-keyword = false\npost-url = http://192.0.2.9/'])(
    'does not if it gets, or says no: %j',
    (settings) => expect(hookOf(settings)).not.toContain('strip'),
  )
})

describe('SMPP without transceiver mode, a forced carrier and a service by POST', () => {
  const TEXT = `group = smsc
smsc = smpp
smsc-id = east
host = 192.0.2.218
port = 10017
smsc-username = "shop"
smsc-password = "secret"
system-type = ""

group = sendsms-user
username = "flow"
password = "flow"
concatenation = true
faked-sender = 15205
forced-smsc = east

group = sms-service
keyword = ping
aliases = "echo; Test;"
text = "Running."

group = sms-service
keyword = default
allowed-receiver-prefix = 15205
max-messages = 0
post-url = "http://192.0.2.9:8001/receive/b97c/?backend=%i&sender=%p&message=%b&ts=%T&id=%I"
omit-empty = true
accepted-smsc = east
`
  test('becomes a carrier that binds twice, and numbers with their call', () => {
    const planned = plan(TEXT, { networks: ['10.0.0.0/8'], numbers: ['80008'] } as never)
    expect(planned.carriers).toStrictEqual([
      {
        ...{ id: 'east', kind: 'smpp', channel: 'sms' },
        settings: {
          ...{ host: '192.0.2.218', port: 10017, systemId: 'shop', password: 'secret' },
          bindAs: 'transmitter and receiver',
        },
      },
    ])
    expect(planned.routes).toStrictEqual([{ carrier: 'east', prefix: '', priority: 100 }])
    expect(planned.logins).toStrictEqual([
      { name: 'flow', password: 'flow', sender: '15205', networks: ['10.0.0.0/8'] },
    ])
    const call =
      'kannel:http://192.0.2.9:8001/receive/b97c/?backend=%i&sender=%p&message=%b&ts=%T&id=%I method=post&reply=no&smsc=east'
    expect(planned.numbers).toStrictEqual([
      { carrier: 'east', address: '80008', keyword: 'ping', hook: null, reply: 'Running.' },
      { carrier: 'east', address: '80008', keyword: 'echo', hook: null, reply: 'Running.' },
      { carrier: 'east', address: '80008', keyword: 'test', hook: null, reply: 'Running.' },
      { carrier: 'east', address: '15205', keyword: null, hook: call, reply: null },
    ])
    expect(planned.senders).toStrictEqual(['15205', '80008'])
    expect(notesOf(planned)).toContainEqual(expect.stringMatching(/^15 sendsms-user flow, forced-smsc: /))
  })

  test('without a network for its short password, the login is noted and not planned', () => {
    const planned = plan(TEXT)
    expect(planned.logins).toStrictEqual([])
    expect(notesOf(planned)).toContainEqual(expect.stringMatching(/^12 sendsms-user flow, password: .*--network/))
    expect(notesOf(planned)).toContainEqual(expect.stringMatching(/^17 sms-service ping: .*--number/))
  })
})

describe('blank lines inside groups, comments behind values and a service without keyword', () => {
  test('are read as they were meant', () => {
    const planned = plan(`group = core

# Who may look
admin-password = CHANGE_ME

log-level  = 1                # 0=debug 1=info

${SMSC}group = sendsms-user
username      = orders
password      = CHANGE_ME_PASSWORD#1   # of the backend

# Split long texts
max-messages  = 255           # parts
default-smsc  = *

user-deny-ip  = "*.*.*.*"
user-allow-ip = "10.1.*.*;127.0.0.1"

group = sms-service
name      = handler
get-url   = "http://127.0.0.1:3001/mo?from=%p&text=%b"   # the backend
catch-all = yes               # everything

max-messages = 0              # no answer
`)
    expect(planned.logins).toStrictEqual([
      { name: 'orders', password: 'CHANGE_ME_PASSWORD#1', sender: null, networks: ['10.1.0.0/16', '127.0.0.1/32'] },
    ])
    expect(planned.numbers).toMatchObject([
      { address: '80008', keyword: null, hook: 'kannel:http://127.0.0.1:3001/mo?from=%p&text=%b reply=no&smsc=north' },
    ])
    expect(planned.notes).toStrictEqual([])
  })
})

describe('the carrier first, single quotes, blanks at the end and an unknown version', () => {
  test('becomes a carrier with its prefixes, window and ids', () => {
    const planned = plan(`group = smsc
smsc = smpp
smsc-id = North_1
host = box.example.net  
port = 6695
transceiver-mode = "true"
smsc-username = health
smsc-password = Ab7xY#
system-type = smpp
interface-version = 52
address-range = ''
service-type = 'CMT'
msg-id-type = 0x01
throughput = 0
max-pending-submits = 100
enquire-link-interval = 20
allowed-prefix = +26588;0026589;099
preferred-prefix = +26588
denied-prefix = 26577

group = core
admin-port = 6008
group = smsbox
global-sender = +15723
group = sendsms-user
username = web
password = Web40171234567
`)
    expect(planned.carriers).toStrictEqual([
      {
        ...{ id: 'north-1', kind: 'smpp', channel: 'sms' },
        settings: {
          ...{ host: 'box.example.net', port: 6695, systemId: 'health', password: 'Ab7xY#', systemType: 'smpp' },
          ...{ window: 100, enquireLinkMs: 20_000, serviceType: 'CMT' },
          receiptIds: { answer: 'hex', receipt: 'decimal' },
        },
      },
    ])
    expect(planned.routes).toStrictEqual([
      { carrier: 'north-1', prefix: '26589', priority: 100 },
      { carrier: 'north-1', prefix: '26588', priority: 50 },
    ])
    expect(planned.logins).toMatchObject([{ name: 'web', sender: '15723' }])
    expect(notesOf(planned).map((note) => note.split(':')[0])).toStrictEqual([
      '10 smsc North_1, interface-version',
      '17 smsc North_1, allowed-prefix',
      '19 smsc North_1, denied-prefix',
    ])
  })
})

describe('several carriers', () => {
  test('a group that only receives joins the one that sends with the same account', () => {
    const account = 'host = 192.0.2.1\nsmsc-username = u\nsmsc-password = p\n'
    const planned = plan(
      `group = smsc\nsmsc = smpp\nsmsc-id = tx\nport = 2775\n${account}\n` +
        `group = smsc\nsmsc = smpp\nsmsc-id = rx\nport = 0\nreceive-port = 2775\n${account}\n` +
        'group = smsc\nsmsc = smpp\nsmsc-id = lost\nport = 0\nreceive-port = 9000\nhost = 192.0.2.2\nsmsc-username = u\n',
    )
    expect(planned.carriers).toMatchObject([{ id: 'tx', settings: { bindAs: 'transmitter and receiver' } }])
    expect(notesOf(planned)).toStrictEqual([expect.stringMatching(/^18 smsc lost: only receives/)])
  })

  test('two with one smsc-id get an id each, and a service that accepts it gets both', () => {
    const planned = plan(
      `${SMSC}${SMSC}group = sms-service\nkeyword = win\naccepted-smsc = north\nget-url = http://h.example/\n`,
    )
    expect(planned.carriers.map(({ id }) => id)).toStrictEqual(['north', 'north-2'])
    expect(planned.numbers.map(({ carrier, keyword }) => `${carrier} ${keyword}`)).toStrictEqual([
      'north win',
      'north-2 win',
    ])
  })

  test('a generic HTTP carrier is planned if its answers are words, and noted otherwise', () => {
    const http = (success: string) =>
      `group = smsc\nsmsc = http\nsmsc-id = web\nsystem-type = generic\nsend-url = "https://sms.example/send?user=u&to=%q&from=%P&text=%b"\nstatus-success-regex = "${success}"\n`
    expect(plan(http('OK|queued')).carriers).toStrictEqual([
      {
        ...{ id: 'web', kind: 'http', channel: 'sms' },
        settings: {
          request: {
            method: 'GET',
            address: 'https://sms.example/send?user=u&to={{+phone}}&from={{sender}}&text={{text}}',
          },
          answer: {
            id: 'ours',
            word: { pattern: '(OK|queued|ok|Ok|QUEUED|Queued)', meanings: { ok: 'taken', queued: 'taken' } },
          },
        },
      },
    ])
    expect(plan(http('^OK [0-9]+$')).carriers).toStrictEqual([])
    expect(notesOf(plan(http('OK').replace('%q', '%C')))).toStrictEqual([
      expect.stringMatching(/^5 smsc web, send-url/),
    ])
  })
})

test('a carrier that its driver refuses is noted without its values, and its services with it', () => {
  const planned = plan(`${SMSC.replace('= u\n', '= longer-than-15-characters\n')}group = sms-service\ntext = hi\n`)
  expect(planned).toMatchObject({ carriers: [], routes: [], numbers: [] })
  expect(notesOf(planned)).toStrictEqual([
    expect.stringMatching(/^1 smsc north: cannot be a carrier: systemId: should be /),
    '11 sms-service default: has no carrier in this import',
  ])
})

test('a block that repeats a setting is another group of the same kind', () => {
  const planned = plan(
    `${SMSC}# The other one\nsmsc = smpp\nsmsc-id = south\nhost = 192.0.2.8\nport = 2775\nsmsc-username = v\nsmsc-password = w\n`,
  )
  expect(planned.carriers).toMatchObject([{ id: 'north' }, { id: 'south', settings: { systemId: 'v' } }])
  expect(notesOf(planned)).toContainEqual('12 group smsc: begins here without its first line')
})

describe('users', () => {
  const user = (text: string, choices: object = {}) =>
    plan(`group = sendsms-user\nusername = web\npassword = a-long-password\n${text}\n`, choices as never)

  test.each([
    ['from everywhere', 'user-allow-ip = "10.0.0.1;*.*.*.*"', null],
    ['without a list', '', null],
    [
      'from networks',
      'user-deny-ip = "*.*.*.*"\nuser-allow-ip = "10.*.*.*; 192.0.2.7"',
      ['10.0.0.0/8', '192.0.2.7/32'],
    ],
  ])('a user %s gets a login', (_, text, networks) => {
    expect(user(text).logins).toMatchObject([{ networks }])
  })

  test.each([
    ['is denied everywhere', 'user-deny-ip = "*.*.*.*"'],
    ['has a list that cannot be read', 'user-allow-ip = "10.*.0.1;fe80::1;999.0.0.1"'],
  ])('a user that %s gets none without a network', (_, text) => {
    expect(user(text).logins).toStrictEqual([])
    expect(user(text, { networks: ['10.0.0.0/8'] }).logins).toMatchObject([{ networks: ['10.0.0.0/8'] }])
  })

  test('names and senders that Posthorn does not know are noted', () => {
    const planned = user(
      'default-sender = "a sender of many words"\n\ngroup = sendsms-user\nusername = a:b\npassword = a-long-password',
    )
    expect(planned.logins).toMatchObject([{ name: 'web', sender: null }])
    expect(notesOf(planned)).toStrictEqual([
      '4 sendsms-user web, default-sender: is no sender name of SMS',
      expect.stringMatching(/^6 sendsms-user a:b: needs a username/),
    ])
  })
})

describe('services', () => {
  const service = (text: string) => plan(`${SMSC}group = sms-service\n${text}\n`)

  test('a choice of words in a regular expression is keywords; another expression is noted', () => {
    const call = 'get-url = http://h.example/'
    expect(service(`keyword-regex = "^[ ]*(win|lose)"\n${call}`).numbers.map(({ keyword }) => keyword)).toStrictEqual([
      'win',
      'lose',
    ])
    expect(service(`keyword-regex = .*\n${call}`).numbers).toMatchObject([{ keyword: null }])
    expect(notesOf(service(`keyword-regex = "w.n"\n${call}`))).toStrictEqual([
      expect.stringMatching(/^12 sms-service w\.n, keyword-regex/),
    ])
  })

  test('the number that answers is a sender, unless the service answers nothing', () => {
    const call = 'keyword = default\nget-url = http://h.example/'
    expect(service(call).senders).toStrictEqual(['80008'])
    expect(service(`${call}\nmax-messages = 0`).senders).toStrictEqual([])
  })

  test('keywords of several words, programs and files are noted with their line', () => {
    expect(notesOf(service('keyword = "win car"\nexec = /bin/answer'))).toMatchObject([
      expect.stringMatching(/^11 sms-service win car: calls no program/),
      expect.stringMatching(/^12 sms-service win car, keyword: "win car" is left out/),
      expect.stringMatching(/^13 sms-service win car, exec/),
    ])
  })

  test('the first of two services for the same messages counts, as in Kannel', () => {
    const planned = service('keyword = win\ntext = one\n\ngroup = sms-service\nkeyword = WIN\ntext = two')
    expect(planned.numbers).toMatchObject([{ keyword: 'win', reply: 'one' }])
    expect(notesOf(planned)).toStrictEqual(['15 sms-service win: is there twice: the first one counts'])
  })
})

describe('files', () => {
  test('includes stand in the middle of a group, and a folder stands for its files', () => {
    mkdirSync(join(folder, 'users'))
    write('users/b.conf', 'group = sendsms-user\nusername = b\npassword = "bb\\"bbbbbbbbbbbb"\n')
    write('users/a.conf', 'group = sendsms-user\nusername = a\npass\\\nword = aaaaaaaaaaaaaaaa\n')
    write('secret.conf', 'smsc-password = hidden\n')
    const planned = plan(
      'group = smsc\nsmsc = smpp\nhost = includes.example\nport = 2775\nsmsc-username = u\ntransceiver-mode = on\n' +
        'include = "secret.conf"\nmax-pending-submits = 3\n\ninclude = users\ninclude = missing.conf\n',
    )
    expect(planned.carriers).toMatchObject([{ id: 'includes-example', settings: { password: 'hidden', window: 3 } }])
    expect(planned.logins.map(({ name, password }) => [name, password])).toStrictEqual([
      ['a', 'aaaaaaaaaaaaaaaa'],
      ['b', 'bb"bbbbbbbbbbbb'],
    ])
    expect(notesOf(planned)).toStrictEqual(['11 include: there is no such file or folder'])
  })

  test('a file that includes itself is noted, and one through a folder of itself ends with an error', () => {
    expect(notesOf(plan(`include = ${join(folder, 'kannel.conf')}`))).toStrictEqual(['1 include: includes itself'])
    expect(() => plan(`include = ${folder}`)).toThrow(/more than 10 includes/)
  })

  test.each([
    ['4 MiB', () => 'x'.repeat(4 * 1024 * 1024 + 1), 'MiB'],
    ['lines of 20,000 characters', () => `a = ${'x'.repeat(20_000)}`, ':1: longer than 20000 characters'],
    ['1,000 groups', () => 'group = core\n\n'.repeat(1_001), 'more than 1000 groups'],
  ])('of more than %s is refused', (_, text, error) => {
    expect(() => plan(text())).toThrow(error)
  })

  test('a device is refused, which would never end', () => {
    expect(() => plan('include = /dev/zero')).toThrow('/dev/zero: is no file')
  })

  test('names of properties that every object has are settings like others', () => {
    const planned = plan(`${SMSC}constructor = 1\n__proto__ = 2\n\ngroup = toString\n`)
    expect(notesOf(planned).map((note) => note.split(':')[1])).toStrictEqual([
      ' has no counterpart',
      ' has no counterpart',
      ' has no counterpart',
    ])
  })
})
