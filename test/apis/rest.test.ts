/** The REST API on a real socket: what each endpoint answers, and how each kind of error looks. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { eventually } from '../support/eventually.ts'
import { PHONE, rcs, sms } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

const BEARER = { Authorization: `Bearer ${KEY}` }

interface RestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(bench.address + path, {
    method,
    headers: { ...BEARER, ...type, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text), text }
}

/** Without the keys that it does not name. */
const problem = (status: number, code: string, more: object = {}) => ({
  status,
  body: {
    type: `urn:posthorn:error:${code}`,
    status,
    code,
    title: expect.any(String),
    detail: expect.any(String),
    ...more,
  },
})

const sent = async (fields: object = {}) => (await ask('POST', '/v1/messages', rcs(fields))).body['msg_id']

describe('a message', () => {
  test('is sent, and found at its Location', async () => {
    const answer = await ask('POST', '/v1/messages', rcs({ id: 17 }))
    expect(answer).toMatchObject({ status: 201, body: { id: 17, data: 1, parts: 1 } })
    const location = answer.headers.get('location') ?? ''
    expect(location).toBe(`/v1/messages/${String(answer.body['msg_id'])}`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const found = await ask('GET', location)
    expect(found).toMatchObject({ status: 200, body: { id: 17, phone: PHONE, type: 'rcs', status: 'QUEUED' } })
  })

  test('keeps an id letter for letter, and names the fields that are ignored', async () => {
    const body = JSON.stringify(rcs({ id: 1 })).replace('"id":1', '"id":123456789012345678901234567890')
    expect((await ask('POST', '/v1/messages', body)).text).toContain('{"id":123456789012345678901234567890,')
    const { body: warned } = await ask('POST', '/v1/messages', rcs({ id: 'a', rcs_lifetme: 5 }))
    expect(warned).toMatchObject({ id: 'a', warnings: ['rcs_lifetme: ignored'] })
  })

  test('is cancelled once, before a carrier has it', async () => {
    const id = await sent()
    const cancelled = await ask('POST', `/v1/messages/${String(id)}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { msg_id: id, status: 'CANCELLED' } })
    expect(await ask('GET', `/v1/messages/${String(id)}`)).toMatchObject({ body: { status: 'CANCELLED' } })
  })

  test('is sent once under an Idempotency-Key, and another one under it is refused', async () => {
    const headers = { 'Idempotency-Key': 'order-17' }
    const first = await ask('POST', '/v1/messages', rcs({ id: 21 }), headers)
    const again = await ask('POST', '/v1/messages', rcs({ id: 21 }), headers)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    const other = await ask('POST', '/v1/messages', rcs({ id: 22 }), headers)
    expect(other).toMatchObject(problem(409, 'idempotency_conflict'))
    const elsewhere = await ask('POST', `/v1/messages/${String(first.body['msg_id'])}/cancel`, undefined, headers)
    expect(elsewhere).toMatchObject(problem(409, 'idempotency_conflict'))
  })
})

test('a verification is started, and its code checked', async () => {
  const started = await ask('POST', '/v1/verifications', { phone: PHONE + 90, sms_signature: 'SMSTest', length: 4 })
  expect(started).toMatchObject({ status: 201, body: { channel: 'sms', digits: 4 } })
  const id = String(started.body['verify_id'])
  expect(started.headers.get('location')).toBe(`/v1/messages/${id}`)
  const wrong = await ask('POST', `/v1/verifications/${id}/check`, { code: '000000' })
  expect(wrong).toMatchObject({ status: 200, body: { status: 'wrong', attempts_left: 4 } })
  expect(await ask('GET', `/v1/messages/${id}`)).toMatchObject({ status: 200, body: { type: 'verify/start' } })
  const early = await ask('POST', `/v1/verifications/${id}/resend`)
  expect(early).toMatchObject(problem(429, 'too_early'))
  expect(early.headers.get('retry-after')).toBe('5')
})

test('a verification goes on with its next channel', async () => {
  const channels = ['call', 'sms']
  const { body } = await ask('POST', '/v1/verifications', { phone: PHONE + 91, channels, sms_signature: 'SMSTest' })
  const resent = await ask('POST', `/v1/verifications/${String(body['verify_id'])}/resend`)
  expect(resent).toMatchObject({ status: 200, body: { msg_id: body['verify_id'], channel: 'sms', price: 0 } })
})

test('the balance and the events of the account are read', async () => {
  expect(await ask('GET', '/v1/balance')).toMatchObject({ status: 200, body: { currency: 'EUR' } })
  expect(await ask('GET', '/v1/events')).toMatchObject({ status: 200, body: { events: [], next: '0', more: false } })
  expect(await ask('GET', '/v1/events?after=0&limit=5')).toMatchObject({ status: 200, body: { events: [] } })
})

test('the postings and the statement of a month are read', async () => {
  await sent()
  const first = await ask('GET', '/v1/postings?limit=1')
  expect(first).toMatchObject({ status: 200, body: { postings: [{ kind: 'hold' }] } })
  const second = await ask('GET', `/v1/postings?limit=1&after=${String(first.body['next'])}`)
  expect(second.body['postings']).not.toEqual(first.body['postings'])
  const month = new Date(bench.clock.now()).toISOString().slice(0, 7)
  expect(await ask('GET', `/v1/statement/${month}`)).toMatchObject({ status: 200, body: { month, currency: 'EUR' } })
})

describe('an error', () => {
  test.each([
    ['without a key', 'GET', '/v1/balance', undefined, { Authorization: '' }, 401, 'access_denied'],
    ['with a wrong key', 'GET', '/v1/balance', undefined, { Authorization: 'Bearer x' }, 401, 'access_denied'],
    ['with another scheme', 'GET', '/v1/balance', undefined, { Authorization: 'Basic eDp4' }, 401, 'access_denied'],
    ['at a path that does not exist', 'GET', '/v1/nothing', undefined, {}, 404, 'not_found'],
    ['at an id that is none', 'GET', '/v1/messages/abc', undefined, {}, 404, 'not_found'],
    ['at an id that is too large', 'GET', '/v1/messages/9999999999999999', undefined, {}, 404, 'not_found'],
    ['about an unknown message', 'GET', '/v1/messages/9999999999', undefined, {}, 404, 'no_such_message'],
    [
      'about an unknown verification',
      'POST',
      '/v1/verifications/99999999/check',
      { code: '1234' },
      {},
      404,
      'no_such_verification',
    ],
    [
      'with another content type',
      'POST',
      '/v1/messages',
      '{}',
      { 'Content-Type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    [
      'with a compressed body',
      'POST',
      '/v1/messages',
      '{}',
      { 'Content-Encoding': 'gzip' },
      415,
      'unsupported_media_type',
    ],
    ['with half a body', 'POST', '/v1/messages', '{"type":', {}, 400, 'invalid_request'],
    ['with an array', 'POST', '/v1/messages', '[]', {}, 400, 'invalid_request'],
    ['with two objects', 'POST', '/v1/messages', '{"type":"sms"},{"type":"sms"}', {}, 400, 'invalid_request'],
    ['about what is no month', 'GET', '/v1/statement/2026-13', undefined, {}, 422, 'invalid_field'],
    ['about a month to come', 'GET', '/v1/statement/2099-01', undefined, {}, 422, 'invalid_field'],
    ['at a statement of no month', 'GET', '/v1/statement/', undefined, {}, 404, 'not_found'],
    ['with a cursor of postings that is none', 'GET', '/v1/postings?after=x', undefined, {}, 422, 'invalid_field'],
    ['with a cursor that is none', 'GET', '/v1/events?after=x', undefined, {}, 422, 'invalid_field'],
    [
      'with a long Idempotency-Key',
      'POST',
      '/v1/messages',
      rcs(),
      { 'Idempotency-Key': 'k'.repeat(256) },
      400,
      'invalid_request',
    ],
  ] as const)('%s', async (_, method, path, body, headers, status, code) => {
    const answer = await ask(method, path, body, headers)
    expect(answer).toMatchObject(problem(status, code))
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
  })

  test('of a field names it', async () => {
    const answer = await ask('POST', '/v1/messages', sms({ phone: '1' }))
    expect(answer).toMatchObject(problem(422, 'invalid_phone', { field: 'phone' }))
    const verification = await ask('POST', '/v1/verifications', { phone: PHONE, channels: ['fax'] })
    expect(verification).toMatchObject(problem(422, 'invalid_field', { field: 'channels' }))
  })

  test('of a wrong method says which ones are right', async () => {
    const answer = await ask('DELETE', '/v1/messages')
    expect(answer).toMatchObject(problem(405, 'method_not_allowed'))
    expect(answer.headers.get('allow')).toBe('POST')
    expect((await ask('POST', '/v1/balance', {})).headers.get('allow')).toBe('GET')
    const preflight = await ask('OPTIONS', '/v1/messages', undefined, { Origin: 'https://shop.example' })
    expect(preflight.status).toBe(405)
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('of ours is a problem that may be repeated under its key, and says nothing of the cause', async () => {
    const { accept, page } = bench.store
    const failing = () => Promise.reject(new Error('secret of the store'))
    Object.assign(bench.store, { accept: failing, page: failing })
    const answers = [
      await ask('POST', '/v1/messages', rcs({ id: 500 }), {
        'Idempotency-Key': 'order-500',
        'X-Request-Id': 'req-500',
      }),
      await ask('GET', '/v1/postings', undefined, { 'X-Request-Id': 'req-500' }),
    ]
    Object.assign(bench.store, { accept, page })
    for (const answer of answers) {
      expect(answer).toMatchObject(problem(500, 'internal', { title: 'Internal', detail: 'Internal error' }))
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('x-request-id')).toBe('req-500')
      expect(answer.text).not.toContain('secret')
    }
    const again = await ask('POST', '/v1/messages', rcs({ id: 500 }), { 'Idempotency-Key': 'order-500' })
    expect(again).toMatchObject({ status: 201, body: { id: 500 } })
  })

  test('of a message that is gone says that it is too late', async () => {
    const id = await sent()
    const [message] = bench.outbox.taken.filter((each) => each.id === id)
    if (message === undefined) throw new Error('the message was not passed on')
    await bench.outbox.record(message, { kind: 'taken', ref: 'r' })
    expect(await ask('POST', `/v1/messages/${String(id)}/cancel`)).toMatchObject(problem(409, 'too_late'))
  })
})

describe('only its own operation', () => {
  test.each([['balance'], ['statistics'], ['call/otp'], ['template/create'], ['bulk/create']])(
    'is executed where a message is sent, and no %s',
    async (type) => {
      const answer = await ask('POST', '/v1/messages', { type, phone: PHONE, name: 'x', template: 'x' })
      expect(answer).toMatchObject(problem(422, 'invalid_field', { field: 'type' }))
    },
  )

  test('an unknown type is answered as everywhere', async () => {
    const answer = await ask('POST', '/v1/messages', { ...sms(), type: 'smss' })
    expect(answer.body['detail']).toMatch(/did you mean sms\?$/)
  })

  test('is refused with a key in it, also the right one, and does nothing', async () => {
    const kept = bench.outbox.taken.length
    for (const body of [
      { ...sms(), auth: 'some key' },
      JSON.stringify({ ...sms() }).replace('{', '{"\\u0061uth":null,'),
    ]) {
      expect(await ask('POST', '/v1/messages', body)).toMatchObject(problem(422, 'invalid_field', { field: 'auth' }))
    }
    expect(bench.outbox.taken).toHaveLength(kept)
  })

  test('is that of the path, whatever the body or the query says', async () => {
    const id = await sent()
    const kept = bench.outbox.taken.length
    const body = '{"type":"sms","msg_id":1,"\\u0074ype":"balance","__proto__":{"type":"balance"}}'
    expect(await ask('POST', `/v1/messages/${String(id)}/cancel`, body)).toMatchObject({
      body: { status: 'CANCELLED' },
    })
    expect(await ask('GET', '/v1/balance?type=event/list&after=5')).toMatchObject({ body: { currency: 'EUR' } })
    expect(bench.outbox.taken).toHaveLength(kept)
  })

  test('is executed once for one object, however it is written', async () => {
    const kept = bench.outbox.taken.length
    const answer = await ask('POST', '/v1/messages', ` \n${JSON.stringify(rcs({ id: 77 }))}\r\n `)
    expect(answer).toMatchObject({ status: 201, body: { id: 77 } })
    expect(bench.outbox.taken).toHaveLength(kept + 1)
  })
})

describe('X-Request-Id', () => {
  test('is echoed in results and problems', async () => {
    for (const path of ['/v1/balance', '/v1/nothing', '/v1/messages/5']) {
      const { headers } = await ask('GET', path, undefined, { 'X-Request-Id': 'req-5' })
      expect(headers.get('x-request-id')).toBe('req-5')
    }
  })

  test('is made where there is none, or none that can be echoed', async () => {
    const made = (await ask('GET', '/v1/balance')).headers.get('x-request-id')
    const other = (await ask('GET', '/v1/nothing', undefined, { 'X-Request-Id': 'r'.repeat(129) })).headers.get(
      'x-request-id',
    )
    expect([made, other]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(made).not.toBe(other)
  })
})

describe('limits', () => {
  let own: ClientBench
  beforeEach(async () => {
    own = await startClientBench({
      balanceMicros: 0,
      limits: { allBodiesBytes: 300_000 },
      settings: { operationsPerSecond: 2, allowedNetworks: null },
    })
  })
  afterEach(() => own.stop())

  const askOwn = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(own.address + path, {
      ...init,
      headers: { ...BEARER, 'Content-Type': 'application/json', ...init.headers },
    })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }
  }

  test('an account without money may not send', async () => {
    const answer = await askOwn('/v1/messages', { method: 'POST', body: JSON.stringify(sms()) })
    expect(answer).toMatchObject(problem(402, 'insufficient_funds'))
  })

  test('an account that asks too fast learns when to come again', async () => {
    for (let count = 0; count < 2; count += 1) expect((await askOwn('/v1/balance')).status).toBe(200)
    expect(await askOwn('/v1/balance')).toMatchObject({ retryAfter: '1', ...problem(429, 'rate_limited') })
    own.clock.advance(1_000)
    expect((await askOwn('/v1/balance')).status).toBe(200)
  })

  test('a body is at most 64 KiB, whether its length is declared or not', async () => {
    const body = JSON.stringify(sms({ pad: 'x'.repeat(65_536) }))
    const declared = await askOwn('/v1/messages', { method: 'POST', body })
    expect(declared).toMatchObject(problem(413, 'too_large', { detail: 'The body is too large, at most 65536 bytes' }))
    const stream = new Blob([body]).stream()
    const chunked = await askOwn('/v1/messages', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
    expect(chunked).toMatchObject(problem(413, 'too_large'))
  })

  test('a body that arrives without room is refused for a second', async () => {
    const { hostname, port } = new URL(own.address)
    const stalled = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write(
        `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 60000\r\n\r\n`,
      )
      socket.write('x'.repeat(59_000))
      return socket
    })
    await eventually('a refusal', async () => (await askOwn('/v1/events')).status === 503)
    expect(await askOwn('/v1/events')).toMatchObject({ retryAfter: '1', ...problem(503, 'unavailable') })
    for (const socket of stalled) socket.destroy()
    await eventually('room again', async () => (await askOwn('/v1/events')).status !== 503)
  })

  test('a client that has half-closed gets its answer', async () => {
    const { hostname, port } = new URL(own.address)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    let got = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      got += text
    })
    socket.end(`GET /v1/balance HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n\r\n`)
    await eventually('the answer', () => got.endsWith('}'))
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('a key without the scope is refused', async () => {
    await own.change({ kind: 'add key', key: buildKey({ hash: hashKey('reader'), scopes: ['balance'] }) })
    const headers = { Authorization: 'Bearer reader' }
    const answer = await askOwn('/v1/messages', { method: 'POST', body: JSON.stringify(sms()), headers })
    expect(answer).toMatchObject(problem(403, 'not_allowed'))
  })
})
