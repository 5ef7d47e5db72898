/**
 * `/metrics` and `/carriers`: read by who is near, or by who has the token; never by a web page in an operator's
 * browser.
 */
import { chmodSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

/** The status; `host` is what the request says, wherever it goes to. */
function ask(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asked = request(`${world.gateway.adminAddress}${path}`, { headers, agent: false }, (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  asked.on('error', reject).end()
  return promise
}
const askAs = (host: string, path = '/metrics') => ask(path, { host })

describe('without a token', () => {
  test.each([
    'evil.example',
    'evil.example:8081',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '[evil]',
    'posthorn:8081',
    'gw.local',
    'wpad',
    'local',
  ])('they are not answered to a page that calls this machine %j', async (host) => {
    expect([await askAs(host), await askAs(host, '/carriers')]).toEqual([403, 403])
  })

  test('they require a host name that cannot be registered; other paths do not', async () => {
    const near = [
      '127.0.0.1:8081',
      '192.0.2.7',
      '[::1]:8081',
      'localhost',
      'LOCALHOST:1',
      'gw.svc:8081',
      'app.localhost',
      'gw.internal.',
    ]
    expect(await Promise.all(near.map((host) => askAs(host)))).toEqual(near.map(() => 200))
    expect([await askAs('evil.example', '/readyz'), await askAs('evil.example', '/healthz')]).toEqual([200, 200])
  })
})

test('requests are answered under the name of the console, in any form of it', async () => {
  await world.stopGateway()
  await world.startGateway({ consoleOrigin: 'http://posthorn:8081' })
  const hosts = ['posthorn:8081', 'POSTHORN:8081', '127.0.0.1:8081']
  expect(await Promise.all(hosts.map((host) => askAs(host)))).toEqual([200, 200, 200])
  const others = ['posthorn', 'posthorn:9999', 'gateway:8081', 'posthorn.evil.example:8081', 'a@posthorn:8081', '/']
  expect(await Promise.all(others.map((host) => askAs(host, '/carriers')))).toEqual(others.map(() => 403))
})

test('a carrier calls its webhook on the public port under any host name', async () => {
  const askWebhook = async (host: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const path = `${world.gateway.address}/carriers/unknown/receipts`
    request(path, { method: 'POST', headers: { host }, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
    return promise
  }
  const hosts = ['gateway:8080', 'posthorn', 'hooks.example.com', 'gw.local']
  expect(await Promise.all(hosts.map(askWebhook))).toEqual([404, 404, 404, 404])
})

test('once a token is set, requests need it under any name', async () => {
  await world.stopGateway()
  await world.startGateway({ metricsToken: 'right' })
  const askWith = (authorization?: string) =>
    ask('/metrics', { host: 'evil.example', ...(authorization === undefined ? {} : { authorization }) })
  expect([await askWith(), await askWith('Bearer wrong'), await askWith('right')]).toEqual([401, 401, 401])
  expect([await askWith('Bearer right'), await ask('/carriers', { authorization: 'bearer right' })]).toEqual([200, 200])
  expect(await ask('/carriers', {})).toBe(401)
})

test('the admin port may listen on another address than the public one', async () => {
  await world.stopGateway()
  await world.startGateway({ adminHost: '127.0.0.2' })
  const { address, adminAddress } = world.gateway
  expect([address, adminAddress].map((each) => new URL(each).hostname)).toEqual(['127.0.0.1', '127.0.0.2'])
  expect(await askAs('127.0.0.2')).toBe(200)
})

test('a database file that was restored readable for others is closed to them, and the log says so', async () => {
  await world.stopGateway()
  const file = join(world.dataDir, 'posthorn.db')
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return
  chmodSync(file, 0o644)
  await world.startGateway()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = world.log.lines.map(({ line }) => line)
  expect(lines).toContain(`${file} was accessible to other users; its mode is now 0600`)
  await world.stopGateway()
  chmodSync(join(world.dataDir, 'secret.key'), 0o640)
  await expect(world.startGateway()).rejects.toThrow(/secret\.key is open to others than its owner; do: chmod 600/)
  chmodSync(join(world.dataDir, 'secret.key'), 0o600)
  await world.startGateway()
})
