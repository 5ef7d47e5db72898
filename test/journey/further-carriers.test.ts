/**
 * Carriers beside those of the sandbox, added as an operator adds them: WhatsApp with its list of templates, an
 * aggregator by settings alone, and what Google reports when a message expires. And unauthenticated calls to webhooks.
 */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { setChatTemplate } from '../../src/operations/admin/chat-templates/chat-templates.ts'
import type { CarrierKind } from '../../src/operations/admin/fields/carrier-kinds.ts'
import { type AggregatorDouble, startAggregatorDouble } from '../../src/simulator/http/aggregator.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import { startWhatsAppDouble, type WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let whatsapp: WhatsAppDouble
let aggregator: AggregatorDouble

const EVERYTHING = { operators: null, priority: 100, poolId: null }

function template(text: string, status = 'APPROVED'): CloudTemplate {
  return {
    id: '1',
    name: text.toLowerCase(),
    language: 'en',
    status,
    category: 'UTILITY',
    components: [{ type: 'BODY', text }],
  }
}

async function add(id: string, kind: CarrierKind, prefix: string, settings: object, channel?: 'sms'): Promise<void> {
  const route = { ...EVERYTHING, prefix }
  await world.operate((store) => addCarrier(store, () => {}, { id, kind, channel, settings, route }))
}

beforeAll(async () => {
  world = await SandboxWorld.start()
  const parts = { clock: world.clock, random: new SeededRandom(9), traffic: world.box.traffic }
  whatsapp = await startWhatsAppDouble(parts)
  whatsapp.templates.push(template('Your code is {{1}}.'), template('Soon', 'PENDING'))
  aggregator = await startAggregatorDouble({ ...parts, channel: 'sms' })
  const { address: baseUrl, accessToken, appSecret, wabaId } = whatsapp
  const meta = { baseUrl, accessToken, appSecret, wabaId, verifyToken: 'v', templateRefreshSeconds: 60 }
  await add('meta', 'whatsapp', '4916', { ...meta, senders: { ChatTest: '555' } })
  await add('parrot', 'http', '4916', aggregatorSettings(), 'sms')
  whatsapp.setWebhook(`${world.gateway.address}/carriers/meta`)
  aggregator.setWebhook(`${world.gateway.address}/carriers/parrot`)
  await world.carriersUp()
})

afterAll(async () => {
  await world.stop()
  await whatsapp.stop()
  await aggregator.stop()
})

function aggregatorSettings(): object {
  return {
    request: {
      address: `${aggregator.address}/v2/messages`,
      auth: { kind: 'bearer', token: aggregator.apiKey },
      json: {
        to: '{{+phone}}',
        from: '{{sender}}',
        text: '{{text}}',
        client_ref: '{{ref}}',
        validity: '{{#lifetime}}',
      },
    },
    lifetime: { least: 60, most: 259_200 },
    answer: { id: { path: 'messages[0].id' } },
    receipt: {
      auth: { kind: 'hmac', name: 'X-Signature', prefix: 'sha256=', secret: aggregator.webhookSecret },
      list: 'results',
      id: 'message.id',
      status: 'state',
      outcomes: { DELIVERED: 'delivered', FAILED: 'undeliverable', EXPIRED: 'expired' },
    },
  }
}

describe('the templates of WhatsApp', () => {
  async function listed(): Promise<readonly string[]> {
    const answer = await world.ask([{ type: 'template/chatapp/list' }])
    const found = answer.data?.[0]?.data as unknown as { template: string; signature: string; status: string }[]
    return found
      .filter(({ signature }) => signature === 'ChatTest')
      .map(({ template, status }) => `${template} ${status}`)
  }

  test('are those of its senders in every account, and follow the list', async () => {
    await world.operate((store) =>
      setChatTemplate(store, {
        accountId: world.accountId,
        signature: 'ChatTest',
        template: 'By hand',
        status: 'approved',
      }),
    )
    // Keeping the list is a duty of its own, of which a rest of the world knows nothing.
    const isKept = async () => (await listed()).includes('Soon submitted')
    await eventually('the whole list to be kept', isKept, { clock: world.clock })
    const before = await listed()
    expect(before).toEqual(
      expect.arrayContaining(['Your code is {{1}}. approved', 'Soon submitted', 'By hand approved']),
    )

    whatsapp.templates.splice(1, 1, template('New', 'REJECTED'))
    await world.pass(65)
    const after = await listed()
    expect(after).toEqual(expect.arrayContaining(['Soon removed', 'New rejected', 'By hand approved']))
    expect(after).toHaveLength(before.length + 1)

    const changes = await world.gateway.store.directoryRevision()
    await world.pass(65)
    expect(await listed()).toEqual(after)
    expect(await world.gateway.store.directoryRevision()).toBe(changes)
  })
})

test('a message that fits a template arrives by WhatsApp, another goes on to the next channel', async () => {
  const [fits, other] = await world.send(
    chatappItem('491601234500', { chatapp_message: 'Your code is 1234.' }),
    chainItem('491602234501', { chatapp_message: 'Anything' }),
  )
  await world.pass(3)
  expect(await world.story(fits as MessageId)).toMatchObject({
    timeline: ['chatapp taken', 'chatapp delivered'],
    arrived: ['chatapp'],
    reports: ['DELIVERED by chatapp for 0.04'],
  })
  expect(await world.story(other as MessageId)).toMatchObject({
    steps: ['rcs UNDELIVERABLE', 'chatapp REJECTED', 'sms DELIVERED'],
    arrived: ['sms'],
  })
})

test('a message by WhatsApp costs what Meta bills it as, and nothing where Meta bills nothing', async () => {
  const setCost = (cost: object) => world.askAdmin('PUT', '/costs', { body: { carrier: 'meta', ...cost } })
  await setCost({ price: 0.05, currency: 'USD' })
  await setCost({ price: 0.011, currency: 'USD', category: 'utility', prefix: '49' })
  const phone = '491605234504'
  await world.send(chatappItem(phone, { chatapp_message: 'Your code is 5678.' }))
  await world.pass(3)
  await whatsapp.write(phone, '555', 'Thanks')
  await world.send(chatappItem(phone, { chatapp_message: 'You are welcome.' }))
  await world.pass(3)
  const month = new Date(world.clock.now()).toISOString().slice(0, 7)
  const { data } = (await world.askAdmin('GET', `/margin?from=${month}`)).body
  const billed = (data as { carrier: string; cost: number | null }[]).filter(({ cost }) => cost !== null)
  expect(billed).toMatchObject([{ carrier: 'meta', messages: 2, revenue: 0.08, cost: 0.011, cost_currency: 'USD' }])
})

test('a long SMS that an aggregator takes whole is paid in parts and delivered by one receipt', async () => {
  const text = 'x'.repeat(400)
  const id = await world.sendOne(chainItem('491603234502', { chatapp_message: 'Anything', sms_message: text }))
  await world.pass(3)
  expect(await world.story(id)).toMatchObject({
    steps: ['rcs UNDELIVERABLE', 'chatapp REJECTED', 'sms DELIVERED'],
    money: ['hold 0.15', 'charge 0.15'],
    arrived: ['sms'],
    reports: ['DELIVERED by sms for 0.15'],
  })
  const failed = await world.sendOne(chainItem('491604234503', { chatapp_message: 'Anything', sms_message: text }))
  await world.pass(3)
  expect(await world.story(failed)).toMatchObject({ reports: ['UNDELIVERABLE by sms for 0.15: FAILED'] })
})

describe('when the time of an RCS message is over', () => {
  /** Google's word about the message to a phone. */
  async function notify(phone: string, eventType: string): Promise<void> {
    const messageId = world.box.traffic.to(phone)[0]?.ref
    const bytes = Buffer.from(
      JSON.stringify({ phoneNumber: `+${phone}`, eventType, eventId: `${phone} ${eventType}`, messageId }),
    )
    const signature = createHmac('sha512', world.box.rbm.clientToken).update(bytes).digest('base64')
    const response = await fetch(`${world.gateway.address}/carriers/sandbox-rcs`, {
      method: 'POST',
      headers: { 'x-goog-signature': signature },
      body: JSON.stringify({ message: { data: bytes.toString('base64') } }),
    })
    expect(response.status).toBe(200)
    await world.rest()
  }

  const chain = (phone: string) => world.sendOne(chainItem(phone, { rcs_lifetime: 60 }))

  test('and Google has revoked it, the next channel is tried at once', async () => {
    const id = await chain('491701250004')
    await world.rest()
    await notify('491701250004', 'TTL_EXPIRATION_REVOKED')
    await world.pass(1)
    expect(await world.story(id)).toMatchObject({
      steps: ['rcs EXPIRED', 'chatapp DELIVERED'],
      revoked: [],
      reports: ['DELIVERED by chatapp for 0.04'],
    })
  })

  test('and Google could not revoke it, a delivery still counts', async () => {
    const id = await chain('491702250004')
    await world.rest()
    await notify('491702250004', 'TTL_EXPIRATION_REVOKE_FAILED')
    expect(await world.story(id)).toMatchObject({ timeline: ['rcs taken', 'rcs accepted'], steps: ['rcs ACCEPTED'] })
    await notify('491702250004', 'DELIVERED')
    await world.pass(1)
    expect(await world.story(id)).toMatchObject({ steps: ['rcs DELIVERED'], arrived: ['rcs'] })
  })

  test('and the delivery comes after the next channel has begun, it ends the chain and costs once', async () => {
    const id = await world.sendOne(chainItem('491703250005', { rcs_lifetime: 60 }))
    await world.pass(61)
    await notify('491703250005', 'TTL_EXPIRATION_REVOKE_FAILED')
    await notify('491703250005', 'DELIVERED')
    await world.pass(1)
    expect(await world.story(id)).toMatchObject({
      steps: ['rcs DELIVERED', 'chatapp ACCEPTED'],
      arrived: ['rcs', 'chatapp'],
      money: ['hold 0.05', 'charge 0.03', 'release 0.02'],
    })
  })
})

describe('unauthenticated calls to webhooks', () => {
  async function refusals(): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
    const lines = text.matchAll(/^posthorn_webhooks_refused_total\{carrier="([^"]*)"\} (\d+)/gm)
    return new Map([...lines].map(([, carrier = '', count]) => [carrier, Number(count)]))
  }

  const CARRIERS = ['sandbox-rcs', 'sandbox-chat', 'meta', 'parrot']

  /** What the store and the phones know. */
  async function everything(ids: readonly MessageId[]) {
    const { store } = world.gateway
    return [
      await Promise.all(ids.map((id) => store.trace(id))),
      await world.balances(),
      await store.counts(),
      await store.directoryRevision(),
      world.box.traffic.arrivals.length,
      world.reports.length,
    ]
  }

  test('are refused and counted, and change nothing', async () => {
    const ids = await world.send(
      rcsItem('491701260004'),
      chatappItem('491701260005'),
      chatappItem('491601260005', { chatapp_message: 'Your code is 7.' }),
    )
    await world.rest()
    const before = await everything(ids)
    const counted = await refusals()
    const tried = new Map<string, number>()
    const random = new SeededRandom(3)
    for (const [index, id] of CARRIERS.flatMap((each) => Array(40).fill(each)).entries()) {
      const response = await fetch(...attack(id, index, ids, random))
      expect(response.status, `attack ${index}`).toBeGreaterThanOrEqual(400)
      expect(response.status, `attack ${index}`).toBeLessThan(500)
      await response.text()
      tried.set(id, (tried.get(id) ?? 0) + 1)
    }
    const now = await refusals()
    for (const id of CARRIERS) expect((now.get(id) ?? 0) - (counted.get(id) ?? 0)).toBe(tried.get(id))
    await world.rest()
    expect(await everything(ids)).toEqual(before)
  })

  test('cannot send bodies without end, nor make up carriers', async () => {
    const counted = await refusals()
    const large = 'x'.repeat(1024 * 1024 + 1)
    // If the address or a header shows that the call is not authentic, its body is not read.
    const expected = { 'sandbox-rcs': 413, 'sandbox-chat': 404, meta: 401, parrot: 401 }
    for (const id of CARRIERS) {
      const response = await fetch(`${world.gateway.address}/carriers/${id}`, { method: 'POST', body: large })
      expect([id, response.status]).toEqual([id, expected[id as keyof typeof expected]])
    }
    const tooLarge = 'x'.repeat(3 * 1024 * 1024 + 1)
    const headers = { 'x-hub-signature-256': `sha256=${'ab'.repeat(32)}` }
    const signed = await fetch(`${world.gateway.address}/carriers/meta`, { method: 'POST', body: tooLarge, headers })
    expect(signed.status).toBe(413)
    for (const id of ['unknown', '%00', '..%2f..', 'x'.repeat(500), '%zz', '']) {
      expect((await fetch(`${world.gateway.address}/carriers/${id}`, { method: 'POST', body: '{}' })).status).toBe(404)
    }
    const now = await refusals()
    for (const id of CARRIERS) expect(now.get(id)).toBe((counted.get(id) ?? 0) + (id === 'meta' ? 2 : 1))
    expect(now.get('unknown')).toBe((counted.get('unknown') ?? 0) + 6)
    expect([...now.keys()].sort()).toEqual([...CARRIERS, 'unknown'].sort())
  })

  test('have no effect if signed but with unknown ids', async () => {
    const [id] = await world.send(chatappItem('491602260005', { chatapp_message: 'Your code is 8.' }))
    await world.rest()
    const before = await everything([id as MessageId])
    const value = { metadata: { phone_number_id: '555' }, statuses: [{ id: 'wamid.unknown', status: 'delivered' }] }
    const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] })
    const signature = createHmac('sha256', whatsapp.appSecret).update(body).digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}` }
    const response = await fetch(`${world.gateway.address}/carriers/meta`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    await world.rest()
    expect(await everything([id as MessageId])).toEqual(before)
    await eventually('the carriers still to be up', () => world.carriersUp().then(() => true), { clock: world.clock })
  })

  /** An unauthenticated call: real ids, valid JSON or noise, and no signature or a wrong one. */
  function attack(
    carrier: string,
    index: number,
    ids: readonly MessageId[],
    random: SeededRandom,
  ): [string, RequestInit] {
    const phones = ['491701260004', '491701260005', '491601260005']
    const refs = phones.flatMap((phone) => world.box.traffic.to(phone).map(({ ref }) => ref))
    const ref = refs[index % refs.length] ?? String(ids[0])
    const event = Buffer.from(JSON.stringify({ eventType: 'DELIVERED', messageId: ref, eventId: 'x' })).toString(
      'base64',
    )
    const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
      JSON.stringify({ message: { data: event } }),
      JSON.stringify({ clientToken: 'guess', secret: 'x' }),
      JSON.stringify({ message_token: ref, message_status: 'delivered' }),
      JSON.stringify({ results: [{ message: { id: ref }, state: 'DELIVERED' }] }),
      JSON.stringify({
        entry: [{ changes: [{ field: 'messages', value: { statuses: [{ id: ref, status: 'read' }] } }] }],
      }),
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '',
      Uint8Array.from(random.bytes(300)),
    ]
    const wrong = Buffer.from(random.bytes(32))
    const headers = {
      'x-goog-signature': wrong.toString('base64'),
      'x-hub-signature-256': `sha256=${wrong.toString('hex')}`,
      'x-signature': `sha256=${wrong.toString('hex')}`,
      authorization: 'Basic YTpi',
    }
    const tail =
      ['', '/', '/guess', '?hub.mode=subscribe&hub.verify_token=guess&hub.challenge=1', '/%zz'][index % 5] ?? ''
    const url = `${world.gateway.address}/carriers/${carrier}${tail}`
    const method = index % 7 === 0 ? 'GET' : 'POST'
    const body = bodies[index % bodies.length] ?? ''
    return [url, { method, headers, ...(method === 'GET' ? {} : { body }) }]
  }
})
