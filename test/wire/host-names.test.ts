/** Host names: resolved without the threads of the process, by the system's files. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HostNames } from '../../src/wire/host-names.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'host-names-'))
const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
let server: NameServer
let names: HostNames

beforeAll(async () => {
  server = await startNameServer({
    'hook.example': [{ a: '192.0.2.1' }, { a: '192.0.2.2' }],
    'gateway.shop.svc': [{ a: '10.1.2.3' }],
    'a.b.shop.svc': [{ a: '10.1.2.4' }],
  })
  writeFileSync(hostsFile, '127.0.0.1 localhost\n10.0.0.7 intranet Intra.Example # a comment\n::1 intranet\n')
  writeFileSync(resolvFile, 'search shop.svc cluster.local\noptions ndots:2\n')
})
beforeEach(() => {
  server.isSilent = false
  names = new HostNames({ servers: [server.address], timeoutMs: 50, hostsFile, resolvFile })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const addressesOf = async (name: string) => (await names.resolve(name)).map(({ address }) => address)

test('a name is resolved by DNS, with all its addresses', async () => {
  expect(await addressesOf('hook.example')).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await addressesOf('HOOK.example.')).toEqual(['192.0.2.1', '192.0.2.2'])
})

test('the hosts file comes first, and is read again when it has changed', async () => {
  expect(await addressesOf('intra.EXAMPLE')).toEqual(['10.0.0.7'])
  expect(await addressesOf('intranet')).toEqual(['10.0.0.7', '::1'])
  writeFileSync(hostsFile, '10.0.0.8 intranet\n')
  utimesSync(hostsFile, 1, 1)
  expect(await addressesOf('intranet')).toEqual(['10.0.0.8'])
  expect(await addressesOf('localhost')).toEqual(['127.0.0.1', '::1'])
})

test('search domains are tried, and come first for short names', async () => {
  expect(await addressesOf('gateway')).toEqual(['10.1.2.3'])
  expect(await addressesOf('a.b')).toEqual(['10.1.2.4'])
  await expect(names.resolve('gateway.')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a name that DNS does not know is an error at once', async () => {
  await expect(names.resolve('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('a silent name server is given up, and queried once for all callers with the same name', async () => {
  server.isSilent = true
  const before = server.asked.length
  const waiting = Array.from({ length: 10 }, () => names.resolve('hook.example'))
  for (const each of waiting) await expect(each).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(new Set(server.asked.slice(before)).size).toBeLessThanOrEqual(2)
})

test('an address is returned unchanged', async () => {
  expect(await names.resolve('192.0.2.9')).toEqual([{ address: '192.0.2.9', family: 4 }])
})
