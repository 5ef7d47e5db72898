/** Accounts over the admin API: what operators change there holds for clients with the very answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const DENIED = { success: false, error: 'Access denied' }

const change = (body: object, account = 1) => world.askAdmin('PATCH', `/accounts/${account}`, { body })
const balance = () => world.ask([{ type: 'balance' }])

test('an account is used from its networks alone, from the very answer on', async () => {
  const { body } = await change({ allowed_networks: ['192.0.2.7', '2001:DB8::/32'] })
  expect(body['allowed_networks']).toEqual(['192.0.2.7/32', '2001:db8::/32'])
  expect(await balance()).toEqual(DENIED)
  await change({ allowed_networks: ['127.0.0.0/8'] })
  expect(await balance()).toMatchObject({ success: true })
  await change({ allowed_networks: null })
  expect(await balance()).toMatchObject({ success: true })
})

test.each([
  [[], 400],
  ['127.0.0.1', 400],
  [['10.0.0.1/8'], 422],
  [['home'], 422],
])('networks like %j are refused', async (networks, status) => {
  expect((await change({ allowed_networks: networks })).status).toBe(status)
  expect((await world.askAdmin('GET', '/accounts/1')).body['allowed_networks']).toBeNull()
})
