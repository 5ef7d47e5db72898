/** A form for a new thing must not replace one that exists: each endpoint that adds or replaces takes `new`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const SMSC = { host: '127.0.0.1', port: 2775, systemId: 'north', password: 'secret' }
const THINGS = [
  ['/carriers/north', { kind: 'smpp', settings: SMSC }, { kind: 'smpp', settings: { ...SMSC, port: 2776 } }, 'id'],
  [
    '/routes',
    { carrier: 'sandbox-sms', prefix: '371' },
    { carrier: 'sandbox-sms', prefix: '371', priority: 7 },
    'prefix',
  ],
  ['/notification-targets/office', { kind: 'email', recipients: ['a@example.com'] }, { kind: 'email' }, 'name'],
  ['/inbound-numbers', { carrier: 'sandbox-sms', address: '491234', account: 1 }, { hook: 'feed:' }, 'address'],
  ['/pools/berlin/numbers', { csv: '4930123400000-4930123400999' }, { csv: '4930123500000', mode: 'replace' }, 'id'],
] as const

test.each(THINGS)('%s refuses a second new one, and keeps the first', async (path, first, second, field) => {
  const put = (body: object) => world.askAdmin('PUT', path, { body: { ...first, ...body } })
  expect((await put({ new: true })).status).toBe(200)
  const audited = async () => (await world.askAdmin('GET', '/audit?most=1')).body
  const before = await audited()
  const refused = await put({ ...second, new: true })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ field, detail: expect.stringContaining('exists') }] },
  })
  expect(await audited()).toEqual(before)
  expect((await put(second)).status).toBe(200)
})
