/** Monitoring of the gateway, and unauthenticated calls to webhooks. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const status = async (url: string) => (await fetch(url)).status

/** The lines of /metrics that are Posthorn's, as name and labels to value. */
async function metrics(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${world.gateway.adminAddress}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('posthorn_'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

test('counters count every event and every end once; gauges show the present state', async () => {
  await useOwnWorld(world, (used) => {
    world = used
  })
  const ids = await world.send(
    rcsItem('491701242000'),
    rcsItem('491701242001'),
    rcsItem('491701242006'),
    rcsItem('491701242010'),
    chainItem('491701242002'),
    rcsItem('491701242004'),
  )
  await world.pass(5)
  const values = await metrics()
  const ended = [...values].filter(([name]) => name.startsWith('posthorn_messages_ended_total'))
  expect(Object.fromEntries(ended)).toEqual({
    'posthorn_messages_ended_total{status="DELIVERED",channel="rcs"}': 2,
    'posthorn_messages_ended_total{status="READ",channel="rcs"}': 1,
    'posthorn_messages_ended_total{status="UNDELIVERABLE",channel="rcs"}': 1,
    'posthorn_messages_ended_total{status="DELIVERED",channel="sms"}': 1,
  })
  expect(ended.reduce((sum, [, count]) => sum + count, 0)).toBe(ids.length - 1)
  expect(Object.fromEntries(values)).toMatchObject({
    'posthorn_message_events_total{kind="taken",channel="rcs"}': 4,
    'posthorn_message_events_total{kind="refused",channel="rcs"}': 2,
    'posthorn_message_events_total{kind="refused",channel="chatapp"}': 1,
    'posthorn_message_events_total{kind="taken",channel="sms"}': 1,
    'posthorn_message_events_total{kind="read",channel="rcs"}': 2,
    'posthorn_message_events_total{kind="late",channel="rcs"}': 2,
    posthorn_messages_held: 0,
    posthorn_parts_in_flight: 0,
    'posthorn_store_rows{what="open messages"}': 1,
    'posthorn_store_rows{what="pending reports"}': 0,
    'posthorn_carrier_up{carrier="sandbox-rcs",channel="rcs"}': 1,
    'posthorn_carrier_up{carrier="sandbox-sms",channel="sms"}': 1,
  })
})

test('denied access has a cause for operators, in the log and in the metrics, and none for the caller', async () => {
  await useOwnWorld(world, (used) => {
    world = used
  })
  const denied = { success: false, error: 'Access denied', code: 'access_denied' }
  for (let round = 0; round < 3; round += 1) expect(await world.post({ auth: 'unknown', data: [] })).toEqual(denied)
  const lines = () => world.log.lines.filter(({ line }) => line === 'access denied').map(({ fields }) => fields)
  expect(lines()).toEqual([{ cause: 'unknown key', count: 1 }])
  await world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body: { state: 'suspended' } })
  expect(await world.post({ auth: world.key, data: [] })).toEqual(denied)
  expect(lines().at(-1)).toMatchObject({
    cause: 'account suspended',
    account: world.accountId,
    key: 'sandbox',
    count: 1,
  })
  await world.askAdmin('PATCH', `/accounts/${world.accountId}`, { body: { state: 'active' } })
  await world.pass(60)
  expect(await world.post({ auth: 'unknown', data: [] })).toEqual(denied)
  expect(lines().at(-1)).toEqual({ cause: 'unknown key', count: 3 })
  expect(Object.fromEntries(await metrics())).toMatchObject({
    'posthorn_access_denied_total{cause="unknown key"}': 4,
    'posthorn_access_denied_total{cause="account suspended"}': 1,
  })
})

test('a webhook without the right signature changes nothing', async () => {
  const id = await world.sendOne(rcsItem('491702242004'))
  await world.rest()
  const ref = world.box.traffic.to('491702242004')[0]?.ref
  const before = [await world.trace(id), await world.balances()]
  const event = {
    senderPhoneNumber: '+491702242004',
    eventType: 'DELIVERED',
    eventId: 'e',
    messageId: ref,
    agentId: 'a',
  }
  const data = Buffer.from(JSON.stringify(event))
  const sign = (token: string) => createHmac('sha512', token).update(data).digest('base64')
  const post = async (path: string, signature: string | null, body: object) => {
    const headers = {
      'content-type': 'application/json',
      ...(signature === null ? {} : { 'x-goog-signature': signature }),
    }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${world.gateway.address}/carriers/${path}`, request)).status
  }
  const message = { message: { data: data.toString('base64') } }
  expect(await post('sandbox-rcs', null, message)).toBe(401)
  expect(await post('sandbox-rcs', sign('guessed'), message)).toBe(401)
  expect(await post('sandbox-chat/guessed', null, { message_token: 1, message_status: 'delivered' })).toBe(404)
  expect(await post('sandbox-sms', null, message)).toBe(404)
  expect(await post('unknown', null, message)).toBe(404)
  await world.rest()
  expect([await world.trace(id), await world.balances()]).toEqual(before)

  expect(await post('sandbox-rcs', sign(world.box.rbm.clientToken), message)).toBe(200)
  await world.rest()
  expect(await world.story(id)).toMatchObject({ steps: ['rcs DELIVERED'], money: ['hold 0.03', 'charge 0.03'] })
})

test('it is alive and ready, and no longer ready while it drains', async () => {
  const { address, adminAddress } = world.gateway
  expect(await status(`${address}/healthz`)).toBe(200)
  expect(await status(`${adminAddress}/healthz`)).toBe(200)
  expect(await status(`${adminAddress}/readyz`)).toBe(200)
  expect(await status(`${address}/readyz`)).toBe(404)
  expect(await status(`${address}/metrics`)).toBe(404)

  const id = await world.sendOne(rcsItem('491702242013'))
  await world.rest()
  const stopping = world.stopGateway()
  expect(await status(`${adminAddress}/readyz`)).toBe(503)
  await stopping
  await world.startGateway()
  expect(await status(`${world.gateway.adminAddress}/readyz`)).toBe(200)
  await world.pass(10)
  expect(await world.story(id)).toMatchObject({ arrived: ['rcs'], reports: ['DELIVERED by rcs for 0.03'] })
})
