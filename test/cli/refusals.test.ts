/** A command that fails says why in one sentence, exits with 1, or with 2 for wrong usage, and changes nothing. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
let store: Store

/** All that commands can change. */
async function everything() {
  return [await store.loadDirectory(), await store.balancesOf(toAccountId(1))]
}

beforeAll(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['pool', 'add', '--id', 'berlin', '--numbers', '4930123400000'])
  await line.ask(['carrier', 'add', '--id', 'voice', '--kind', 'sip', '--set', 'host=sbc.example', '--pool', 'berlin'])
  store = await line.openStore('tool')
  writeFileSync(line.path('broken.json'), '{"password": hunter22}')
  writeFileSync(line.path('list.json'), '["hunter22"]')
})
afterAll(async () => {
  await store.close()
  line.close()
})

const REFUSED: readonly (readonly [words: string, says: RegExp])[] = [
  ['account create --name Shop', /there is an account named "Shop" already/],
  ['account show --account 7', /there is no account 7/],
  ['account set --account 7 --state suspended', /there is no account 7/],
  ['account set --account 1', /nothing to change: give a name, a state or a setting/],
  ['account top-up --account 7 --amount 5', /there is no account 7/],
  ['key issue --account 7 --name a', /there is no account 7/],
  ['sender approve --account 7 --channel sms --name Shop', /there is no account 7/],
  ['sender approve --account 1 --channel sms --name Ab', /"Ab" cannot be a sender: sms takes 3 to 11/],
  ['sender approve --account 1 --channel sms --name 1234567890123456', /sms takes .* or 3 to 15 digits/],
  [`sender approve --account 1 --channel rcs --name ${'a'.repeat(41)}`, /rcs takes 1 to 40 characters/],
  ['chat-template approve --account 7 --signature Shop --template a', /there is no account 7/],
  [
    'chat-template submit --account 1 --carrier meta --signature Shop --template a --name a --language en --category utility',
    /only a running gateway can submit a template: name it with --server/,
  ],
  ['price set --channel sms --price=-1 --currency EUR', /must be at least 0/],
  ['price set --channel sms --price 1 --currency USD --account 1', /account 1 pays in EUR/],
  ['price set --channel sms --price 1 --currency EUR --account 7', /there is no account 7/],
  ['carrier add --id acme --kind smpp --set host=a', /^error: 3 mistakes:\n {2}port: should be/],
  ['carrier add --id calls --kind sip --set host=a', /a route for calls needs a pool/],
  ['carrier add --id calls --kind sip --set host=a --pool rome', /there is no pool rome/],
  ['carrier add --id voice --kind smpp --set host=a', /carrier voice is of kind sip/],
  ['carrier add --id any --kind http --set window=5', /\n {2}channel: must be one of rcs, chatapp, sms\n/],
  ['carrier add --id any --kind http --channel sms --set window=5', /^error: 2 mistakes:\n {2}request: should be/],
  ['carrier add --id acme --kind smpp --channel rcs --set host=a', /\n {2}channel: must be sms\n/],
  ['carrier add --id acme --kind smpp --settings /does/not/exist.json', /no such file/],
  ['route add --carrier acme', /there is no carrier acme/],
  ['route add --carrier voice', /a route for calls needs a pool/],
  ['route add --carrier voice --pool berlin --ring-seconds 0.05', /a ring time must be a number of seconds from 0.1/],
  [
    'carrier add --id b --kind smpp --set host=a --set port=1 --set systemId=a --set password=b --ring-seconds 2',
    /only a route for calls has a ring time/,
  ],
  ['route add --carrier voice --pool berlin --priority 5000', /a priority must be a whole number from 0/],
  ['pool add --id p --numbers 4930123400000 --code-digits 3', /a code must have 4 to 6 digits/],
  ['route add --carrier voice --pool berlin --weight 5000', /a weight must be a whole number from 1/],
  ['route add --carrier voice --pool berlin --account 7', /there is no account 7/],
  ['route remove --carrier acme', /there is no carrier acme/],
  ['route remove --carrier voice --prefix 49', /there is no such route/],
  ['carrier remove --id voice', /carrier voice has routes \(1\): remove them first/],
  ['carrier remove --id acme', /there is no carrier acme/],
  ['carrier drain --id acme', /there is no carrier acme/],
  ['carrier resume --id acme', /there is no carrier acme/],
  ['pool remove --id berlin', /routes call from pool berlin \(1\)/],
  ['price remove --channel sms --currency EUR', /there is no such price/],
  ['tariff import /does/not/exist.csv --currency EUR', /no such file/],
  ['tariff export --currency EURO', /not an ISO 4217 currency/],
  ['tariff copy --account 7', /there is no account 7/],
  ['tariff copy --account 1', /there are no prices to copy/],
  ['account correct --account 1 --amount -1 --note oops', /has less than that to spend/],
  ['account correct --account 1 --amount 0 --note oops', /amount: must not be 0/],
  ['account credit --account 7 --credit-limit 5', /there is no account 7/],
  ['account statement --account 7 --month 2025-11', /there is no account 7/],
  ['cost set --carrier acme --price 1', /there is no carrier acme/],
  ['cost set --carrier voice --price=-1', /must be at least 0/],
  ['cost set --carrier voice --price 1 --category two.words', /a category must be 1 to 64 letters/],
  ['cost set --carrier voice --price 1 --category free', /free always costs 0/],
  ['cost remove --carrier voice', /there is no such cost/],
  ['key revoke --account 1 --name none', /account 1 has no key named "none"/],
  ['operator import /does/not/exist.csv', /no such file/],
  ['config apply /does/not/exist.json', /no such file/],
  ['hook resume --account 1 --address https://client.example', /not stopped/],
  ['hook rotate-secret --account 7', /there is no account 7/],
  ['trace 640', /there is no message 640: .* posthorn message find --id 640/],
]

const WRONG_USAGE: readonly (readonly [words: string, says: RegExp])[] = [
  ['account create --name A --currency EURO', /--currency: must be an ISO 4217 code of three capital letters/],
  ['account create --name=', /--name: must be a text of 1 to 100 characters/],
  ['account show --account 0', /--account: must be a whole number, at least 1/],
  ['account statement --account 1 --month 2026-13', /--month: must be a month such as 2026-11/],
  ['ledger margin --from 2026', /--from: must be a month such as 2026-11/],
  [
    'serve --public-url foo',
    /--public-url: must be an http or https address such as https:\/\/messages\.example\.com\n/,
  ],
  ['account list --server foo', /--server: must be an http or https address such as http:\/\/127\.0\.0\.1:8081\n/],
  ['serve --port 70000', /--port: must be a whole number from 0 to 65535/],
  ['account create', /^error: --name: required\n/],
  [
    'account create --name A extra',
    /^error: too many arguments: the one after the value of --name is unexpected; quote a value that has spaces\n/,
  ],
  ['account list extra', /^error: too many arguments: the one at place 3 is unexpected; quote/],
  ['trace 12864 another', /^error: too many arguments: the one at place 3 is unexpected; quote/],
  ['tariff import prices.csv --currency EUR --dry-run yes', /^error: --dry-run: takes no value\n/],
  ['tariff copy --account 1 --dry-run maybe', /^error: --dry-run: must be yes or no\n/],
  [
    'account top-up --account 1 --amount 2,50',
    /^error: --amount: must be a number with a decimal point: 2.50, not 2,50\n/,
  ],
  ['account top-up --account 1 --amount 1e3', /^error: --amount: must be a number such as 2.50\n/],
  ['price set --channel sms --currency EUR --price abc', /^error: --price: must be a number such as 2.50\n/],
  ['price set --channel sms --prefix 0049 --price 0.05 --currency EUR', /--prefix: must begin with a country code/],
  ['cost set --carrier voice --prefix 0049 --price 0.05', /--prefix: must begin with a country code/],
  ['route add --carrier voice --prefix 0049', /--prefix: must begin with a country code/],
  ['tariff copy --account 1 --percent 0', /--percent: must be a number greater than 0/],
  ['tariff copy --account 1 --percent=-5', /--percent: must be a number greater than 0/],
  ['account show --account one', /^error: --account: must be a number\n/],
  ['account set --account 1 --unique-ids maybe', /^error: --unique-ids: must be yes or no\n/],
  ['sender approve --account 1 --channel call --name Shop', /^error: --channel: must be one of rcs, chatapp, sms\n/],
  ['carrier add --id Acme --kind sip --set host=a --no-route', /^error: --id: must be 1 to 40 lower-case/],
  [
    'carrier add --id a --kind telex',
    /^error: --kind: must be one of rbm, viber, whatsapp, smpp, telegram, sip, http, lookup\n/,
  ],
  ['carrier add --id a --kind sip --set hunter22', /^error: --set: must be name=value\n/],
  ['carrier add --id a --kind sip --password=hunter22', /^error: --password: unknown option\n/],
  ['carrier add --id a --kind sip --settings -', /^error: standard input: must hold one JSON object\n/],
  ['trace twelve', /^error: <id>: must be a whole number such as 12864: the msg_id returned by the API\n/],
  ['serve --apis json,soap', /--apis: must be one of json, rest, xml, query, kannel, jasmin, logins, smpp, not "soap"/],
  ['serve --hook-allow everywhere', /--hook-allow: "everywhere" is not a network/],
  ['serve --sandbox-key a', /^error: --sandbox-key: unknown option\n/],
  ['account create --name A --curency EUR', /^error: --curency: unknown option; did you mean --currency\?\n/],
  ['account create --name', /^error: --name: a value is missing\n/],
  ['acount', /^error: acount: unknown command; did you mean account\?\n/],
  ['trace', /^error: <id>: required\n/],
  ['message find --status bogus', /^error: --status: must be one of QUEUED, ACCEPTED, /],
  ['report resend', /^error: --message, --account or --address: one of them is required, or --all\n/],
  ['account list --server nonsense', /^error: --server: must be an http or https address such as/],
  ['serve --public-url nonsense', /^error: --public-url: must be an http or https address such as/],
  ['account list --database mysql://u@host/x', /^error: --database: must be like postgres:/],
  ['serve --public-url https://a.example/?x=1', /^error: --public-url: must have no query and no fragment/],
  [
    'account list --server http://127.0.0.1:1',
    /^error: --server: requires a token in the environment variable POSTHORN_TOKEN or in the file that POSTHORN_TOKEN_FILE names\n/,
  ],
  ['phone reply --from US.4711 --text Yes', /^error: --from: must be a phone number .*; by WhatsApp also a user id\n/],
  ['telephone', /^error: telephone: unknown command; see posthorn help\n/],
  ['margin', /^error: margin: unknown command; did you mean ledger margin\?\n/],
  ['account set --account 1 --call-code-digits 3', /^error: --call-code-digits: must be a whole number from 4 to 6/],
  ['account set --account 1 --call-code-seconds 86401', /^error: --call-code-seconds: must be a whole number from 1/],
  [
    'account set --account 1 --calls-per-hour-to-phone 61',
    /^error: --calls-per-hour-to-phone: must be a whole number from 1 to 60/,
  ],
  [
    'account set --account 1 --calls-per-hour 1000001',
    /^error: --calls-per-hour: must be a whole number from 0 to 1000000/,
  ],
  [
    'account set --account 1 --step-lifetime-seconds 5',
    /^error: --step-lifetime-seconds: must be a whole number from 60 to/,
  ],
  [
    'account top-up --account 1 --amount 0.0000001',
    /^error: --amount: must be a decimal number such as 0.05, with at most six decimal places/,
  ],
  ['account top-up --account 1 --amount 0', /^error: --amount: must be greater than 0; posthorn account correct/],
  ['account top-up --account 1 --amount=-5', /^error: --amount: must be greater than 0; posthorn account correct/],
  [
    'price set --channel sms --prefix +49 --price 1 --currency EUR',
    /^error: --prefix: must be up to 15 digits, without the plus/,
  ],
  [
    'route add --carrier voice --pool berlin --operators 262',
    /^error: --operators: must be MCC and MNC, 5 or 6 digits such as 26201/,
  ],
  [
    'pool add --id p --numbers 4930-4931',
    /^error: --numbers: "4930-4931" is neither a number such as 4930123400000 nor a range such as/,
  ],
  [
    'pool add --id p --numbers 4930123400009-4930123400000',
    /^error: --numbers: the range \S+ must go from a number to a higher one/,
  ],
  ['pool add --id p --numbers 4930100000000-4930123400000', /^error: --numbers: a pool takes at most 100000 numbers/],
  [
    'pool add --id p --numbers 9990000000',
    /^error: --numbers: 9990000000 is not a possible phone number with its country code/,
  ],
  [
    'price set --channel sms --price 1 --currency EUR --from tomorrow',
    /^error: --from: must be a day such as 2027-01-01, or a time such as/,
  ],
  [
    'price set --channel sms --price 1 --currency EUR --from 2027-02-01 --until 2027-01-01',
    /^error: --until: must be later than from/,
  ],
  [
    'price set --channel sms --price 1 --currency EUR --operator 262',
    /^error: --operator: must be MCC and MNC, 5 or 6 digits such as 26201/,
  ],
  [
    'account set --account 1 --quiet-hours 25:00-08:00',
    /^error: --quiet-hours: must be hours such as 21:00-08:00 or 21:00-08:00 refuse, or installation, or off\n/,
  ],
  [
    'guard set --quiet-hours off',
    /^error: --quiet-hours: must be hours such as 21:00-08:00 or 21:00-08:00 refuse, or none\n/,
  ],
  [
    'account set --account 1 --time-zone Berlin',
    /^error: --time-zone: must be an IANA name such as Europe\/Berlin or UTC\n/,
  ],
  [
    'account set --account 1 --allowed-networks 10.0.0.1/8',
    /^error: --allowed-networks: "10.0.0.1\/8" must be a network such as 192.0.2.0\/24/,
  ],
  [
    'key issue --account 1 --name k --expires-at 2020-01-01',
    /^error: --expires-at: must be a time in the future, such as \S+, or none for never\n/,
  ],
  [
    'key issue --account 1 --name k --expires-at soon',
    /^error: --expires-at: must be a time such as 2026-12-31T23:59:59Z, or a day such as 2026-12-31\n/,
  ],
  [
    'key issue --account 1 --name k --scopes send,all',
    /^error: --scopes: must be a list of send, otp, templates, balance, hooks, inbound, lookup\n/,
  ],
  [
    'opt-out add --account 1 --phone abc',
    /^error: --phone: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918\n/,
  ],
  [
    'number add --list deny --digits +49',
    /^error: --digits: must be 1 to 15 digits that begin with a country code, without the plus\n/,
  ],
  [
    'forget abc',
    /^error: <phone>: must be a possible phone number with its country code, such as 37120000000, or a user id, such as US.13491208655302741918\n/,
  ],
  ['help telephone', /^error: telephone: unknown command; see posthorn help\n/],
  ['help acount', /^error: acount: unknown command; did you mean account\?\n/],
  ['help account creat', /^error: creat: unknown command; did you mean create\?\n/],
  ['account help telephone', /^error: telephone: unknown command; see posthorn help\n/],
  ['config apply -', /^error: standard input: must hold one JSON object\n/],
]

test.each(REFUSED)('%s', async (words, says) => {
  const before = await everything()
  const ran = await line.run(words.split(' '))
  expect(ran).toMatchObject({ exitCode: 1, out: '' })
  expect(ran.err).toMatch(/^error: [^\n]+\n(?: {2}[^\n]+\n)*$/)
  expect(ran.err).toMatch(says)
  expect(await everything()).toEqual(before)
})

test.each(WRONG_USAGE)('%s', async (words, says) => {
  const before = await everything()
  const ran = await line.run(words.split(' '))
  expect(ran).toMatchObject({ exitCode: 2, out: '' })
  expect(ran.err).toMatch(/^error: [^\n]+\n$/)
  expect(ran.err).toMatch(says)
  expect(ran.err).not.toContain('hunter22')
  expect(await everything()).toEqual(before)
})

test('an empty data folder is refused, and not the folder where the command runs', async () => {
  const ran = await line.run(['init', '--data-dir', ''])
  expect(ran).toMatchObject({ exitCode: 2, out: '', err: 'error: --data-dir: must not be empty\n' })
})

test('a file of settings that is not JSON is not quoted: it may hold a password', async () => {
  for (const name of ['broken.json', 'list.json']) {
    const ran = await line.run(['carrier', 'add', '--id', 'a', '--kind', 'smpp', '--settings', line.path(name)])
    expect(ran.exitCode).toBe(2)
    expect(ran.err).toBe(`error: ${line.path(name)}: must hold one JSON object\n`)
    expect(ran.err).not.toContain('hunter22')
  }
})

test('reports a missing or wrong key of the installation, and writes nothing under another one', async () => {
  const key = join(line.dataDir, 'secret.key')
  const words = ['account', 'create', '--name', 'Other']
  const before = await everything()
  renameSync(key, line.path('kept.key'))
  const lost = await line.run(words)
  expect(lost.exitCode).toBe(1)
  expect(lost.err).toMatch(/^error: the key file [^\n]+ is missing[^\n]+\n$/)
  writeFileSync(key, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  const foreign = await line.run(words)
  expect(foreign).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^error: [^\n]* is not in [^\n]+secret\.key\n$/),
  })
  rmSync(key)
  writeFileSync(key, 'not a key', { mode: 0o600 })
  expect(await line.run(words)).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^error: [^\n]+secret\.key must contain keys of 64[^\n]+\n$/),
  })
  renameSync(line.path('kept.key'), key)
  expect(await everything()).toEqual(before)
})

test.each(['serve', 'sandbox'])('%s checks the settings of sign-in before it starts anything', async (command) => {
  const other = new CommandLine({ initialized: false })
  other.environment = { POSTHORN_SSO_ISSUER: 'https://id.example', POSTHORN_SSO_CLIENT_ID: 'posthorn' }
  const words = [command, '--port', '0', '--admin-port', '0']
  expect(await other.run(words)).toEqual({
    exitCode: 2,
    out: '',
    err: 'error: POSTHORN_SSO_ISSUER needs POSTHORN_SSO_ROLES, such as *=support\n',
  })
  expect(existsSync(other.dataDir)).toBe(false)
  other.close()
})
