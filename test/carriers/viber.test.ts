import { afterEach, describe, expect, test } from 'vitest'
import { fitApproved } from '../../src/carriers/viber/approved-template.ts'
import { readViberSettings } from '../../src/carriers/viber/settings.ts'
import { readViberAnswer, writeViberMessage } from '../../src/carriers/viber/submit.ts'
import type { Submission } from '../../src/ports/carriers/carrier.ts'
import type { ViberDouble } from '../../src/simulator/viber/viber.ts'
import { describeCarrier, SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildViberBench, type HttpBench } from '../support/http-benches.ts'

describeCarrier('Viber', () => buildViberBench())

let bench: HttpBench<ViberDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

async function begin(settings: object = {}) {
  const begun = await buildViberBench(settings)
  bench = begun
  begun.carrier.start(begun.inbox)
  const submissions = new SubmissionMaker(begun)
  const submit = async (submission: Submission) => (await settled('the verdict', begun.carrier.submit(submission)))[0]
  return { ...begun, submissions, submit }
}

test('a message token of nineteen digits keeps all digits, from the answer to the receipt', async () => {
  const { submissions, submit, traffic, inbox, clock } = await begin()
  const submission = submissions.make('06')
  const verdict = await submit(submission)
  const ref = traffic.to(submission.phone)[0]?.ref
  expect(ref).toMatch(/^\d{19}$/)
  expect(Number.isSafeInteger(Number(ref))).toBe(false)
  expect(verdict).toEqual({ kind: 'taken', ref })
  await eventually('both receipts', () => inbox.receipts.length === 2, { clock })
  expect(inbox.receipts).toEqual([
    { carrierId: 'viber-test', ref, outcome: 'delivered', detail: 'delivered' },
    { carrierId: 'viber-test', ref, outcome: 'read', detail: 'seen' },
  ])
})

test('a message is sent by the service of its sender', async () => {
  const { submissions, submit, traffic } = await begin()
  await submit(submissions.make('04', { sender: 'Shop' }))
  await submit(submissions.make('04', { sender: 'Unknown' }))
  expect(traffic.arrivals.map((arrival) => arrival.sender)).toEqual(['77', '7'])
})

test('returns the time that Viber asks to wait', async () => {
  const { submissions, submit } = await begin()
  expect(await submit(submissions.make('12'))).toEqual({ kind: 'slow', reason: 'HTTP 429', retryAfterMs: 1_000 })
})

describe('an approved template', () => {
  const message = {
    '#template_id': 'T-1',
    '#template_lang': 'en',
    '#template_params': { pin: '{{pin}}', all: ['{{pin}}!'] },
  }
  const templates = [{ text: 'Your code is {{pin}}.', type: 1701, message }]

  test('is used for a text that fits, as transactional', () => {
    const { templates: read } = readViberSettings({ serviceId: 1, webhookToken: 'a-token-of-our-own', templates })
    const goesOutBy = (text: string, more: object = {}) => fitApproved(read, { kind: 'text', text, ...more })
    expect(goesOutBy('Your code is 1"2.')).toEqual({
      type: 1701,
      message: { '#template_id': 'T-1', '#template_lang': 'en', '#template_params': { pin: '1"2', all: ['1"2!'] } },
    })
    expect([
      goesOutBy('Your code is'),
      goesOutBy('Your code is .'),
      goesOutBy('Your code is 1.', { image: 'https://i' }),
    ]).toEqual([null, null, null])
    const content = { kind: 'text', text: 'Your code is 5.' } as const
    const submission = new SubmissionMaker({ carrier: { channel: 'chatapp' } as never, sender: 'Shop' }).make('00')
    const addressing = { serviceId: 7, label: 'promotion', seq: 5 } as const
    expect(JSON.parse(writeViberMessage(submission, content, addressing, goesOutBy(content.text)))).toMatchObject({
      type: 1701,
      label: 'transaction',
      message: { '#template_params': { pin: '5' } },
    })
  })

  test('is accepted by Viber', async () => {
    const { submissions, submit } = await begin({ templates, label: 'promotion' })
    const content = { kind: 'text', text: 'Your code is 1234.' } as const
    expect(await submit(submissions.make('04', { content }))).toMatchObject({ kind: 'taken' })
  })
})

describe('the request', () => {
  const image = 'https://example.com/i.png'
  const link = { button: 'Open', link: 'https://example.com/a' }
  const write = (content: object, lifetimeSeconds = 3_600, label: 'transaction' | 'promotion' = 'promotion') => {
    const submission = new SubmissionMaker({ carrier: { channel: 'chatapp' } as never, sender: 'Shop' }).make('00', {
      lifetimeSeconds,
    })
    const text = { kind: 'text', text: 'Hi', ...content } as const
    return JSON.parse(writeViberMessage(submission, text, { serviceId: 7, label, seq: 5 }))
  }

  test.each([
    ['promotion', {}, 225, { '#txt': 'Hi' }],
    ['transaction', {}, 206, { '#txt': 'Hi' }],
    ['promotion', { text: '', image }, 207, { '#img': image }],
    ['promotion', { image, ...link }, 208, { '#txt': 'Hi', '#img': image, '#caption': 'Open', '#action': link.link }],
    ['promotion', link, 209, { '#txt': 'Hi', '#caption': 'Open', '#action': link.link }],
  ] as const)('of %s: %j has type %i', (label, content, type, message) => {
    expect(write(content, 3_600, label)).toEqual({
      service_id: 7,
      dest: '380501234500',
      seq: 5,
      type,
      label,
      tag: '1000064-0',
      ttl: 3_600,
      message: { ...message, '#tracking_data': '' },
    })
  })

  test('an image or a button is labelled as promotion, also for a transactional carrier', () => {
    for (const content of [{ image }, link, { image, ...link }]) {
      expect(write(content, 60, 'transaction').label).toBe('promotion')
    }
  })

  test('has a lifetime that Viber accepts', () => {
    expect([1, 30, 5_000_000].map((seconds) => write({}, seconds).ttl)).toEqual([30, 30, 1_209_600])
  })
})

const ANSWERS: readonly (readonly [body: string, verdict: object])[] = [
  ['{"status":0,"seq":1,"message_token":5741311803571721087}', { kind: 'taken', ref: '5741311803571721087' }],
  ['{"status":0,"seq":1,"message_token":"0005"}', { kind: 'taken', ref: '0005' }],
  ['{"status":0,"seq":1}', { kind: 'unclear' }],
  ['{"status":9}', { kind: 'refused', status: 'UNDELIVERABLE' }],
  ['{"status":8}', { kind: 'refused', status: 'UNDELIVERABLE' }],
  ['{"status":10}', { kind: 'refused', status: 'UNDELIVERABLE' }],
  ['{"status":3}', { kind: 'refused', status: 'REJECTED' }],
  ['{"status":401}', { kind: 'refused', status: 'REJECTED' }],
  ...[2, 7, 21, 27].map((status) => [`{"status":${status}}`, { kind: 'refused', status: 'UNDELIVERABLE' }] as const),
  ...[28, 29, 30, 31, 32, 38, 39, 40, 41].map(
    (status) => [`{"status":${status}}`, { kind: 'refused', status: 'REJECTED' }] as const,
  ),
  // Viber answered: an unknown answer is no failure of the carrier.
  ['{"status":999}', { kind: 'unclear', aboutMessage: true }],
  ['{"status":{"toString":1}}', { kind: 'unclear' }],
  ['{}', { kind: 'unclear' }],
  ['<html>', { kind: 'unclear' }],
]

test.each(ANSWERS)('understands the answer %s', (body, verdict) => {
  expect(readViberAnswer({ kind: 'answered', status: 200, body, retryAfterMs: null })).toMatchObject(verdict)
  expect(readViberAnswer({ kind: 'answered', status: 502, body, retryAfterMs: null }).kind).toBe('unclear')
})

describe('the webhook', () => {
  const TOKEN = 'a-token-of-our-own'

  async function call(path: string, body: string, method = 'POST') {
    return bench?.carrier.answerWebhook?.({ method, path, headers: {}, body: Buffer.from(body) })
  }

  const OUR_TEXT = '{"message_status":"failed","phone_number":"380501234500","message":{"text":"START"}}'
  const delivered = '{"message_token":5741311803571721087,"message_status":"Delivered"}'

  test('requires the token', async () => {
    const { inbox } = await begin({ webhookToken: TOKEN })
    for (const path of ['', '/', '/wrong', `/${TOKEN}x`, `/x/${TOKEN}`, `?${TOKEN}`, `/${TOKEN}/`]) {
      expect(await call(path, delivered)).toMatchObject({ status: 404 })
    }
    expect(inbox.receipts).toEqual([])
    expect(await call(`/${TOKEN}`, delivered, 'GET')).toMatchObject({ status: 405 })
    expect(await call(`/${TOKEN}?x=1`, delivered)).toEqual({ status: 200, body: '' })
    expect(inbox.receipts.map(({ ref, outcome }) => [ref, outcome])).toEqual([['5741311803571721087', 'delivered']])
  })

  test('acknowledges and ignores calls without news of a message', async () => {
    const { inbox } = await begin({ webhookToken: TOKEN })
    for (const body of [
      '{}',
      '{"message_token":{"toString":1},"message_status":"seen"}',
      '{"event":"subscribed"}',
      OUR_TEXT,
    ]) {
      expect(await call(`/${TOKEN}`, body)).toEqual({ status: 200, body: '' })
    }
    for (const body of ['', '[]', 'x']) expect(await call(`/${TOKEN}`, body)).toMatchObject({ status: 400 })
    expect(inbox.receipts).toEqual([])
    expect(inbox.arrivals).toEqual([])
  })

  test.each([
    [{ message_status: 'received', message: { text: 'Start' } }, { text: 'Start' }],
    [{ message_status: 'unsubscribed' }, { text: 'UNSUBSCRIBE', consent: 'stop' }],
    [{ message_status: 'Subscribed' }, { text: 'SUBSCRIBE', consent: 'start' }],
    [{ message: { text: 'STOP' } }, { text: 'STOP' }],
  ])('records what a recipient does: %j', async (said, arrival) => {
    const { inbox, clock } = await begin({ webhookToken: TOKEN, services: { Shop: 77 } })
    const body = JSON.stringify({ phone_number: '+380501234500', service_id: 77, ...said })
    for (let round = 0; round < 2; round += 1) expect(await call(`/${TOKEN}`, body)).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([])
    expect(inbox.arrivals).toEqual([
      {
        carrierId: 'viber-test',
        sender: '380501234500',
        recipient: '77',
        senders: ['Shop'],
        at: clock.now(),
        part: null,
        key: expect.any(String),
        keyUntil: expect.any(Number),
        ...arrival,
      },
    ])
    await call(`/${TOKEN}`, JSON.stringify({ phone_number: '380501234500', service_id: 7, ...said }))
    expect(inbox.arrivals.at(-1)).toMatchObject({ recipient: '7', senders: { except: ['Shop'] } })
  })

  test.each([
    ['its own', -60_000, 1, -60_000],
    ['its own in seconds', -60_000, 1_000, -60_000],
    ['none of the future', 60_000, 1, 0],
  ])('records an event that comes late with the time of it: %s', async (_, offset, unit, recorded) => {
    const { inbox, clock } = await begin({ webhookToken: TOKEN })
    const event = {
      phone_number: '380501234500',
      message_status: 'subscribed',
      message_time: (clock.now() + offset) / unit,
    }
    await call(`/${TOKEN}`, JSON.stringify(event))
    expect(inbox.arrivals).toMatchObject([{ consent: 'start', at: clock.now() + recorded }])
  })

  test('reads the words of the settings', async () => {
    const callbackFields = { token: 'mt', status: 's', delivered: '0', seen: '1', expired: '2' }
    const { inbox } = await begin({ webhookToken: TOKEN, callbackFields })
    for (const status of ['0', '1', '2', '7']) await call(`/${TOKEN}`, `{"mt":"12","s":${status}}`)
    expect(inbox.receipts.map((receipt) => receipt.outcome)).toEqual(['delivered', 'read', 'expired'])
  })
})

test.each([
  [{ serviceId: 0 }, 'serviceId: should be a whole number, at least 1'],
  [{ services: { Shop: 'x' } }, 'services.Shop: should be a whole number, at least 1'],
  [{ templates: {} }, 'templates: should be a list of at most 10000 templates'],
  [
    { templates: [{ text: 'a', type: 206, message: {} }] },
    'templates.0.type: should be a whole number from 1701 to 1702',
  ],
  [
    { templates: [{ text: '{{a}}', type: 1701, message: { x: ['{{b}}'] } }] },
    'templates.0.message: has {{b}}, which is not in the text',
  ],
  [{ label: 'spam' }, 'label: should be one of transaction, promotion'],
  [{ webhookToken: 'short' }, 'webhookToken: should be 16 to 128 letters, digits, _ or -'],
  [{ callbackFields: { token: 5 } }, 'callbackFields.token: should be text'],
])('refuses wrong settings %j and names them', async (change, complaint) => {
  await expect(buildViberBench(change)).rejects.toThrow(new Error(complaint))
})
