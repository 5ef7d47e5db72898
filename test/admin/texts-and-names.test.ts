/** Texts that no database stores as they are, and names that no address can hold, in requests of operators. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGIN_DEFAULTS } from '../../src/domain/accounts/login.ts'
import { toAccountId } from '../../src/domain/ids/account-id.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const NOT_STORABLE = 'must not contain U+0000 or half a surrogate pair'
const NUL = '\u0000'
const HALF = 'a\ud800b'

test.each<[what: string, method: string, path: string, body: object | undefined, field: string]>([
  ['a filter', 'GET', '/statistics?carrier=%00', undefined, 'carrier'],
  ['a filter of the audit log', 'GET', '/audit?actor=a%00b', undefined, 'actor'],
  ['the key of what is removed', 'DELETE', '/inbound-numbers?carrier=sandbox-sms&address=%00', undefined, 'address'],
  ['the rest of such a key', 'DELETE', '/prices?channel=sms&currency=EUR&prefix=%00', undefined, 'prefix'],
  ['a part of the path', 'DELETE', '/users/sandbox/tokens/a%00', undefined, 'label'],
  ['a body', 'POST', '/accounts', { name: `Shop${NUL}` }, 'name'],
  ['half a character', 'POST', '/accounts', { name: HALF }, 'name'],
  ['a list', 'POST', '/accounts/1/logins', { name: 'shop', networks: ['192.0.2.0/24', NUL] }, 'networks.1'],
  ['a file', 'PUT', '/operators', { csv: `4917,26202,Voda${NUL}fone` }, 'csv'],
  ['an inner value', 'PUT', '/carriers/acme', { provider: 'twilio', answers: { account: HALF } }, 'answers.account'],
  ['an inner name', 'PUT', '/carriers/acme', { provider: 'twilio', answers: { [NUL]: 'x' } }, `answers.${NUL}`],
])('a text that databases refuse is refused in %s, by its name', async (_what, method, path, body, field) => {
  const answer = await world.askAdmin(method, path, body === undefined ? {} : { body })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field, detail: NOT_STORABLE }] } })
})

test('the settings of a carrier keep NUL, which ends a C string of SMPP', async () => {
  const tlvs = [{ tag: '0x1400', value: `110123${NUL}` }]
  const settings = { host: '127.0.0.1', port: 2775, systemId: 'posthorn', password: 'secret', tlvs }
  const body = { kind: 'smpp', channel: 'sms', settings }
  const added = await world.askAdmin('PUT', '/carriers/dlt', { body })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  const { carriers } = (await world.askAdmin('GET', '/configuration')).body
  const dryRun = { configuration: { carriers }, dry_run: true }
  const reviewed = await world.askAdmin('PUT', '/configuration', { body: dryRun })
  expect(reviewed.status, JSON.stringify(reviewed.body)).toBe(200)
  const half = { configuration: { inbound_numbers: [{ carrier: 'dlt', address: HALF, account: 1 }] }, dry_run: true }
  expect((await world.askAdmin('PUT', '/configuration', { body: half })).body['detail']).toBe(
    `inbound_numbers[0].address: ${NOT_STORABLE}`,
  )
})

test.each<[what: string, path: string, body: (name: string) => object, field: string]>([
  ['key', '/accounts/1/keys', (name) => ({ name }), 'name'],
  ['login', '/accounts/1/logins', (name) => ({ name }), 'name'],
  ['user', '/users', (user) => ({ user, role: 'support' }), 'user'],
  ['token', '/users/sandbox/tokens', (label) => ({ label }), 'label'],
])('a %s takes no name that addresses leave out', async (_what, path, body, field) => {
  for (const name of ['.', '..']) {
    const answer = await world.askAdmin('POST', path, { body: body(name) })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, detail: expect.stringContaining('..') }] } })
  }
  expect((await world.askAdmin('POST', path, { body: body('...') })).status).toBe(200)
})

test('names of earlier versions are removed by the command on the machine, and never address another thing', async () => {
  const line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  const store = await line.openStore('tool')
  const login = { ...LOGIN_DEFAULTS, name: '..', accountId: toAccountId(1), createdAt: 0 }
  const secrets = { salt: '', passwordHash: '', signingKey: null }
  await store.change({ kind: 'set client login', login: { ...login, secrets } })
  await store.close()
  const remove = ['login', 'remove', '--account', '1', '--name', '..']
  line.environment = { POSTHORN_TOKEN: 'x' }
  const refused = await line.run([...remove, '--server', 'http://127.0.0.1:1'])
  expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('run the command without --server') })
  await line.ask(remove)
  expect((await line.directory()).logins).toEqual([])
  await line.close()
})

test('what has no keyword, operator, sender or country is not removed by an empty one', async () => {
  const number = { carrier: 'sandbox-sms', address: '4930123', account: 1 }
  await world.askAdmin('PUT', '/inbound-numbers', { body: number })
  await world.askAdmin('PUT', '/quality/rules', { body: { mode: 'observe' } })
  await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-sms', prefix: '49', price: 0.01 } })
  const before = (await world.askAdmin('GET', '/configuration')).body
  for (const [path, field] of [
    ['/inbound-numbers?carrier=sandbox-sms&address=4930123&keyword=%21', 'keyword'],
    ['/inbound-numbers?carrier=sandbox-sms&address=4930123&keyword=', 'keyword'],
    ['/quality/rules?carrier=', 'carrier'],
    ['/quality/rules?country=', 'country'],
    ['/costs?carrier=sandbox-sms&prefix=49&operator=', 'operator'],
    ['/costs?carrier=sandbox-sms&prefix=49&category=', 'category'],
    ['/prices?channel=sms&currency=EUR&group=', 'group'],
    ['/routes?carrier=sandbox-sms&sender=', 'sender'],
  ]) {
    const answer = await world.askAdmin('DELETE', String(path))
    expect(answer.body, path).toMatchObject({ errors: [{ field }] })
  }
  expect((await world.askAdmin('GET', '/configuration')).body).toEqual(before)
})

test('a keyword has no characters that its reader does not see', async () => {
  const number = { carrier: 'sandbox-sms', address: '4930124', account: 1 }
  for (const keyword of ['wi\u0001n', 'wi\u200bn', '\u202ewin']) {
    const answer = await world.askAdmin('PUT', '/inbound-numbers', { body: { ...number, keyword } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'keyword' }] } })
  }
  const set = await world.askAdmin('PUT', '/inbound-numbers', { body: { ...number, keyword: ' Prüfung! ' } })
  expect(set).toMatchObject({ status: 200, body: { keyword: 'prüfung' } })
})

test('a reason has a length, and is not blank', async () => {
  const correct = (note: string) =>
    world
      .askAdmin('POST', '/accounts/1/corrections', { body: { amount: -0.01, note } })
      .then(({ body }) => body['errors'])
  expect(await correct('x'.repeat(501))).toEqual([{ field: 'note', detail: 'must be a text of 1 to 500 characters' }])
  expect(await correct(' ')).toEqual([{ field: 'note', detail: 'must say why' }])
})
