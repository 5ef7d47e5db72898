/** What requests of a generic HTTP carrier may contain: its own addresses, conditions, times and ids. */
import { createHash, createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { gather } from '../support/http-benches.ts'
import { HttpUpstream, PUBLIC_URL } from '../support/http-upstream.ts'

const TOKEN = 'a-token-of-our-own'

let upstream: HttpUpstream | null = null

afterEach(async () => {
  await upstream?.stop()
  upstream = null
})

const begin = async (...setup: Parameters<typeof HttpUpstream.start>) => {
  upstream = await HttpUpstream.start(...setup)
  return upstream
}

const RECEIPT = {
  method: 'GET',
  auth: { kind: 'token', token: TOKEN },
  format: 'query',
  id: 'id',
  status: 'status',
  outcomes: { '1': 'delivered', '2': 'undeliverable' },
}
const INBOUND = { auth: RECEIPT.auth, from: 'from', to: 'to', text: 'text' }

/** A carrier with one JSON body. */
const withJson = (json: unknown, others: object = {}) =>
  begin((address) => ({ request: { address: `${address}/send`, json }, answer: { id: 'ours' }, ...others }))

const bodiesOf = (requests: readonly { readonly body: string }[]) => requests.map(({ body }) => JSON.parse(body))

describe('Kannel as the carrier', () => {
  const kannel = (address: string) => ({
    request: {
      method: 'GET',
      address: `${address}/cgi-bin/sendsms?username=u&password=p%26q`,
      form: {
        from: '{{sender}}',
        to: '{{+phone}}',
        text: '{{text}}',
        charset: 'UTF-8',
        '{{if unicode}}coding': '2',
        validity: '{{lifetimeMinutes}}',
        'dlr-mask': '31',
        'dlr-url': '{{callback}}?id={{ref}}&status=%d&answer=%A',
      },
    },
    answer: { id: 'ours', statuses: { '503': 'unclear', '4xx': 'rejected' } },
    receipt: RECEIPT,
  })
  const sendsms = () => begin(kannel, () => ({ status: 202, body: '0: Accepted for delivery' }))

  test('gets the address of its reports, whose escapes it fills', async () => {
    const { send, parts, carrier } = bound(await sendsms())
    const { submission, verdicts, queries } = await send({ text: 'A & B = 100 % {{ref}}' }, { lifetimeSeconds: 90 })
    const ref = `${submission.messageId}-0`
    expect(verdicts).toEqual([{ kind: 'taken', ref }])
    expect(queries).toEqual([
      {
        username: 'u',
        password: 'p&q',
        from: 'Shop',
        to: `+${submission.phone}`,
        text: 'A & B = 100 % {{ref}}',
        charset: 'UTF-8',
        validity: '2',
        'dlr-mask': '31',
        'dlr-url': `${PUBLIC_URL}/carriers/up/${TOKEN}?id=${ref}&status=%d&answer=%A`,
      },
    ])
    const called = new URL(queries[0]?.['dlr-url']?.replace('%d', '1').replace('%A', 'ok') ?? '')
    const path = (called.pathname + called.search).replace('/carriers/up', '')
    await carrier.answerWebhook?.({ method: 'GET', path, headers: {}, body: new Uint8Array() })
    expect(parts.inbox.receipts).toMatchObject([{ ref, outcome: 'delivered' }])
  })

  test('gets the coding of Unicode only with a text that needs it', async () => {
    const { send } = bound(await sendsms())
    const codings = []
    for (const text of ['Hello [€]', 'Привет', '👍', 'ç']) {
      codings.push((await send({ text })).queries[0]?.['coding'])
    }
    expect(codings).toEqual([undefined, '2', '2', '2'])
  })
})

test('Jasmin gets Unicode texts in hexadecimal, and others as they are', async () => {
  const { send } = bound(
    await begin(
      (address) => ({
        request: {
          address: `${address}/send`,
          form: {
            to: '{{phone}}',
            '{{if not unicode}}content': '{{text}}',
            '{{if unicode}}hex-content': '{{textHex}}',
            '{{if unicode}}coding': '8',
            'dlr-url': '{{callback}}',
          },
        },
        answer: { id: { pattern: '^Success "([^"]+)"' } },
        receipt: { ...RECEIPT, method: 'POST', format: 'form', auth: { kind: 'basic', user: 'a', password: 'b' } },
      }),
      () => ({ status: 200, body: 'Success "07033084"' }),
    ),
  )
  const fields = async (text: string) =>
    Object.fromEntries(new URLSearchParams((await send({ text })).requests[0]?.body))
  const common = { to: '380501234500', 'dlr-url': `${PUBLIC_URL}/carriers/up` }
  expect(await fields('a&b')).toEqual({ ...common, content: 'a&b' })
  expect(await fields('Яa👍')).toEqual({ ...common, 'hex-content': '042f0061d83ddc4d', coding: '8' })
  expect(await fields('')).toEqual(common)
})

describe('a condition', () => {
  test('keeps a field of any kind out unless it holds', async () => {
    const { send } = bound(
      await withJson({
        t: '{{text}}',
        '{{if long}}long': true,
        '{{if unicode}}encoding': { type: 8 },
        '{{if not unicode}}encoding': { type: 0 },
        list: ['{{if unicode}}{{#phone}}', '{{if image}}{{if unicode}}both', 'always'],
        media: '{{if not image}}none',
      }),
    )
    const bodies = async (content: object) => bodiesOf((await send(content)).requests)
    const gsm = { encoding: { type: 0 }, list: ['always'] }
    expect(await bodies({ text: 'Hi' })).toEqual([{ t: 'Hi', ...gsm, media: 'none' }])
    expect(await bodies({ text: '', image: 'https://i.example' })).toEqual([gsm])
    const emoji = '🙂'.repeat(36)
    expect(await bodies({ text: emoji, image: 'https://i.example' })).toEqual([
      { t: emoji, long: true, encoding: { type: 8 }, list: [380501234500, 'both', 'always'] },
    ])
  })

  test('holds for every part of a text alike', async () => {
    const { send } = bound(
      await withJson({ t: '{{text}}', '{{if unicode}}coding': 8, '{{if long}}u': '{{udh}}' }, { longText: 'parts' }),
    )
    const text = `${'x'.repeat(67 * 9)}ж`
    const { requests } = await send({ text }, { parts: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] })
    const bodies = bodiesOf(requests)
    expect(bodies.map(({ t }) => t).sort()).toEqual([...Array(9).fill('x'.repeat(67)), 'ж'])
    expect(bodies.every(({ coding, u }) => coding === 8 && u.length === 12)).toBe(true)
  })

  test('knows names, numbers and short codes as senders, by their name at the carrier', async () => {
    const { send } = bound(
      await withJson(
        {
          '{{if senderName}}name': '{{sender}}',
          '{{if senderNumber}}number': '{{sender}}',
          '{{if senderShortCode}}code': '{{sender}}',
        },
        { senders: { Shop: '+15550001', Code: '12345' } },
      ),
    )
    const bodyOf = async (sender: string) => bodiesOf((await send({}, { sender })).requests)[0]
    expect(await bodyOf('Shop')).toEqual({ number: '+15550001' })
    expect(await bodyOf('Code')).toEqual({ code: '12345' })
    expect(await bodyOf('+12345')).toEqual({ number: '+12345' })
    expect(await bodyOf('491701234567')).toEqual({ number: '491701234567' })
    expect(await bodyOf('Mein Läden ✓')).toEqual({ name: 'Mein Läden ✓' })
    expect(await bodyOf('{{if otp}}')).toEqual({ name: '{{if otp}}' })
  })

  test('distinguishes one-time codes, single messages and mailings; the code is a value', async () => {
    const { send } = bound(
      await withJson({
        '{{if otp}}category': 'authentication',
        '{{if bulk}}category': 'marketing',
        '{{if not otp}}{{if not bulk}}category': 'transactional',
        code: '{{code}}',
      }),
    )
    const bodyOf = async (tenant: number, content: object = {}) =>
      bodiesOf((await send(content, { tenant })).requests)[0]
    expect(await bodyOf(29, { text: 'Code 0123', code: '0123' })).toEqual({ category: 'authentication', code: '0123' })
    expect(await bodyOf(30)).toEqual({ category: 'transactional' })
    expect(await bodyOf(31)).toEqual({ category: 'marketing' })
  })

  test('works in headers and in the query of the address', async () => {
    const { send } = bound(
      await begin((address) => ({
        request: {
          address: `${address}/send?{{if unicode}}c=8&t={{if not long}}{{text}}`,
          headers: { 'X-Parts': '{{if long}}yes', '{{if unicode}}X-Unicode': '1' },
        },
        answer: { id: 'ours' },
      })),
    )
    const [gsm, long] = [await send({ text: 'a b' }), await send({ text: 'я'.repeat(71) })]
    expect([gsm.queries, long.queries]).toEqual([[{ t: 'a b' }], [{ c: '8' }]])
    expect(gsm.requests[0]?.headers).not.toHaveProperty('x-parts')
    expect(gsm.requests[0]?.headers).not.toHaveProperty('x-unicode')
    expect(long.requests[0]?.headers).toMatchObject({ 'x-parts': 'yes', 'x-unicode': '1' })
  })
})

describe('times and ids', () => {
  test('are those of the clock, the same message and its lifetime', async () => {
    const { send, parts } = bound(
      await withJson(
        {
          minutes: '{{#lifetimeMinutes}}',
          until: '{{expiresAt}}',
          now: '{{now}}',
          date: '{{nowRfc1123}}',
          uuid: '{{uuid}}',
        },
        { lifetime: { least: 30, most: 7_200 } },
      ),
    )
    expect(parts.clock.now()).toBe(Date.UTC(2026, 0, 1))
    const first = await send({}, { lifetimeSeconds: 1, messageId: 6_400 as never })
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
    expect(bodiesOf(first.requests)).toEqual([
      {
        minutes: 1,
        until: '2026-01-01T00:00:30.000Z',
        now: '2026-01-01T00:00:00.000Z',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        uuid: expect.stringMatching(`^${uuid}$`),
      },
    ])
    const again = await send({}, { lifetimeSeconds: 9_999, messageId: 6_400 as never, attempt: 2 })
    const [before] = bodiesOf(first.requests)
    expect(bodiesOf(again.requests)).toMatchObject([
      { minutes: 120, until: '2026-01-01T02:00:00.000Z', uuid: before.uuid },
    ])
    const others = [
      await send({}, { messageId: 6_400 as never, step: 1 }),
      await send({}, { messageId: 6_464 as never }),
    ]
    const uuids = others.map(({ requests }) => bodiesOf(requests)[0].uuid)
    expect(new Set([before.uuid, ...uuids]).size).toBe(3)
  })

  test('differ for each part', async () => {
    const { send } = bound(await withJson({ uuid: '{{uuid}}' }, { longText: 'parts' }))
    const { requests } = await send({ text: 'x'.repeat(200) }, { parts: [0, 1] })
    expect(new Set(requests.map(({ body }) => body)).size).toBe(2)
  })
})

describe('the addresses of its webhooks', () => {
  const REQUEST = { address: 'https://a.example/send', json: { r: '{{callback}}', i: '{{inboundCallback}}' } }
  const settings = { request: REQUEST, answer: { id: 'ours' }, receipt: RECEIPT, inbound: INBOUND }

  test('are percent-encoded in a query', async () => {
    const { send } = bound(
      await begin((address) => ({
        ...settings,
        request: { address: `${address}/send?to={{inboundCallback}}%3Ffrom%3D%25p`, json: REQUEST.json },
      })),
    )
    const { requests, queries } = await send({})
    expect(queries).toEqual([{ to: `${PUBLIC_URL}/carriers/up/inbound/${TOKEN}?from=%p` }])
    expect(bodiesOf(requests)).toEqual([
      { r: `${PUBLIC_URL}/carriers/up/${TOKEN}`, i: `${PUBLIC_URL}/carriers/up/inbound/${TOKEN}` },
    ])
  })

  test('need the public address of the gateway', () => {
    const create = (request: object) =>
      createHttpCarrier({ id: 'c', channel: 'sms', settings: { ...settings, request } }, gather())
    expect(() => create(REQUEST)).toThrow('request: {{callback}} needs POSTHORN_PUBLIC_URL')
    expect(() => create({ ...REQUEST, json: { a: ['x{{inboundCallback}}'] } })).toThrow('POSTHORN_PUBLIC_URL')
    expect(() => create({ ...REQUEST, json: {} })).not.toThrow()
  })

  test('need a webhook in the settings', () => {
    expect(() => readHttpSettings({ ...settings, receipt: null })).toThrow('receipt: is needed for {{callback}}')
    expect(() => readHttpSettings({ ...settings, inbound: null })).toThrow('inbound: is needed for {{inboundCallback}}')
  })
})

test('webhooks are registered once if two operators ask at the same time', async () => {
  const { carrier, seen } = await begin((address) => ({
    request: { address: `${address}/send` },
    answer: { id: 'ours' },
    receipt: RECEIPT,
    register: { requests: [{ address: `${address}/webhooks`, json: { url: '{{callback}}' } }] },
  }))
  const done = [{ request: 'requests.0', done: true, detail: 'HTTP 200' }]
  expect(await Promise.all([carrier.register?.(), carrier.register?.()])).toEqual([done, done])
  expect(bodiesOf(seen)).toEqual([{ url: `${PUBLIC_URL}/carriers/up/${TOKEN}` }])
})

describe('a signature', () => {
  const aws = {
    kind: 'aws',
    region: 'eu-central-1',
    service: 'sms-voice',
    accessKeyId: 'AKID',
    secretAccessKey: 'secret',
  }
  const signed = (auth: object, headers: object) =>
    begin((address) => ({
      request: { address: `${address}/send?v=1`, auth, headers, json: { to: '{{+phone}}', text: '{{text}}' } },
      answer: { id: 'ours' },
    }))

  test('for Amazon covers the body and the headers, and has the time of the clock', async () => {
    const headers = { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'Service.SendTextMessage' }
    const { send, parts } = bound(await signed(aws, headers))
    const ofRequest = async (content: object) => (await send(content)).requests[0]?.headers
    const first = await ofRequest({ text: 'a&b %' })
    expect(first).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-date': '20260101T000000Z',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKID\/20260101\/eu-central-1\/sms-voice\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=[0-9a-f]{64}$/,
      ),
    })
    expect((await ofRequest({ text: 'a&b %' }))?.authorization).toBe(first?.authorization)
    expect((await ofRequest({ text: '👍' }))?.authorization).not.toBe(first?.authorization)
    parts.clock.advance(1_000)
    expect(await ofRequest({ text: 'a&b %' })).toMatchObject({ 'x-amz-date': '20260101T000001Z' })
  })

  test('for Azure covers the query', async () => {
    const { send } = bound(await signed({ kind: 'azure', key: 'c2VjcmV0' }, {}))
    const { requests } = await send({ text: 'Hi' })
    const { host = '', 'x-ms-date': date, 'x-ms-content-sha256': content, authorization } = requests[0]?.headers ?? {}
    expect(content).toBe(
      createHash('sha256')
        .update(requests[0]?.body ?? '')
        .digest('base64'),
    )
    const proof = createHmac('sha256', 'secret').update(`POST\n/send?v=1\n${date};${host};${content}`).digest('base64')
    expect(authorization).toBe(`HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${proof}`)
  })

  test.each([
    [{ ...aws, region: undefined }, 'request.auth.region: should be text'],
    [{ ...aws, accessKeyId: 'ключ' }, 'request.auth.accessKeyId: should be 1 to 128 ASCII characters'],
    [{ kind: 'azure', key: 'no base64' }, 'request.auth.key: should be base64'],
  ])('needs its settings: %j', (auth, complaint) => {
    const request = { address: 'https://a.example/', auth }
    expect(() => readHttpSettings({ request, answer: { id: 'ours' } })).toThrow(complaint)
  })
})

test.each([
  [{ json: { a: '{{if unicod}}x' } }, 'request.json: {{if unicod}} has no such condition; there are unicode'],
  [{ json: { '{{if constructor}}a': 1 } }, 'request.json: {{if constructor}} has no such condition'],
  [{ json: { a: 'x{{if unicode}}' } }, 'request.json: {{if unicode}} is not allowed here'],
  [{ json: { a: '{{unicode}}' } }, 'request.json: {{unicode}} is not allowed here'],
  [{ json: { a: '{{#expiresAt}}' } }, 'request.json: {{#expiresAt}} is not a number'],
  [{ form: { '{{if }}a': 'x' } }, 'request.form: {{if }} has no such condition'],
  [{ method: 'GET', json: {} }, 'request.method: should be POST, because there is a body'],
])('refuses wrong requests %j and names them', (request, complaint) => {
  const whole = { address: 'https://a.example/send', ...request }
  expect(() => readHttpSettings({ request: whole, answer: { id: 'ours' } })).toThrow(complaint)
})

/** Returns the parts of an upstream, with `send` bound to it. */
function bound(of: HttpUpstream) {
  return { parts: of.parts, carrier: of.carrier, send: of.send.bind(of) }
}
