/** A document with many changes permits nothing that the endpoint of a single change refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
const tokens = new Map<string, string>()
beforeAll(async () => {
  world = await SandboxWorld.start()
  for (const role of ['owner', 'operator', 'finance', 'support', 'auditor']) {
    await world.askAdmin('POST', '/users', { body: { user: role, role } })
    const { body } = await world.askAdmin('POST', `/users/${role}/tokens`, { body: { label: 'test' } })
    tokens.set(role, String(body['token']))
  }
})
afterAll(() => world.stop())

const as = (role: string) => ({ token: tokens.get(role) ?? '' })
const apply = (role: string, configuration: object, dryRun = false) =>
  world.askAdmin('PUT', '/configuration', { ...as(role), body: { configuration, dry_run: dryRun } })
const exported = async () => (await world.askAdmin('GET', '/configuration')).body

type Entry = Readonly<Record<string, unknown>>
const dearer = (prices: unknown) => (prices as readonly Entry[]).map((price) => ({ ...price, price: 0.99 }))

describe('PUT /configuration', () => {
  test.each([false, true])('refuses an operator who changes prices, in a dry run too (dry run: %s)', async (dryRun) => {
    const before = await exported()
    const { status, body } = await apply('operator', { prices: dearer(before['prices']) }, dryRun)
    expect(status).toBe(403)
    expect(body).toMatchObject({ detail: 'operator may not change prices; owner and finance may' })
    expect(await exported()).toEqual(before)
  })

  test('refuses an operator who removes prices, or adds one', async () => {
    const before = await exported()
    expect((await apply('operator', { prices: [] })).status).toBe(403)
    const added = { channel: 'sms', currency: 'EUR', prefix: '4917', price: 0 }
    expect((await apply('operator', { prices: [...(before['prices'] as readonly Entry[]), added] })).status).toBe(403)
    expect(await exported()).toEqual(before)
  })

  test('lets an operator apply a whole document in which the prices are as they were', async () => {
    const before = await exported()
    const numbers = [{ list: 'deny', digits: '881', whole: false, note: 'satellite' }]
    // The sandbox has steps that live shorter than a document may ask for.
    const { accounts: _, ...document } = before
    const { status, body } = await apply('operator', { ...document, numbers })
    expect({ status, body }).toMatchObject({ status: 200, body: { difference: ['+ 881… on the deny list'] } })
    expect((await exported())['prices']).toEqual(before['prices'])
  })

  test('lets an owner change the prices', async () => {
    const before = await exported()
    expect((await apply('owner', { prices: dearer(before['prices']) })).status).toBe(200)
    expect((await apply('owner', { prices: before['prices'] })).status).toBe(200)
  })
})

test('what a role may not change it can change by no other endpoint either', async () => {
  const tariff = { currency: 'EUR', csv: 'channel,prefix,operator,from,until,price\nsms,,,,,0\n' }
  const refused = await Promise.all([
    world.askAdmin('PUT', '/tariff', { ...as('operator'), body: tariff }),
    world.askAdmin('POST', '/accounts/1/tariff-copies', { ...as('operator'), body: { percent: 1 } }),
    world.askAdmin('POST', '/accounts/1/top-ups', { ...as('operator'), body: { amount: 1 } }),
    world.askAdmin('PUT', '/operators', { ...as('finance'), body: { csv: '' } }),
    world.askAdmin('PUT', '/pools/berlin/numbers', { ...as('finance'), body: { csv: '4930123400000' } }),
    world.askAdmin('PUT', '/carriers/x', { ...as('finance'), body: { kind: 'smpp', settings: {} } }),
    apply('finance', {}),
    apply('support', {}),
    apply('auditor', {}),
  ])
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
})
