/** What support sees of one message beside its timeline. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  await world.askAdmin('PUT', '/costs', { body: { carrier: SANDBOX_CARRIERS.sms, price: 0.02 } })
})
afterAll(() => world.stop())

const SMS = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' }
const details = (id: number, token?: string) =>
  world.askAdmin('GET', `/messages/${id}/details`, token === undefined ? {} : { token })

test('operator, parts with the ids of the carrier, money with cost and margin, links, and its reports', async () => {
  const id = await world.sendOne({
    ...{ type: 'sms', phone: '491701800100', sms_signature: 'SMSTest', short_link: true },
    sms_message: `See https://client.example/offer ${'x'.repeat(150)}`,
  })
  await world.pass(10)
  const { status, body } = await details(id)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      ...{ message: id, country: 'DE', mccmnc: '26201', send_at: null, deadline_at: null, bulk: null },
      ...{ verification: null, opted_out: [], currency: 'EUR' },
      ...{ cost: 0.04, cost_currency: 'EUR', margin: 0.06, reports_pending: 0, reports_failed: 0 },
      parts: [
        { channel: 'sms', part: 1, state: 'delivered', carrier: SANDBOX_CARRIERS.sms, carrier_id: expect.any(String) },
        { channel: 'sms', part: 2, state: 'delivered' },
      ],
      postings: [
        { kind: 'hold', amount: 0.1, cost: null },
        { kind: 'charge', amount: 0.1, carrier: SANDBOX_CARRIERS.sms, cost: 0.04, cost_currency: 'EUR' },
      ],
      links: [{ address: 'https://client.example/offer', humans: 0, robots: 0 }],
    },
  })
  expect(body['reports_sent']).toBeGreaterThan(0)
})

test('a chain shows the parts of each step that was tried, and what is planned', async () => {
  const at = new Date(world.clock.now() + 3_600_000).toISOString()
  const id = await world.sendOne({
    ...{ type: 'rcs', phone: '491701800100', rcs_signature: 'RCSTest', rcs_message: 'Hello', send_at: at },
  })
  expect((await details(id)).body).toMatchObject({
    ...{ send_at: at, deadline_at: expect.any(String), cost: null, margin: null },
    parts: [{ channel: 'rcs', part: 1, state: 'open', carrier: null, carrier_id: null }],
    postings: [{ kind: 'hold', amount: 0.03 }],
  })
})

test('costs are for roles that read prices, the margin for fewer, and no one reads another message', async () => {
  const id = await world.sendOne({ ...SMS, phone: '491701800100' })
  await world.pass(10)
  for (const [role, expected] of [
    ['support', { cost: null, cost_currency: null, margin: null, postings: [{}, { cost: null }] }],
    ['operator', { cost: 0.02, margin: null }],
    ['finance', { cost: 0.02, margin: 0.03 }],
  ] as const) {
    await world.askAdmin('POST', '/users', { body: { user: role, role } })
    const issued = await world.askAdmin('POST', `/users/${role}/tokens`, { body: { label: 'test' } })
    expect((await details(id, String(issued.body['token']))).body).toMatchObject(expected)
  }
  expect(await details(6400064)).toMatchObject({ status: 404 })
})

test('a message that waits names its carriers and why they do not take it, to operators of the gateway', async () => {
  const { sms } = SANDBOX_CARRIERS
  const waitsFor = async (id: number) => (await details(id)).body['waits_for']
  await world.askAdmin('POST', `/carriers/${sms}/drain`)
  const id = await world.sendOne({ ...SMS, phone: '491701800101' })
  await world.rest()
  expect(await waitsFor(id)).toEqual([{ carrier: sms, state: 'draining', reason: null, queued: expect.any(Number) }])
  await world.askAdmin('POST', `/carriers/${sms}/resume`)
  await world.pass(10)
  expect(await waitsFor(id)).toEqual([])

  await world.box.smsc.goDown()
  const other = await world.sendOne({ ...SMS, phone: '491701800102' })
  await world.rest()
  expect(await waitsFor(other)).toEqual([
    { carrier: sms, state: 'disconnected', reason: expect.any(String), queued: expect.any(Number) },
  ])
  await world.askAdmin('POST', '/users', { body: { user: 'client', role: 'client-reader', account: 1 } })
  const issued = await world.askAdmin('POST', '/users/client@1/tokens', { body: { label: 'test' } })
  const seen = await details(other, String(issued.body['token']))
  expect(seen).toMatchObject({ status: 200, body: { message: other } })
  expect(seen.body).not.toHaveProperty('waits_for')
  await world.box.smsc.comeBack()
})
