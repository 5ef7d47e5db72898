/** Names of accounts for lists that have their numbers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  await world.askAdmin('POST', '/accounts', { body: { name: 'Second', currency: 'EUR' } })
})
afterAll(() => world.stop())

const names = (accounts: string, token?: string) =>
  world.askAdmin('GET', `/account-names?accounts=${accounts}`, token === undefined ? {} : { token })

test('many are named by one request, and numbers without an account are left out', async () => {
  const { body } = await names('2,1,1,4000000000')
  expect(body).toEqual({
    data: [
      { account: 1, name: 'Sandbox' },
      { account: 2, name: 'Second' },
    ],
  })
})

test('at most 100 numbers are asked for, and nothing else than numbers', async () => {
  expect((await names(Array.from({ length: 100 }, (_, at) => at + 1).join(','))).status).toBe(200)
  for (const wrong of [Array.from({ length: 101 }, (_, at) => at + 1).join(','), '', '0', '1,', 'a', '1;2']) {
    expect(await names(wrong)).toMatchObject({ status: 400, body: { errors: [{ field: 'accounts' }] } })
  }
})

test('users of an account cannot name others', async () => {
  await world.askAdmin('POST', '/users', { body: { user: 'cleo', role: 'client-admin', account: 1 } })
  const { body } = await world.askAdmin('POST', '/users/cleo@1/tokens', { body: { label: 'l' } })
  expect((await names('2', String(body['token']))).status).toBe(403)
})
