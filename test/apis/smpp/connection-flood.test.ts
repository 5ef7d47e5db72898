/** Connections that bind nothing: one address leaves room for the binds of others, and keeps what it has bound. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATUS } from '../../../src/wire/smpp/command-status.ts'
import { buildLogin } from '../../support/build-message.ts'
import { eventually } from '../../support/eventually.ts'
import { SandboxWorld } from '../../support/sandbox-world.ts'
import { SmppClient } from '../../support/smpp-client.ts'

let world: SandboxWorld
let clients: SmppClient[]
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { apis: 'json,smpp', 'smpp-port': '0' })
  clients = []
  const login = buildLogin({ name: 'shop', accountId: world.accountId })
  await world.gateway.store.change({ kind: 'set client login', login })
  await world.gateway.refresh()
})
afterEach(async () => {
  for (const client of clients) client.close()
  await world.stop()
})

function connect(address?: string): SmppClient {
  const client = new SmppClient(world.gateway.smppPort, address)
  clients.push(client)
  return client
}

test('an address that only connects keeps no other from binding, nor what it has bound', async () => {
  const own = connect()
  expect(await own.bind('shop')).toMatchObject({ status: STATUS.ok })
  const idle = Array.from({ length: 60 }, () => connect())
  await eventually('the surplus to be closed', () =>
    idle.filter(({ isClosed }) => isClosed).length === 10 ? true : undefined,
  )
  expect(await connect('127.0.0.2').bind('shop')).toMatchObject({ status: STATUS.ok })
  expect(own.isClosed).toBe(false)
  for (const client of idle) client.close()
  const again = await eventually('room for another', async () => {
    const client = connect()
    const closed = new Promise<null>((resolve) => client.socket.once('close', () => resolve(null)))
    return (await Promise.race([client.bind('shop'), closed])) ?? undefined
  })
  expect(again).toMatchObject({ status: STATUS.ok })
})
