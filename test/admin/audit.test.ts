/** An auditor finds changes by time, user, action and subject, and takes them home as a file. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClientAccount } from '../support/client-account.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const HALF_A_MINUTE_MS = 30_000

let world: SandboxWorld
/** Before the sandbox's clock went on by a minute. */
let first: number
beforeAll(async () => {
  world = await SandboxWorld.start()
  first = world.clock.now()
  for (const limit of [1, 2]) await ask('PUT', '/accounts/1/credit-limit', { credit_limit: limit })
  await world.pass(60)
  await ask('PATCH', '/accounts/1', { name: '=SUM(A1)' })
})
afterAll(() => world.stop())

async function ask(method: string, path: string, body: object): Promise<void> {
  const { status, body: answer } = await world.askAdmin(method, path, { body })
  expect({ status, answer }).toMatchObject({ status: 200 })
}

async function found(query: string): Promise<readonly unknown[]> {
  const { body } = await world.askAdmin('GET', `/audit?${query}`)
  const data = body['data'] as readonly { readonly action: string; readonly after: unknown }[]
  return data.map(({ action }) => action)
}

test('changes are found by action and by time, and the last page says that no more follow', async () => {
  expect(await found('action=setCreditLimit')).toEqual(['setCreditLimit', 'setCreditLimit'])
  expect(await found('action=setCredit')).toEqual([])
  const both = await found('action=setCreditLimit,changeAccount')
  expect(new Set(both)).toEqual(new Set(['setCreditLimit', 'changeAccount']))
  const later = new Date(first + HALF_A_MINUTE_MS).toISOString()
  expect(await found(`from=${later}`)).toEqual(['changeAccount'])
  expect(await found(`until=${later}&action=changeAccount`)).toEqual([])
  // The older changes are no reason to read on.
  const { body } = await world.askAdmin('GET', `/audit?from=${later}&most=1`)
  expect(body).toMatchObject({ next: null })
  const { body: older } = await world.askAdmin('GET', `/audit?action=setCreditLimit&most=1`)
  expect(older['next']).not.toBeNull()
})

test.each([['from=yesterday'], ['until=2026-02-30'], [`action=${'x'.repeat(401)}`]])('refuses %s', async (query) => {
  for (const path of ['/audit', '/audit/csv']) {
    const { status, body } = await world.askAdmin('GET', `${path}?${query}`)
    expect([400, 422]).toContain(status)
    expect(JSON.stringify(body)).toContain(query.split('=')[0])
  }
})

test('a file has the changes of the filters, with no text that a spreadsheet would calculate', async () => {
  const { body } = await world.askAdmin('GET', '/audit/csv?subject=account 1')
  const [heads, line] = String(body['csv']).split('\n')
  expect(body['next']).toBeNull()
  expect(heads).toBe('at,actor,via,action,subject,currency,before,after')
  expect(line).toContain('changeAccount,account 1')
  expect(String(body['csv'])).not.toMatch(/(^|,)"?=SUM/m)
  const { body: none } = await world.askAdmin('GET', '/audit/csv?actor=nemo')
  expect(String(none['csv']).trim()).toBe(heads)
})

test('users of an account get a file of their own changes, without values', async () => {
  const client = await ClientAccount.create(world, 'wren')
  const { status, body } = await client.ask('client-admin', 'GET', '/audit/csv')
  expect(status).toBe(200)
  const [heads, ...lines] = String(body['csv']).trim().split('\n')
  expect(heads).toBe('at,actor,via,action,subject')
  expect(lines.every((line) => line.includes(`@${client.id}`))).toBe(true)
})
