/** Users of WhatsApp whom Meta names by an id, by another form of the phone, or by another id than before. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWhatsAppCarrier } from '../../src/carriers/whatsapp/whatsapp-carrier.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Carrier } from '../../src/ports/carriers/carrier.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'

const PHONE = '491701234504'

let bench: HttpBench<WhatsAppDouble>

beforeEach(async () => {
  bench = await buildWhatsAppBench()
  bench.carrier.start(bench.inbox)
  await eventually('the carrier to be up', () => bench.carrier.state().up)
})

afterEach(async () => {
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
})

let calls = 0

async function receive(news: object, carrier: Carrier = bench.carrier) {
  const value = { metadata: { display_phone_number: '1555555', phone_number_id: '555' }, ...news }
  const body = Buffer.from(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] }))
  const signature = createHmac('sha256', bench.double.appSecret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}` }
  return carrier.answerWebhook?.({ method: 'POST', path: '', headers, body })
}

function message(change: object): object {
  calls += 1
  const timestamp = String(Math.floor(bench.clock.now() / 1000))
  return { messages: [{ id: `wamid.${calls}`, timestamp, type: 'text', text: { body: 'Stop' }, ...change }] }
}

/** Meta names a user by both. */
const named = (userId: string) => ({
  statuses: [{ id: 'wamid.0', status: 'delivered', recipient_id: PHONE, recipient_user_id: userId }],
})

const lastSender = () => bench.inbox.arrivals.at(-1)?.sender

describe('a user id', () => {
  test('stands for the phone that Meta has named with it, in the field of the phone too', async () => {
    await receive(named('DE.4711'))
    await receive(message({ from_user_id: 'DE.4711' }))
    expect(lastSender()).toBe(PHONE)
    await receive(message({ from: 'DE.4711', text: { body: 'Stop it' } }))
    expect(bench.inbox.arrivals).toMatchObject([{ text: 'Stop' }, { sender: PHONE, text: 'Stop it' }])
  })

  test.each([
    ['a notice of the new id', { type: 'user_changed_user_id', user_id: 'DE.2', previous_user_id: 'DE.1' }, PHONE],
    [
      'a notice of the new number',
      { type: 'user_changed_number', user_id: 'DE.2', previous_user_id: 'DE.1', wa_id: '491709999999' },
      '491709999999',
    ],
    [
      'a notice without the previous id, which is that of the writer',
      { type: 'user_changed_user_id', user_id: 'DE.2' },
      PHONE,
    ],
  ])('that changes is followed by %s', async (_, system, phone) => {
    await receive(named('DE.1'))
    await receive(message({ type: 'system', from_user_id: 'DE.1', text: undefined, system }))
    await receive(message({ from_user_id: 'DE.2' }))
    expect(lastSender()).toBe(phone)
  })

  test('is known after a restart, and not without the store', async () => {
    await receive(named('DE.1'))
    const { double, clock, random, log } = bench
    const settings = {
      ...{ baseUrl: double.address, accessToken: double.accessToken, appSecret: double.appSecret },
      ...{ wabaId: double.wabaId, verifyToken: 'v', senders: { Shop: '555' } },
    }
    const again = createWhatsAppCarrier({ id: 'whatsapp-test', settings }, { clock, random, log })
    again.start(bench.inbox)
    bench.inbox.refusals = 1
    const written = message({ from_user_id: 'DE.1' })
    expect(await receive(written, again)).toMatchObject({ status: 503 })
    expect(await receive(written, again)).toMatchObject({ status: 200 })
    expect(bench.inbox.arrivals).toMatchObject([{ sender: PHONE }])
    await settled('the other carrier to stop', again.stop(), clock)
  })
})

describe('a phone in a form of Meta', () => {
  const send = async (phone: string) => {
    const content = { kind: 'text', text: 'Anything' } as const
    const submission = new SubmissionMaker(bench).make('04', { phone: phone as Phone, content })
    return (await settled('the verdict', bench.carrier.submit(submission)))[0]
  }

  test.each([
    ['5511987654304', '551187654304'],
    ['541133334404', '5491133334404'],
    ['525512345604', '5215512345604'],
  ])('of %s is %s, and opens the conversation with it', async (phone, waId) => {
    await bench.double.write(phone, '555', 'Hello')
    expect(lastSender()).toBe(waId)
    expect(await send(phone)).toMatchObject({ kind: 'taken' })
  })
})

test('a name that Meta gives a recipient in an answer stands for the phone that was sent to', async () => {
  const { carrier, inbox, double } = bench
  double.setWaId('380501234504', '700000012345')
  const submission = new SubmissionMaker(bench).make('04', { phone: '380501234504' as Phone })
  await settled('the verdict', carrier.submit(submission))
  await eventually('the name to be stored', () => inbox.users.has('700000012345'))
  await receive(message({ from: '700000012345' }))
  expect(lastSender()).toBe('380501234504')
})
