/** Signed calls of a carrier to a running gateway, while the carrier replaces its key. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

const SETTINGS = {
  request: { address: 'http://127.0.0.1:1/send', json: { text: '{{text}}' } },
  answer: { id: { path: 'id' } },
  receipt: {
    format: 'form',
    auth: {
      kind: 'signature',
      at: { header: 'X-Twilio-Signature' },
      algorithm: 'hmac-sha1',
      encoding: 'base64',
      keys: ['old-token'],
      signed: ['{{url}}{{sortedFields}}'],
    },
    id: 'MessageSid',
    status: 'MessageStatus',
    outcomes: { delivered: 'delivered' },
  },
}

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start(undefined, undefined, { 'public-url': 'https://gateway.example' })
})
afterEach(() => world.stop())

/** Returns the status of a receipt with a signature that this key made. */
async function call(key: string, status = 'delivered'): Promise<number> {
  const signed = `https://gateway.example/carriers/twilio?n=1MessageSidSM1MessageStatus${status}`
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', key).update(signed).digest('base64'),
  }
  const body = 'MessageStatus=delivered&MessageSid=SM1'
  return (await fetch(`${world.gateway.address}/carriers/twilio?n=1`, { method: 'POST', headers, body })).status
}

test('both keys count while they are in the settings, and others are refused and counted', async () => {
  const body = { kind: 'http', channel: 'sms', route: null, settings: SETTINGS }
  expect(await world.askAdmin('PUT', '/carriers/twilio', { body })).toMatchObject({ status: 200 })
  await world.pass(5)
  expect([await call('old-token'), await call('new-token')]).toEqual([200, 401])

  const patch = { settings: { receipt: { auth: { keys: ['<kept>', 'new-token'] } } } }
  const changed = await world.askAdmin('PATCH', '/carriers/twilio/settings', { body: patch })
  expect(changed.body['settings']).toMatchObject({
    receipt: { auth: { ...SETTINGS.receipt.auth, keys: ['<kept>', '<kept>'] } },
  })
  await world.pass(5)
  expect([
    await call('old-token'),
    await call('new-token'),
    await call('other'),
    await call('old-token', 'read'),
  ]).toEqual([200, 200, 401, 401])
  const metrics = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  expect(metrics).toContain('posthorn_webhooks_refused_total{carrier="twilio"} 3')
  const audit = JSON.stringify((await world.askAdmin('GET', '/audit')).body)
  expect(audit).toContain('changeCarrierSettings')
  expect(audit).not.toMatch(/(old|new)-token/)
})
