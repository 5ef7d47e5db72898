/**
 * Carriers whose ids no database keeps as they are: with U+0000, or half a character. They name nothing that is known,
 * so calls with them are acknowledged, and what recipients write under them is recorded.
 */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeGsm } from '../../src/domain/text/gsm-alphabet.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { WHATSAPP_NUMBER_ID } from '../../src/simulator/phones/reply-channels.ts'
import { TAGS } from '../../src/wire/smpp/tlv.ts'
import { deliverSm } from '../support/deliver-sm.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const SECRET = 'a-secret-of-the-test'
const WRITER = '4915112345678'
const STRANGE: readonly (readonly [what: string, id: string])[] = [
  ['U+0000', 'q\0'],
  ['half a character', 'q\ud83d'],
  ['both', '\0\udc00q'],
]

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  const auth = { kind: 'token', token: SECRET }
  const settings = {
    request: { address: 'http://127.0.0.1:9/send', json: { to: '{{phone}}', text: '{{text}}' } },
    answer: { id: { path: 'id' } },
    receipt: { auth, id: 'id', status: 'state', reason: 'why', outcomes: { DELIVERED: 'delivered' } },
    inbound: { auth, from: 'from', to: 'to', text: 'text', id: 'id' },
  }
  const route = { operators: null, priority: 100, poolId: null, prefix: '4999' }
  const carrier = { id: 'parrot', kind: 'http', channel: 'sms', settings, route } as const
  await world.operate((store) => addCarrier(store, () => {}, carrier))
  await world.rest()
})
afterAll(() => world.stop())

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${world.gateway.address}/carriers/${path}`, { method: 'POST', body, headers })
  await world.rest()
  return response.status
}

function postAsGoogle(event: object): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(event))
  const signature = createHmac('sha512', world.box.rbm.clientToken).update(bytes).digest('base64')
  const body = JSON.stringify({ message: { data: bytes.toString('base64') } })
  return post('sandbox-rcs', body, { 'x-goog-signature': signature })
}

function postAsMeta(value: object): Promise<number> {
  const metadata = { phone_number_id: WHATSAPP_NUMBER_ID, display_phone_number: '555' }
  const changes = [{ field: 'messages', value: { metadata, ...value } }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ changes }] })
  const signature = createHmac('sha256', world.box.whatsapp?.appSecret ?? '')
    .update(body)
    .digest('hex')
  return post('sandbox-whatsapp', body, { 'x-hub-signature-256': `sha256=${signature}` })
}

const isKept = async (text: string) =>
  (await world.gateway.store.inboundMessages(100)).some((message) => message.text === text)

describe.each(STRANGE)('an id with %s', (what, id) => {
  const text = `text under ${what}`

  test('in the calls of an HTTP carrier', async () => {
    const receipt = { id, state: 'DELIVERED', why: id }
    expect(await post(`parrot/${SECRET}`, JSON.stringify(receipt))).toBe(200)
    const written = { id, from: WRITER, to: `12${id}34`, text: `${text} by HTTP` }
    expect(await post(`parrot/inbound/${SECRET}`, JSON.stringify(written))).toBe(200)
    expect(await isKept(`${text} by HTTP`)).toBe(true)
  })

  test('in the calls of Google', async () => {
    const phone = `+${WRITER}`
    const receipt = { phoneNumber: phone, eventType: 'DELIVERED', eventId: id, messageId: id }
    expect(await postAsGoogle(receipt)).toBe(200)
    const written = { senderPhoneNumber: phone, agentId: `${id}@google`, messageId: `m${id}`, text: `${text} by RCS` }
    expect(await postAsGoogle(written)).toBe(200)
    expect(await isKept(`${text} by RCS`)).toBe(true)
  })

  test('in the calls of Meta', async () => {
    const timestamp = String(Math.floor(world.clock.now() / 1_000))
    expect(await postAsMeta({ statuses: [{ id, status: 'delivered', recipient_id: WRITER, timestamp }] })).toBe(200)
    const written = { id, from: WRITER, timestamp, context: { id }, type: 'text', text: { body: `${text} by Meta` } }
    expect(await postAsMeta({ messages: [written] })).toBe(200)
    expect(await isKept(`${text} by Meta`)).toBe(true)
  })

  test('in the calls of Viber', async () => {
    const path = `sandbox-chat/${world.box.viber.webhookToken}`
    for (const status of ['delivered', 'received']) {
      const call = { message_token: id, message_status: status, phone_number: WRITER, message: { text } }
      expect(await post(path, JSON.stringify(call))).toBe(200)
    }
  })

  test('in the receipts of an SMSC, as a parameter and in the text', async () => {
    const words = 'sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:'
    const bytes = Buffer.from(id, 'latin1')
    const inText = Buffer.concat([Buffer.from('id:A'), bytes, Buffer.from(`B ${words}`)])
    const named = {
      esmClass: 4,
      tlvs: [{ tag: TAGS.receiptedMessageId, value: Buffer.concat([bytes, encodeGsm('x')]) }],
    }
    for (const receipt of [deliverSm(inText, { esmClass: 4 }), deliverSm(encodeGsm(words), named)]) {
      expect(await world.box.smsc.deliver(receipt)).toMatchObject({ kind: 'answered', answer: { status: 0 } })
    }
  })
})
