/** What Google posts: receipts, replies, and the set-up call. */
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { WebhookAnswer } from '../../src/ports/carriers/carrier.ts'
import type { RbmDouble } from '../../src/simulator/rbm/rbm.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildRbmBench, type HttpBench } from '../support/http-benches.ts'

let bench: HttpBench<RbmDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

/** Returns a started carrier; its clock stands still unless a test moves it. */
async function begin(settings: object = {}) {
  bench = await buildRbmBench(settings)
  const { carrier, inbox } = bench
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  return { carrier, inbox }
}

describe('the webhook', () => {
  const SECRET = 'the-client-token'

  /** A call as Google makes it; `sign` replaces its signature. */
  async function call(
    event: unknown,
    sign = (bytes: Buffer) => signatureOf(bytes),
  ): Promise<WebhookAnswer | undefined> {
    const bytes = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))
    const headers = { 'x-goog-signature': sign(bytes) }
    const body = Buffer.from(JSON.stringify({ message: { data: bytes.toString('base64') } }))
    return bench?.carrier.answerWebhook?.({ method: 'POST', path: '', headers, body })
  }

  const signatureOf = (bytes: Buffer) => createHmac('sha512', SECRET).update(bytes).digest('base64')

  const event = (eventType: string, more: object = {}) => ({
    senderPhoneNumber: '+380501234500',
    eventType,
    eventId: 'e1',
    messageId: 'ref-1',
    agentId: 'agent-one',
    ...more,
  })

  test.each([
    ['DELIVERED', 'delivered'],
    ['READ', 'read'],
    ['TTL_EXPIRATION_REVOKED', 'expired'],
    ['TTL_EXPIRATION_REVOKE_FAILED', 'accepted'],
  ])('records %s as %s', async (eventType, outcome) => {
    const { inbox } = await begin({ clientToken: SECRET })
    expect(await call(event(eventType))).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([{ carrierId: 'rbm-test', ref: 'ref-1', outcome, detail: eventType }])
  })

  test.each([
    ['typing', event('IS_TYPING')],
    ['an unknown event', event('SUBSCRIBED')],
    ['an event of the object prototype', event('constructor')],
    ['a message without a sender', { messageId: 'm', text: 'Hello' }],
    ['a message of nothing', { senderPhoneNumber: '+380501234500', messageId: 'm', location: {} }],
    ['an event with the text of our message', event('SUBSCRIPTION_NOTICE', { text: 'START' })],
    ['a delivery of nothing', event('DELIVERED', { messageId: 5 })],
    ['no JSON', '{'],
    ['a list', '[]'],
  ])('acknowledges and ignores %s', async (_, body) => {
    const { inbox } = await begin({ clientToken: SECRET })
    expect(await call(body)).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([])
  })

  test.each([
    ['another key', (bytes: Buffer) => createHmac('sha512', 'other').update(bytes).digest('base64')],
    ['other bytes', (bytes: Buffer) => signatureOf(Buffer.concat([bytes, Buffer.from(' ')]))],
    ['the encoded bytes', (bytes: Buffer) => signatureOf(Buffer.from(bytes.toString('base64')))],
    ['hex', (bytes: Buffer) => createHmac('sha512', SECRET).update(bytes).digest('hex')],
    ['nothing', () => ''],
  ])('refuses a signature of %s', async (_, sign) => {
    const { inbox } = await begin({ clientToken: SECRET })
    expect(await call(event('DELIVERED'), sign)).toMatchObject({ status: 401 })
    expect(inbox.receipts).toEqual([])
  })

  test.each([
    [
      { text: 'STOP', messageId: 'm1' },
      { text: 'STOP', key: 'm1' },
    ],
    [
      { suggestionResponse: { text: 'No more', postbackData: 'STOP' }, messageId: 'm2' },
      { text: 'No more', payload: 'STOP', key: 'm2' },
    ],
    [
      { location: { latitude: 52.52, longitude: -13.405 }, messageId: 'm3' },
      {
        text: 'geo:52.52,-13.405',
        content: { kind: 'location', latitude: 52.52, longitude: -13.405 },
        key: 'm3',
      },
    ],
    [
      {
        userFile: { payload: { mimeType: 'image/gif', fileName: 'cat.gif', fileUri: 'https://files.example/cat' } },
        messageId: 'm4',
      },
      {
        text: 'https://files.example/cat',
        content: {
          kind: 'file',
          link: 'https://files.example/cat',
          mediaId: null,
          mimeType: 'image/gif',
          name: 'cat.gif',
        },
        key: 'm4',
      },
    ],
    [event('UNSUBSCRIBE'), { text: 'UNSUBSCRIBE', consent: 'stop', key: 'e1' }],
    [event('SUBSCRIBE'), { text: 'SUBSCRIBE', consent: 'start', key: 'e1' }],
  ])('records what a recipient does: %j', async (said, arrival) => {
    const { inbox } = await begin({ clientToken: SECRET, agents: { Shop: 'agent-shop@rbm.goog' } })
    const from = { senderPhoneNumber: '+380501234500', agentId: 'agent-shop', sendTime: '2025-12-31T23:59:58.5Z' }
    for (let round = 0; round < 2; round += 1)
      expect(await call({ ...said, ...from })).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([])
    expect(inbox.arrivals).toEqual([
      {
        carrierId: 'rbm-test',
        sender: '380501234500',
        recipient: 'agent-shop',
        senders: ['Shop'],
        at: Date.UTC(2025, 11, 31, 23, 59, 58, 500),
        part: null,
        keyUntil: expect.any(Number),
        ...arrival,
      },
    ])
    await call({ text: 'STOP', messageId: 'm9', ...from, agentId: 'agent-one@rbm.goog' })
    expect(inbox.arrivals.at(-1)).toMatchObject({ recipient: 'agent-one', senders: { except: ['Shop'] } })
  })

  test('answers 503 if an inbound message could not be recorded', async () => {
    const { inbox } = await begin({ clientToken: SECRET })
    inbox.refusals = 1
    expect(await call(event('UNSUBSCRIBE'))).toMatchObject({ status: 503 })
    expect(await call(event('UNSUBSCRIBE'))).toEqual({ status: 200, body: '' })
    expect(inbox.arrivals).toHaveLength(1)
  })

  test('records the time of an event', async () => {
    const { inbox } = await begin({ clientToken: SECRET })
    await call(event('READ', { sendTime: '2026-01-01T10:00:05Z' }))
    expect(inbox.receipts).toMatchObject([{ detail: 'READ at 2026-01-01T10:00:05.000Z' }])
  })

  test('answers the set-up call with its secret if the client token is right', async () => {
    const { carrier } = await begin({ clientToken: SECRET })
    const setUp = (clientToken: unknown) =>
      carrier.answerWebhook?.({
        method: 'POST',
        path: '',
        headers: {},
        body: Buffer.from(JSON.stringify({ clientToken, secret: '1234567890' })),
      })
    expect(await setUp(SECRET)).toEqual({ status: 200, body: '1234567890' })
    expect(await setUp('other')).toMatchObject({ status: 403 })
    expect(await setUp([SECRET])).toMatchObject({ status: 403 })
  })

  test('records an event once that Google repeats', async () => {
    const { inbox } = await begin({ clientToken: SECRET })
    inbox.refusals = 1
    expect(await call(event('DELIVERED'))).toMatchObject({ status: 503 })
    for (let round = 0; round < 3; round += 1) expect(await call(event('DELIVERED'))).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toHaveLength(1)
    await call(event('READ', { eventId: 'e2' }))
    for (const eventId of [undefined, 5, '']) await call(event('READ', { eventId }))
    expect(inbox.receipts).toHaveLength(5)
  })

  test('answers 503 if the receipt could not be recorded', async () => {
    const { inbox } = await begin({ clientToken: SECRET })
    inbox.refusals = 1
    expect(await call(event('DELIVERED'))).toMatchObject({ status: 503 })
  })
})

test('the body of a call may be as long as a reply of 3,072 letters needs, and not much longer', async () => {
  const { carrier, stop } = await buildRbmBench()
  const event = { senderPhoneNumber: '+4915112345678', messageId: 'm', agentId: 'shop', text: '😀'.repeat(3_072) }
  const data = Buffer.from(JSON.stringify(event)).toString('base64')
  const longest = JSON.stringify({ message: { data, messageId: '1' }, subscription: 'projects/p/subscriptions/s' })
  expect(carrier.maxWebhookBytes).toBeGreaterThan(3 * longest.length)
  expect(carrier.maxWebhookBytes).toBeLessThanOrEqual(64 * 1024)
  await stop()
})
