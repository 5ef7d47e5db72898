import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { readGraphAnswer } from '../../src/carriers/whatsapp/submit.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { Phone } from '../../src/domain/numbers/phone.ts'
import type { Submission, WebhookRequest } from '../../src/ports/carriers/carrier.ts'
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { describeCarrier, SubmissionMaker } from '../conformance/carrier.ts'
import { body, template } from '../support/cloud-template.ts'
import { eventually, settled, turnLoop } from '../support/eventually.ts'
import { buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'

describeCarrier('WhatsApp', () => buildWhatsAppBench())

let bench: HttpBench<WhatsAppDouble> | null = null

afterEach(async () => {
  if (bench === null) return
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
  bench = null
})

const HOUR_MS = 3_600_000
const IMAGE = 'https://example.com/i.png'
const LINK = { button: 'Open', link: 'https://example.com/a?b=c' }

/** Returns a started carrier that knows these templates; its clock stands still unless a test moves it. */
async function begin(templates: readonly CloudTemplate[] = [], settings: object = {}) {
  const begun = await buildWhatsAppBench(settings)
  bench = begun
  const { carrier, inbox, double } = begun
  double.templates.push(...templates)
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submissions = new SubmissionMaker(begun)
  const submit = async (submission: Submission) => (await settled('the verdict', carrier.submit(submission)))[0]
  const send = (content: Partial<TextContent>, change: Partial<Submission> = {}) =>
    submit(submissions.make('04', { content: { kind: 'text', text: 'Hi', ...content }, ...change }))
  return { ...begun, submissions, submit, send }
}

describe('to a recipient who has not written', () => {
  test('a message is sent by the template that it fits, with its values', async () => {
    const { send, traffic } = await begin([template([body('Your order {{1}} comes on {{2}}.')])])
    expect(await send({ text: 'Your order A-17 comes on Monday.' })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([{ sender: '1555555', text: 'Your order A-17 comes on Monday.' }])
  })

  test('nothing else is sent', async () => {
    const { send, traffic } = await begin([template([body('Hi')], { status: 'PENDING' })])
    expect(await send({})).toEqual({
      kind: 'refused',
      status: 'REJECTED',
      reason: 'no approved template fits, and the recipient has not written within 24 hours',
    })
    expect(traffic.arrivals).toEqual([])
  })

  test('image and button are those of the template', async () => {
    const { send, traffic } = await begin([
      template([
        { type: 'HEADER', format: 'IMAGE' },
        body('Hi'),
        { type: 'FOOTER', text: 'Example Shop' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com/{{1}}' }] },
      ]),
    ])
    expect(await send({ image: IMAGE, ...LINK })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([{ text: 'Hi', image: IMAGE, ...LINK }])
    for (const other of [{}, { image: IMAGE }, LINK, { image: IMAGE, ...LINK, link: 'https://other.example/' }]) {
      expect(await send(other)).toMatchObject({ kind: 'refused' })
    }
  })

  test('a code goes into the button of an authentication template too', async () => {
    const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
    const components: CloudTemplate['components'] = [
      body('*{{1}}* is your verification code.'),
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] },
    ]
    const { send, traffic } = await begin([template(components, { category: 'AUTHENTICATION' })])
    expect(await send({ text: '*1234* is your verification code.' })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals).toMatchObject([
      { text: '*1234* is your verification code.', link: url.replace('{{1}}', '1234') },
    ])
  })

  test('a removed or paused template is a refusal with a reason', async () => {
    const { send, double } = await begin([template([body('Hi')])])
    double.templates[1] = template([body('Hi')], { status: 'PAUSED' })
    expect(await send({})).toMatchObject({ kind: 'refused', status: 'REJECTED', reason: '132015: Template is paused' })
    double.templates.pop()
    expect(await send({})).toMatchObject({ kind: 'refused', reason: expect.stringContaining('132001') })
  })
})

describe('to a recipient who has written', () => {
  test('any content is sent for a day, by the number that the recipient wrote to', async () => {
    const { double, send, submissions, traffic, clock } = await begin()
    const { phone } = submissions.make('04')
    await double.write(phone, '555', 'Hello?')
    for (const content of [{}, { image: IMAGE }, { text: '', image: IMAGE }, LINK, { image: IMAGE, ...LINK }]) {
      expect(await send(content)).toMatchObject({ kind: 'taken' })
    }
    expect(traffic.arrivals.map(({ text, image, button }) => [text, image, button])).toEqual([
      ['Hi', undefined, undefined],
      ['Hi', IMAGE, undefined],
      ['', IMAGE, undefined],
      ['Hi', undefined, 'Open'],
      ['Hi', IMAGE, 'Open'],
    ])
    expect(await send({}, { sender: 'Other' })).toMatchObject({ kind: 'refused' })
    clock.advance(24 * HOUR_MS - 30_000)
    expect(await send({})).toMatchObject({ kind: 'refused' })
    expect(traffic.arrivals).toHaveLength(5)
  })

  test('a file is sent as its kind', async () => {
    const { send, double, traffic } = await begin()
    await double.write('380501234504', '555', 'Hello')
    const files = ['https://shop.example/a.mp4', 'https://shop.example/a.pdf']
    for (const image of files) expect(await send({ image, text: 'Look' })).toMatchObject({ kind: 'taken' })
    expect(await send({ image: files[0] as string, ...LINK })).toMatchObject({ kind: 'taken' })
    expect(traffic.arrivals.map(({ image }) => image)).toEqual([...files, files[0]])
  })

  test('a template is used if Meta says that the recipient wrote longer ago', async () => {
    const { send, inbox, clock, carrier, submissions } = await begin()
    const { phone } = submissions.make('04')
    const message = { from: phone, timestamp: String(Math.floor(clock.now() / 1000)), type: 'text' }
    await carrier.answerWebhook?.(signed(change({ messages: [message] })))
    expect(await send({})).toMatchObject({ kind: 'taken' })
    await eventually('the failure', () => inbox.receipts.length === 1, { clock })
    expect(inbox.receipts).toMatchObject([{ outcome: 'closed', detail: 'failed: 131047: Re-engagement message' }])
    expect(await send({})).toMatchObject({ kind: 'refused' })
    expect(await send({ text: 'Hello number 5' })).toMatchObject({ kind: 'taken' })
  })
})

test('an inbound message is recorded once, and answered with 503 if it could not be', async () => {
  const { double, inbox, clock, carrier } = await begin()
  inbox.refusals = 1
  await double.write('491701234500', '555', 'Hello?')
  await eventually('the second try', () => inbox.arrivals.length === 1, { clock })
  expect(inbox.arrivals).toMatchObject([
    { carrierId: 'whatsapp-test', sender: '491701234500', recipient: '1555555', senders: ['Shop'], text: 'Hello?' },
  ])
  const seconds = String(Math.floor(clock.now() / 1000))
  const message = { id: 'wamid.9', from: '491701234500', timestamp: seconds, text: { body: 'Still there?' } }
  for (let round = 0; round < 3; round += 1) await carrier.answerWebhook?.(signed(change({ messages: [message] })))
  await carrier.answerWebhook?.(signed(change({ messages: [{ ...message, id: 'wamid.10', text: undefined }] })))
  expect(inbox.arrivals.map(({ text }) => text)).toEqual(['Hello?', 'Still there?'])
})

describe('what a recipient taps or sets', () => {
  const PHONE = '491701234500'

  test.each([
    [{ button: { text: 'No more', payload: 'STOP' } }, { text: 'No more', payload: 'STOP' }],
    [
      { interactive: { type: 'button_reply', button_reply: { id: 'STOP', title: 'No more' } } },
      { text: 'No more', payload: 'STOP' },
    ],
    [
      { interactive: { type: 'list_reply', list_reply: { id: 'row-1', title: 'Stop' } } },
      { text: 'Stop', payload: 'row-1' },
    ],
    [
      { location: { latitude: 52.52, longitude: 13.405, name: 'Berlin' } },
      { text: 'geo:52.52,13.405', content: { kind: 'location', latitude: 52.52, longitude: 13.405 } },
    ],
    [
      { document: { id: '77', mime_type: 'application/pdf', filename: 'order.pdf' } },
      {
        text: 'order.pdf',
        content: { kind: 'file', link: null, mediaId: '77', mimeType: 'application/pdf', name: 'order.pdf' },
      },
    ],
    [
      { image: { id: '78', mime_type: 'image/jpeg', caption: 'My cat' } },
      { text: 'My cat', content: { kind: 'file', link: null, mediaId: '78', mimeType: 'image/jpeg', name: null } },
    ],
    [{ location: { latitude: 91, longitude: 0 }, text: { body: 'here' } }, { text: 'here' }],
    [
      { text: { body: 'That' }, context: { from: '15555', id: 'wamid.9' } },
      { text: 'That', quotes: 'wamid.9' },
    ],
  ])('records %j with its value', async (tapped, arrival) => {
    const { carrier, inbox, clock } = await begin()
    const timestamp = String(clock.now() / 1000)
    await carrier.answerWebhook?.(signed(change({ messages: [{ id: 'wamid.1', from: PHONE, timestamp, ...tapped }] })))
    expect(inbox.arrivals).toMatchObject([{ sender: PHONE, senders: ['Shop'], ...arrival }])
  })

  test.each([{ forwarded: true }, { id: '' }, { id: 'x'.repeat(257) }])('quotes nothing with %j', async (context) => {
    const { carrier, inbox } = await begin()
    const message = { id: 'wamid.1', from: PHONE, timestamp: '1767225600', text: { body: 'That' }, context }
    await carrier.answerWebhook?.(signed(change({ messages: [message] })))
    expect(inbox.arrivals).toMatchObject([{ text: 'That' }])
    expect(inbox.arrivals[0]).not.toHaveProperty('quotes')
  })

  test.each([
    ['stop', 'stop'],
    ['resume', 'start'],
  ])('the setting %s of the app opts out or in, and opens no conversation', async (value, consent) => {
    const { carrier, inbox, clock, send } = await begin()
    const preference = { wa_id: PHONE, category: 'marketing_messages', value, timestamp: clock.now() / 1000 }
    for (let round = 0; round < 2; round += 1) {
      await carrier.answerWebhook?.(signed(change({ user_preferences: [preference] }, 'user_preferences')))
    }
    expect(inbox.arrivals).toMatchObject([{ sender: PHONE, senders: ['Shop'], consent }])
    expect(await send({}, { phone: PHONE as Phone })).toMatchObject({ kind: 'refused' })
  })

  test('a message that fails because the recipient has stopped the sender opts the recipient out', async () => {
    const { carrier, inbox } = await begin()
    const errors = [{ code: 131050, title: 'User stopped' }]
    const failed = { id: 'wamid.5', status: 'failed', recipient_id: PHONE, timestamp: '1767225600', errors }
    await carrier.answerWebhook?.(signed(change({ statuses: [failed] })))
    expect(inbox.arrivals).toMatchObject([{ sender: PHONE, senders: ['Shop'], consent: 'stop', text: 'STOP' }])
    expect(inbox.receipts).toMatchObject([{ ref: 'wamid.5', outcome: 'undeliverable' }])
  })

  test('a user whom Meta names by the user id only is known by an earlier phone', async () => {
    const { carrier, inbox, clock } = await begin()
    const timestamp = String(clock.now() / 1000)
    const write = (id: string, body: string) => {
      const message = { id, from_user_id: 'DE.4711', timestamp, text: { body } }
      return carrier.answerWebhook?.(signed(change({ messages: [message] })))
    }
    await write('wamid.1', 'STOP')
    expect(inbox.arrivals).toMatchObject([{ sender: 'DE.4711', text: 'STOP' }])
    const known = { id: 'wamid.3', status: 'delivered', recipient_id: PHONE, recipient_user_id: 'DE.4711', timestamp }
    await carrier.answerWebhook?.(signed(change({ statuses: [known] })))
    await write('wamid.2', 'Stop')
    expect(inbox.arrivals.at(-1)).toMatchObject({ sender: PHONE, text: 'Stop' })
  })
})

test.each([368, 131031, 131042, 133010, 131037])(
  'the error %i is about the account: the carrier is down, and the message can go to the next route',
  async (code) => {
    const { carrier } = await begin()
    const error = JSON.stringify({ error: { code, message: 'm' } })
    expect(readGraphAnswer({ kind: 'answered', status: 400, body: error, retryAfterMs: null })).toMatchObject({
      kind: 'token',
    })
    const failed = { id: 'wamid.1', status: 'failed', errors: [{ code, title: 'no' }] }
    await carrier.answerWebhook?.(signed(change({ statuses: [failed] })))
    expect(carrier.state()).toMatchObject({ up: false, lastError: `${code}: no` })
  },
)

test('news of a message whose answer was lost proves that it was taken', async () => {
  const { carrier, clock, inbox, submissions } = await begin()
  const submission = submissions.make('13')
  expect(await settled('the verdict', carrier.submit(submission), clock)).toMatchObject([{ kind: 'unclear' }])
  const { messageId, step, parts } = submission
  const status = { id: 'wamid.7', status: 'sent', biz_opaque_callback_data: `${messageId}-${step}` }
  for (let round = 0; round < 2; round += 1) await carrier.answerWebhook?.(signed(change({ statuses: [status] })))
  expect(inbox.lateAnswers).toEqual([{ carrierId: 'whatsapp-test', messageId, step, parts, ref: 'wamid.7' }])
})

test('a sender without a phone-number id cannot send', async () => {
  const { send } = await begin()
  const text = 'Hello number 5'
  expect(await send({ text }, { sender: 'Unknown' })).toMatchObject({ kind: 'refused', status: 'REJECTED' })
  expect(await send({ text }, { sender: 'Other' })).toMatchObject({ kind: 'taken' })
})

test('a refused token takes the carrier down until it is valid again', async () => {
  const { double, send, carrier, clock } = await begin()
  double.setTokenGood(false)
  const text = 'Hello number 5'
  expect(await send({ text })).toMatchObject({ reason: '190: Malformed access token …' })
  expect(carrier.state()).toMatchObject({ up: false, lastError: '190: Malformed access token …' })
  clock.advance(5_000)
  await turnLoop()
  expect(carrier.state().up).toBe(false)
  double.setTokenGood(true)
  await eventually('the carrier to be up', () => carrier.state().up, { clock })
  expect(await send({ text })).toMatchObject({ kind: 'taken' })
})

describe('the list of templates', () => {
  test('has all of them, page by page', async () => {
    const statuses = ['APPROVED', 'PENDING', 'IN_APPEAL', 'REJECTED', 'PAUSED', 'DISABLED', 'DELETED', 'SOMETHING']
    const many = statuses.map((status, index) => template([body(`t${index}`)], { status, name: `n${index}` }))
    const more = Array.from({ length: 120 }, (_, index) => template([body(`more ${index}`)], { name: `m${index}` }))
    const { carrier } = await begin([...many, ...more])
    const listed = carrier.templates?.()
    expect(listed?.senders).toEqual(['Shop', 'Other'])
    expect(listed?.templates).toHaveLength(129)
    expect(listed?.templates.slice(1, 9).map(({ text, status }) => `${text} ${status}`)).toEqual([
      't0 approved',
      't1 submitted',
      't2 resubmitted',
      't3 rejected',
      't4 rejected',
      't5 removed',
      't6 removed',
      't7 new',
    ])
  })

  test('is refreshed at an interval, and soon after Meta reports a change', async () => {
    const { carrier, double, clock } = await begin([], { templateRefreshSeconds: 600 })
    const listed = () => carrier.templates?.()?.templates.length
    double.templates.push(template([body('new')]))
    clock.advance(599_000)
    await turnLoop()
    expect([listed(), double.listings()]).toEqual([1, 1])
    clock.advance(1_000)
    await eventually('the second list', () => listed() === 2)
    double.templates.pop()
    await double.reportTemplateChange()
    await double.reportTemplateChange()
    clock.advance(5_000)
    await eventually('the third list', () => listed() === 1)
    expect(double.listings()).toBe(3)
  })

  test('stays as it was while it cannot be refreshed', async () => {
    const { carrier, double, clock } = await begin()
    await double.goDown()
    clock.advance(600_000)
    await turnLoop()
    expect(carrier.templates?.()?.templates).toHaveLength(1)
  })
})

/** The value of a change of messages of the number 555, in Meta's format. */
function change(value: object, field = 'messages'): object {
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field, value: { metadata: { phone_number_id: '555' }, ...value } }] }],
  }
}

function signed(call: unknown, secret = bench?.double.appSecret ?? ''): WebhookRequest {
  const bytes = Buffer.from(typeof call === 'string' ? call : JSON.stringify(call))
  const signature = createHmac('sha256', secret).update(bytes).digest('hex')
  return { method: 'POST', path: '', headers: { 'x-hub-signature-256': `sha256=${signature}` }, body: bytes }
}

describe('the webhook', () => {
  const status = (word: string, more: object = {}) => ({ id: 'wamid.1', status: word, recipient_id: '49170', ...more })
  const failed = (code: number) => status('failed', { errors: [{ code, title: 'T', error_data: { details: 'D' } }] })

  test.each([
    [status('sent'), 'accepted', 'sent'],
    [status('sent', { timestamp: '1767225605' }), 'accepted', 'sent at 2026-01-01T00:00:05.000Z'],
    [status('delivered'), 'delivered', 'delivered'],
    [status('read'), 'read', 'read'],
    [failed(131026), 'undeliverable', 'failed: 131026: D'],
    [failed(131049), 'undeliverable', 'failed: 131049: D'],
    [failed(131047), 'closed', 'failed: 131047: D'],
    [failed(131053), 'rejected', 'failed: 131053: D'],
    [status('failed'), 'undeliverable', 'failed'],
  ])('records %j as %s', async (item, outcome, detail) => {
    const { carrier, inbox } = await begin()
    expect(await carrier.answerWebhook?.(signed(change({ statuses: [item] })))).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([{ carrierId: 'whatsapp-test', ref: 'wamid.1', outcome, detail }])
  })

  test.each([
    [{ billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }, 'utility'],
    [
      { billable: true, pricing_model: 'CBP', category: 'AUTHENTICATION-international' },
      'authentication-international',
    ],
    [{ pricing_model: 'PMP', type: 'regular', category: 'marketing_lite' }, 'marketing_lite'],
    [{ billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }, 'free'],
    [{ pricing_model: 'PMP', type: 'free_entry_point', category: 'marketing' }, 'free'],
    [{ billable: true, category: 'x'.repeat(65) }, undefined],
    [{ billable: true, category: { not: 'a word' } }, undefined],
    ['utility', undefined],
  ])('records the billing category: %j is %s', async (pricing, category) => {
    const { carrier, inbox } = await begin()
    await carrier.answerWebhook?.(signed(change({ statuses: [status('delivered', { pricing })] })))
    expect(inbox.receipts).toMatchObject([{ outcome: 'delivered' }])
    expect(inbox.receipts[0]?.category).toBe(category)
  })

  test("records many at once, and only those of the carrier's numbers", async () => {
    const { carrier, inbox } = await begin()
    const statuses = ['a', 'b'].map((id) => ({ ...status('delivered'), id }))
    const other = { metadata: { phone_number_id: '999' }, statuses: [status('read')] }
    const call = {
      entry: [...(change({ statuses }) as { entry: [] }).entry, ...(change(other) as { entry: [] }).entry],
    }
    await carrier.answerWebhook?.(signed(call))
    expect(inbox.receipts.map(({ ref }) => ref)).toEqual(['a', 'b'])
  })

  test('acknowledges and ignores calls without news of a message', async () => {
    const { carrier, inbox } = await begin()
    for (const call of [
      {},
      { entry: 5 },
      { entry: [null, { changes: [{ field: 'messages', value: 7 }] }] },
      change({
        statuses: [
          { id: 5, status: 'read' },
          { id: 'x', status: 'deleted' },
          { id: '', status: 'read' },
        ],
      }),
      change({
        messages: [
          { from: {}, timestamp: 'x' },
          { from: '49170', timestamp: '1e99' },
        ],
      }),
      change({ statuses: [status('read')] }, 'account_update'),
    ]) {
      expect(await carrier.answerWebhook?.(signed(call))).toEqual({ status: 200, body: '' })
    }
    for (const text of ['', '[]', '{'])
      expect(await carrier.answerWebhook?.(signed(text))).toMatchObject({ status: 400 })
    expect(inbox.receipts).toEqual([])
  })

  test('refuses calls without a valid signature', async () => {
    const { carrier, inbox, send, submissions, clock } = await begin()
    const { phone } = submissions.make('04')
    const call = change({
      statuses: [status('delivered')],
      messages: [{ from: phone, timestamp: String(clock.now() / 1000) }],
    })
    const right = signed(call)
    const wrong: WebhookRequest[] = [
      signed(call, 'other'),
      { ...right, headers: {} },
      { ...right, headers: { 'x-hub-signature-256': right.headers['x-hub-signature-256']?.slice(7) } },
      { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) },
    ]
    for (const request of wrong) expect(await carrier.answerWebhook?.(request)).toMatchObject({ status: 401 })
    expect(await carrier.answerWebhook?.({ ...right, method: 'PUT' })).toMatchObject({ status: 405 })
    expect(inbox.receipts).toEqual([])
    expect(await send({})).toMatchObject({ kind: 'refused' })
  })

  test('answers the check of its address', async () => {
    const { carrier } = await begin()
    const check = (query: string) =>
      carrier.answerWebhook?.({ method: 'GET', path: `?${query}`, headers: {}, body: new Uint8Array() })
    const good = 'hub.mode=subscribe&hub.verify_token=verify-me&hub.challenge=1158201444'
    expect(await check(good)).toEqual({ status: 200, body: '1158201444' })
    for (const query of [
      '',
      good.replace('verify-me', 'other'),
      good.replace('subscribe', 'x'),
      good.replace('1158201444', '<script>'),
    ]) {
      expect(await check(query)).toMatchObject({ status: 403 })
    }
  })
})

test.each([
  [{ senders: {} }, 'senders: should name a phone-number id for each sender'],
  [{ senders: { Shop: 'x' } }, 'senders.Shop: should be text of digits'],
  [{ version: '23' }, 'version: should be a version of the Graph API such as v23.0'],
  [{ accessToken: 'a b' }, 'accessToken: should be ASCII text without spaces'],
  [{ wabaId: 5 }, 'wabaId: should be text'],
])('refuses wrong settings %j and names them', async (settings, complaint) => {
  await expect(buildWhatsAppBench(settings)).rejects.toThrow(new Error(complaint))
})
