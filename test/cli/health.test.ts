/** `posthorn health` asks both ports of the gateway on this machine, and says which of them fails. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../src/app/gateway.ts'
import { readConfig } from '../../src/app/settings/config.ts'
import { CommandLine } from '../support/command-line.ts'
import { settled } from '../support/eventually.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { SilentLog } from '../support/silent-log.ts'

let line: CommandLine
let gateway: Gateway
let servers: Server[]

beforeEach(async () => {
  line = new CommandLine()
  servers = []
  await line.init()
  const config = readConfig({ port: '0', 'admin-port': '0', 'data-dir': line.dataDir }, {})
  gateway = await startGateway({ config, clock: line.clock, random: new SeededRandom(), log: new SilentLog() })
})
afterEach(async () => {
  for (const server of servers) server.close()
  await settled('the gateway to stop', gateway.stop(), line.clock)
  line.close()
})

const portOf = (address: string) => new URL(address).port

function health(ports: { readonly admin?: string; readonly public?: string }, ...more: readonly string[]) {
  const admin = ports.admin ?? portOf(gateway.adminAddress)
  return line.run(['health', '--admin-port', admin, '--port', ports.public ?? portOf(gateway.address), ...more])
}

/** A port on which no process listens. */
async function closedPort(): Promise<string> {
  const port = await failingPort()
  await new Promise((resolve) => void servers.pop()?.close(resolve))
  return port
}

/** A port that answers everything with 500. */
async function failingPort(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(500).end('broken'))
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return String((server.address() as AddressInfo).port)
}

test('both ports answer', async () => {
  expect(await health({})).toEqual({ exitCode: 0, out: 'admin port: ok\npublic port: ok\n', err: '' })
  expect(await health({}, '--ready')).toEqual({ exitCode: 0, out: 'admin port: ready\npublic port: ok\n', err: '' })
  expect(JSON.parse((await health({}, '--json')).out)).toEqual({ admin: 'ok', public: 'ok' })
})

test('the port that no process listens on is named', async () => {
  const closed = await closedPort()
  for (const name of ['admin', 'public']) {
    const { exitCode, err } = await health({ [name]: closed })
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      new RegExp(`^error: ${name} port: no answer from http://127.0.0.1:${closed}/healthz: connection ref`),
    )
  }
})

test('the port that answers something else is named', async () => {
  const failing = await failingPort()
  for (const name of ['admin', 'public']) {
    const { exitCode, err } = await health({ [name]: failing })
    expect(exitCode).toBe(1)
    expect(err).toContain(`${name} port: http://127.0.0.1:${failing}/healthz answers 500: broken`)
  }
})
