/** A text that WhatsApp takes and later reports as outside the 24 hours: it is sent once more, by its template. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chainItem, chatappItem } from '../support/send-items.ts'

let world: SandboxWorld
let whatsapp: WhatsAppDouble

const NUMBER = '555'

beforeAll(async () => {
  world = await SandboxWorld.start()
  whatsapp = await startWhatsAppDouble({
    clock: world.clock,
    random: new SeededRandom(9),
    traffic: world.box.traffic,
  })
  const components = [{ type: 'BODY' as const, text: 'Your code is {{1}}.' }]
  whatsapp.templates.push({
    id: '1',
    name: 'code',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    components,
  })
  const { address: baseUrl, accessToken, appSecret, wabaId } = whatsapp
  const settings = { baseUrl, accessToken, appSecret, wabaId, verifyToken: 'v', senders: { ChatTest: NUMBER } }
  const route = { prefix: '4916', operators: null, priority: 100, poolId: null }
  await world.operate((store) => addCarrier(store, () => {}, { id: 'meta', kind: 'whatsapp', settings, route }))
  whatsapp.setWebhook(`${world.gateway.address}/carriers/meta`)
  await world.carriersUp()
})

afterAll(async () => {
  await world.stop()
  await whatsapp.stop()
})

/** The phone has written, and by Meta's clock that was too long ago. */
async function writeLongAgo(phone: string): Promise<void> {
  await whatsapp.write(phone, NUMBER, 'Hello')
  whatsapp.close(phone, NUMBER)
}

/** Meta's word that it could not deliver a message. */
async function fail(ref: string, phone: string): Promise<void> {
  const errors = [{ code: 131047, title: 'Re-engagement message' }]
  const value = {
    metadata: { phone_number_id: NUMBER },
    statuses: [{ id: ref, status: 'failed', recipient_id: phone, timestamp: '1767225600', errors }],
  }
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
  const signature = createHmac('sha256', whatsapp.appSecret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}` }
  const response = await fetch(`${world.gateway.address}/carriers/meta`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  await world.rest()
}

/** Meta's id of the first try of a message. */
async function firstRef(id: MessageId): Promise<string> {
  const { body } = await world.askAdmin('GET', `/messages/${id}`)
  return /"detail":"as (wamid[^"]+)"/.exec(JSON.stringify(body))?.[1] ?? ''
}

test('the message arrives by its template, is charged once, and repeats of the failure change nothing', async () => {
  const phone = '491601234500'
  await writeLongAgo(phone)
  const id = await world.sendOne(chatappItem(phone, { chatapp_message: 'Your code is 1234.' }))
  await world.rest()
  await fail(await firstRef(id), phone)
  await world.pass(3)
  expect(await world.story(id)).toMatchObject({
    timeline: ['chatapp taken', 'chatapp failed', 'chatapp taken', 'chatapp late', 'chatapp delivered'],
    money: ['hold 0.04', 'charge 0.04'],
    arrived: ['chatapp'],
    reports: ['DELIVERED by chatapp for 0.04'],
  })
})

test('a chain goes on if no template fits', async () => {
  const phone = '491602234501'
  await writeLongAgo(phone)
  const id = await world.sendOne(chainItem(phone, { chatapp_message: 'Anything' }))
  await world.pass(3)
  expect(await world.story(id)).toMatchObject({
    steps: ['rcs UNDELIVERABLE', 'chatapp REJECTED', 'sms DELIVERED'],
    timeline: ['rcs refused', 'chatapp taken', 'chatapp failed', 'chatapp refused', 'sms taken', 'sms delivered'],
    arrived: ['sms'],
    reports: ['DELIVERED by sms for 0.05'],
  })
})
