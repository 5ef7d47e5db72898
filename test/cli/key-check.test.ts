/** `posthorn key check`: an operator learns why a client reads `Access denied`. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine
let key: string

beforeEach(async () => {
  line = new CommandLine()
  await line.ask(['account', 'create', '--name', 'Shop'])
  key = String((await line.ask(['key', 'issue', '--account', '1', '--name', 'server']))['key'])
})
afterEach(() => line.close())

async function check(text: string, ...words: readonly string[]) {
  const { exitCode, out } = await line.run(['key', 'check', ...words, '--json'], text)
  const checked = JSON.parse(out) as { readonly opens: boolean }
  expect(exitCode).toBe(checked.opens ? 0 : 1)
  return checked
}

test('a key that opens its account says whose it is and what it may do, and the key is repeated nowhere', async () => {
  expect(await check(`${key}\n`)).toMatchObject({
    opens: true,
    refusal: null,
    account: 1,
    name: 'server',
    scopes: ['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup'],
  })
  const { out } = await line.run(['key', 'check'], key)
  expect(out).toMatch(/^opens +yes\naccount +1\nkey +server \([0-9a-f]{16}\)\n/)
  expect(out).not.toContain(key)
})

test('reports every cause', async () => {
  expect(await check('unknown')).toMatchObject({ opens: false, refusal: 'unknown key', account: null, name: null })
  expect(await check(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toMatchObject({ refusal: 'mistyped key' })
  await line.ask(['account', 'set', '--account', '1', '--allowed-networks', '192.0.2.0/24'])
  expect(await check(key)).toMatchObject({ opens: true, allowed_networks: ['192.0.2.0/24'] })
  expect(await check(key, '--address', '192.0.2.7')).toMatchObject({ opens: true })
  expect(await check(key, '--address', '198.51.100.7')).toMatchObject({ refusal: 'address not allowed' })
  await line.ask(['account', 'set', '--account', '1', '--state', 'suspended'])
  expect(await check(key)).toMatchObject({ refusal: 'account suspended', account: 1 })
  await line.ask(['account', 'set', '--account', '1', '--state', 'active'])
  await line.ask(['key', 'revoke', '--account', '1', '--name', 'server'])
  const revoked = { opens: false, refusal: 'revoked key', revoked_at: '2026-01-01T00:00:00.000Z' }
  expect(await check(key)).toMatchObject({ ...revoked, account: 1, name: 'server' })
  const { out } = await line.run(['key', 'check'], key)
  expect(out).toMatch(/^opens +no: revoked on 2026-01-01T00:00:00\.000Z\naccount +1\nkey +server \(/)
  expect(await line.run(['key', 'check'], 'unknown')).toMatchObject({
    exitCode: 1,
    out: expect.stringMatching(/^opens +no: unknown key\n/),
    err: 'error: the key is not accepted\n',
  })
  expect(await line.run(['key', 'check'], '\n')).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/standard input/),
  })
})

test('an account limited to networks is named with them, and an address must be one', async () => {
  await line.ask(['account', 'set', '--account', '1', '--allowed-networks', '192.0.2.0/24'])
  expect((await line.run(['key', 'check'], key)).out).toMatch(/^opens +yes, from 192\.0\.2\.0\/24 only\n/)
  expect((await line.run(['key', 'check', '--address', '192.0.2.7'], key)).out).toMatch(/^opens +yes\n/)
  expect(await line.run(['key', 'check', '--address', 'foo'], key)).toEqual({
    exitCode: 2,
    out: '',
    err: 'error: --address: must be an IP address such as 192.0.2.7 or 2001:db8::7\n',
  })
})
