/** Which of Meta's calls are of a user, and open the 24 hours of free texts: notices and echoes are not. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
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

async function send(change: Partial<Submission> = {}) {
  const content = { kind: 'text', text: 'Anything' } as const
  const submission = new SubmissionMaker(bench).make('04', { phone: PHONE as Phone, content, ...change })
  return (await settled('the verdict', bench.carrier.submit(submission)))[0]
}

async function receive(message: object): Promise<void> {
  const sent = { from: PHONE, id: 'wamid.1', timestamp: String(Math.floor(bench.clock.now() / 1000)), ...message }
  const value = { metadata: { display_phone_number: '+1 555-555', phone_number_id: '555' }, messages: [sent] }
  const body = Buffer.from(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] }))
  const signature = createHmac('sha256', bench.double.appSecret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}` }
  expect(await bench.carrier.answerWebhook?.({ method: 'POST', path: '', headers, body })).toMatchObject({
    status: 200,
  })
}

describe('opens no conversation and is no inbound message', () => {
  test.each([
    [
      'a changed number',
      { type: 'system', system: { type: 'user_changed_number', wa_id: '491701234505', body: 'new' } },
    ],
    ['a changed user id', { type: 'system', system: { type: 'user_changed_user_id', user_id: 'DE.2' } }],
    ['a changed identity', { type: 'system', system: { type: 'customer_identity_changed', body: 'new' } }],
    ['what Meta does not pass on', { type: 'unsupported', errors: [{ code: 131051 }] }],
    ['an opened chat', { type: 'request_welcome' }],
    ['a notice that has a text', { type: 'system', text: { body: 'START' } }],
    ['a type of later versions', { type: 'poll_notice', text: { body: 'START' } }],
    ['a reaction that is taken back', { type: 'reaction', reaction: { message_id: 'wamid.0' } }],
    ['a permission that the app gave', { type: 'interactive', interactive: { call_permission_reply: {} } }],
    ['an echo of our own number', { type: 'text', from: '1555555', text: { body: 'START' } }],
  ])('%s', async (_, notice) => {
    await receive(notice)
    expect(bench.inbox.arrivals).toEqual([])
    expect(await send()).toMatchObject({ kind: 'refused', status: 'REJECTED' })
    expect(await send({ phone: '1555555' as Phone })).toMatchObject({ kind: 'refused' })
  })
})

test.each([
  ['a text', { type: 'text', text: { body: 'Hi' } }],
  ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.0', emoji: '👍' } }],
  ['a contact', { type: 'contacts', contacts: [{ name: {} }] }],
  ['an order', { type: 'order', order: {} }],
  ['a filled form', { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{}' } } }],
])('%s opens the conversation', async (_, message) => {
  await receive(message)
  expect(await send()).toMatchObject({ kind: 'taken' })
})

test('a text to a group is an inbound message and opens no conversation', async () => {
  await receive({ type: 'text', text: { body: 'Stop' }, group_id: 'Y2F' })
  expect(bench.inbox.arrivals).toMatchObject([{ sender: PHONE, text: 'Stop' }])
  expect(await send()).toMatchObject({ kind: 'refused' })
})

test('a message that Meta has reported as outside the 24 hours goes by its template, even if the recipient has written since', async () => {
  await receive({ type: 'text', text: { body: 'Hi' } })
  expect(await send({ closed: true })).toMatchObject({ kind: 'refused', status: 'REJECTED' })
  const content = { kind: 'text', text: 'Hello number 5' } as const
  expect(await send({ closed: true, content })).toMatchObject({ kind: 'taken' })
  expect(bench.traffic.arrivals).toMatchObject([{ text: 'Hello number 5' }])
})
