import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { readJsonPath, readPattern, textAt } from '../../src/carriers/http/places/find-text.ts'
import { NO_TEMPLATE } from '../../src/carriers/http/registered-templates.ts'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { valuesOf } from '../../src/carriers/http/submission-values.ts'
import { readHttpAnswer, writeRequest } from '../../src/carriers/http/submit.ts'
import type { TextContent } from '../../src/domain/message/message.ts'
import type { WebhookRequest } from '../../src/ports/carriers/carrier.ts'
import { type DoubleRequest, HttpDouble } from '../../src/simulator/server/http-double.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildAggregatorBench, gather } from '../support/http-benches.ts'

const submissions = new SubmissionMaker({ carrier: { channel: 'sms' } as never, sender: 'Shop' })

const REQUEST = { address: 'https://a.example/send', json: { text: '{{text}}' } }
const ANSWER = { id: { path: 'id' } }
const RECEIPT = {
  auth: { kind: 'token', token: 'a-token-of-our-own' },
  id: 'id',
  status: 'status',
  outcomes: { Delivered: 'delivered', '2': 'undeliverable' },
}
const SETTINGS = { request: REQUEST, answer: ANSWER, receipt: RECEIPT }

/** Returns the request for `content`. */
function write(request: object, content: Partial<TextContent> = {}, sender = 'Shop', part: number | null = null) {
  const settings = readHttpSettings({ ...SETTINGS, request: { address: 'https://a.example/send', ...request } })
  const text: TextContent = { kind: 'text', text: 'Hi', ...content }
  const submission = { ...submissions.make('00'), messageId: 6_400 as never, sender }
  const around = { settings, template: NO_TEMPLATE, callbacks: { receipt: '', inbound: '' }, now: 0 }
  return writeRequest(settings.request, valuesOf(submission, text, part, around), 0)
}

const bodyOf = (json: unknown, content: Partial<TextContent> = {}) =>
  JSON.parse(write({ json }, content)?.body ?? 'null')

describe('a request', () => {
  const nasty = '"},"admin":true,{"x":"\\\n&to=1#?%00\ud83d🙂'
  const kept = nasty.toWellFormed()

  test('writes values in JSON as text only', () => {
    expect(bodyOf({ a: ['x {{text}} y', '{{+phone}}'], b: 5, c: null }, { text: nasty })).toEqual({
      a: [`x ${kept} y`, '+380501234500'],
      b: 5,
      c: null,
    })
  })

  test('writes numbers where the template asks for them', () => {
    expect(bodyOf({ a: '{{#phone}}', b: '{{#lifetimeMs}}', c: '{{lifetime}}s' })).toEqual({
      a: 380501234500,
      b: 3_600_000,
      c: '3600s',
    })
  })

  test('leaves out missing values, and objects that are empty without them', () => {
    const json = {
      t: '{{text}}',
      media: [{ url: '{{image}}' }],
      button: { title: '{{button}}', url: '{{link}}' },
      e: {},
    }
    expect(bodyOf(json)).toEqual({ t: 'Hi', e: {} })
    expect(bodyOf(json, { text: '', image: 'https://i.example' })).toEqual({
      media: [{ url: 'https://i.example' }],
      e: {},
    })
  })

  test('percent-encodes values in the address, its query and forms', () => {
    const address = 'https://a.example/to/{{+phone}}/{{sender}}?a+b=x%26{{text}}&img={{image}}&n={{+phone}}&c'
    const written = write({ address, form: { t: '{{text}}', i: '{{image}}', 'k&y': 'v' } }, { text: nasty }, 'A/B?')
    const url = new URL(written?.url ?? '')
    expect(url.pathname).toBe('/to/%2B380501234500/A%2FB%3F')
    expect([...url.searchParams]).toEqual([
      ['a b', `x&${kept}`],
      ['n', '+380501234500'],
      ['c', ''],
    ])
    expect([...new URLSearchParams(written?.body)]).toEqual([
      ['t', kept],
      ['k&y', 'v'],
    ])
    expect(written?.headers).toEqual({ 'content-type': 'application/x-www-form-urlencoded' })
  })

  test('is refused if a value would change the path', () => {
    for (const sender of ['.', '..']) {
      expect(write({ address: 'https://a.example/{{sender}}/send' }, {}, sender)).toBeNull()
    }
    expect(write({ address: 'https://a.example/{{sender}}/send' }, {}, '')).toBeNull()
  })

  test('carries credentials', () => {
    const headers = (auth: object) => write({ auth, headers: { 'X-Ref': 'r-{{ref}}' } })?.headers
    expect(headers({ kind: 'basic', user: 'ü', password: 'p:w' })).toEqual({
      authorization: 'Basic w7w6cDp3',
      'x-ref': 'r-6400-0',
    })
    expect(headers({ kind: 'bearer', token: 'T' })).toMatchObject({ authorization: 'Bearer T' })
    expect(headers({ kind: 'header', name: 'X-Key', value: 'V' })).toMatchObject({ 'x-key': 'V' })
  })

  test('carries one part of a long text with its concatenation header', () => {
    const text = 'x'.repeat(200)
    const form = { t: '{{text}}', u: '{{udh}}', r: '{{ref}}', p: '{{part}}/{{parts}}' }
    const fields = (content: string, part: number) =>
      Object.fromEntries(new URLSearchParams(write({ form }, { text: content }, 'Shop', part)?.body))
    expect(fields(text, 1)).toEqual({ t: 'x'.repeat(47), u: '050003640202', r: '6400-0-1', p: '2/2' })
    expect(fields('short', 0)).toEqual({ t: 'short', r: '6400-0-0', p: '1/1' })
  })

  test('keeps its structure with any values', () => {
    const request = {
      address: 'https://a.example/{{sender}}?t={{text}}',
      json: { t: '{{text}}', s: { s: '{{sender}}' } },
    }
    const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(anyText, anyText, (text, sender) => {
        const written = write(request, { text }, sender)
        if (written === null) return expect(sender).toMatch(/^\.{1,2}$/)
        const url = new URL(written.url)
        expect([url.origin, url.hash, url.pathname.split('/').length]).toEqual(['https://a.example', '', 2])
        expect([...url.searchParams]).toEqual([['t', text.toWellFormed()]])
        expect(JSON.parse(written.body ?? '')).toEqual({ t: text.toWellFormed(), s: { s: sender.toWellFormed() } })
      }),
      { numRuns: 200 },
    )
  })
})

describe('an answer', () => {
  const read = (answer: object, status: number, body: string, isRepeat = false) =>
    readHttpAnswer(
      { kind: 'answered', status, body, retryAfterMs: null },
      readHttpSettings({ ...SETTINGS, answer: { ...ANSWER, ...answer } }).answer,
      { ref: 'ours', isRepeat },
    )[0].verdict

  test('409 to a repeat is taken by a carrier that knows messages by our reference, unless the settings differ', () => {
    const taken = { kind: 'taken', ref: 'ours' }
    expect(read({ id: 'ours', statuses: { '4xx': 'rejected' } }, 409, '', true)).toEqual(taken)
    expect(read({ id: 'ours' }, 409, '{"error":"duplicate"}', true)).toEqual(taken)
    expect(read({ id: 'ours' }, 409, '')).toMatchObject({ kind: 'unclear' })
    expect(read({}, 409, '', true)).toMatchObject({ kind: 'unclear' })
    expect(read({ id: 'ours', statuses: { '409': 'rejected' } }, 409, '', true)).toMatchObject({ kind: 'refused' })
  })

  const word = { path: 'code', meanings: { OK: 'taken', '7': 'undeliverable', spam: 'rejected', later: 'slow' } }

  test.each([
    [{}, 200, '{"id":"x"}', { kind: 'taken', ref: 'x' }],
    [{}, 201, '{"id":12345678901234567890}', { kind: 'taken', ref: '12345678901234567890' }],
    [{}, 200, '{"id":""}', { kind: 'taken', ref: 'ours' }],
    [{}, 200, '{"id":{"toString":1}}', { kind: 'taken', ref: 'ours' }],
    [{}, 200, '<html>', { kind: 'unclear', reason: 'HTTP 200: not JSON' }],
    [{}, 404, '{"id":"x"}', { kind: 'unclear', reason: 'HTTP 404' }],
    [{}, 429, '', { kind: 'slow' }],
    [{}, 302, '', { kind: 'unclear' }],
    [{ id: 'ours' }, 204, '', { kind: 'taken', ref: 'ours' }],
    [
      { statuses: { '404': 'undeliverable', '4xx': 'rejected' } },
      404,
      '',
      { kind: 'refused', status: 'UNDELIVERABLE' },
    ],
    [{ statuses: { '404': 'undeliverable', '4xx': 'rejected' } }, 400, '', { kind: 'refused', status: 'REJECTED' }],
    [{ statuses: { '202': 'unclear' } }, 202, '{"id":"x"}', { kind: 'unclear' }],
    [{ word }, 200, '{"id":"x","code":"ok"}', { kind: 'taken', ref: 'x' }],
    [{ word }, 200, '{"id":"x","code":7}', { kind: 'refused', status: 'UNDELIVERABLE', reason: 'HTTP 200: 7' }],
    [{ word }, 400, '{"code":"spam"}', { kind: 'refused', status: 'REJECTED' }],
    [{ word }, 503, '{"code":"later"}', { kind: 'slow' }],
    [{ word }, 200, '{"id":"x","code":"constructor"}', { kind: 'unclear' }],
    [{ word }, 200, '{"id":"x"}', { kind: 'unclear' }],
    [{ word }, 500, '{"id":"x","code":"OK"}', { kind: 'unclear' }],
    [{ id: { pattern: '^OK: ([\\w-]+)' } }, 200, 'OK: a-1\n', { kind: 'taken', ref: 'a-1' }],
    [
      { word: { pattern: '^ERR (\\d+)', meanings: { '105': 'undeliverable' } }, reason: { pattern: '^ERR (.+)' } },
      200,
      'ERR 105 no such number',
      { kind: 'refused', status: 'UNDELIVERABLE', reason: 'HTTP 200: 105: 105 no such number' },
    ],
  ])('%j: HTTP %i %s', (answer, status, body, verdict) => {
    expect(read(answer, status, body)).toMatchObject(verdict)
  })

  test.each([
    [{}, 422, '', true],
    [{}, 404, '', undefined],
    [{}, 503, '', undefined],
    [{ word }, 200, '{"id":"x","code":"blacklisted"}', true],
    [{ word }, 404, '{"code":"no such sender"}', true],
    [{ word }, 401, '{"code":"no such key"}', undefined],
    [{ word }, 500, '{"code":"internal"}', undefined],
  ])('%j: HTTP %i %s is unclear; concerns the message: %s', (answer, status, body, aboutMessage) => {
    expect(read(answer, status, body)).toEqual({ kind: 'unclear', reason: expect.any(String), aboutMessage })
  })
})

describe('finding a value', () => {
  test.each(['a', 'a.b', 'a[0].b', '[0].a', 'a[0][1]', 'a-b.c d'])('accepts the path %s', (path) => {
    expect(() => readJsonPath(path)).not.toThrow()
  })

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[x]', 'a]', 'a[0]b', 'a[-1]', `${'a.'.repeat(30)}a`])(
    '%s is none',
    (path) => {
      expect(() => readJsonPath(path)).toThrow('should be a place in JSON')
    },
  )

  test('ignores inherited properties', () => {
    for (const path of ['constructor.name', '__proto__', 'a.length', 'a[0].length']) {
      expect(textAt({ a: ['x'] }, readJsonPath(path))).toBe('')
    }
  })

  test.each(['(a', 'a', '(a)+', '((a))', '(a)\\1', '(?=a)(b)', '(?:a)+(b)', '(a*)b*c*', '(a|b){9}', '(a?b?c?d?e?)'])(
    'the pattern %s is refused',
    (pattern) => {
      expect(() => readPattern(pattern)).toThrow('should')
    },
  )

  test('the slowest allowed patterns are fast enough on the worst texts', () => {
    for (const pattern of ['^(a*a*)b', '^.?.?.?.?(.*).*x', '^(a|a|a|a|a|a|a|a)a?a*a*b', 'a?a?a?a?(a*)b']) {
      expect(readPattern(pattern)('a'.repeat(100_000))).toBe('')
    }
  })
})

test.each([
  [{ request: {} }, 'request.address: should be text'],
  [{ request: { ...REQUEST, address: 'a.example' } }, 'request.address: should be an http or https address, without'],
  [{ request: { ...REQUEST, address: 'https://{{sender}}.example/' } }, 'request.address: should be an http or https'],
  [{ request: { ...REQUEST, address: 'https://u:p@a.example/' } }, 'request.address: should be an http or https'],
  [{ request: { ...REQUEST, address: 'https://a.example/{{text}}' } }, 'request.address: {{text}} is not allowed here'],
  [{ request: { ...REQUEST, address: 'https://a.example/?x=%zz' } }, 'request.address: should be percent-encoded'],
  [{ request: { ...REQUEST, json: { a: '{{txt}}' } } }, 'request.json: {{txt}} is not allowed here'],
  [{ request: { ...REQUEST, json: { a: 'x{{#lifetime}}' } } }, 'request.json: {{#lifetime}} is not allowed here'],
  [{ request: { ...REQUEST, json: { a: '{{#text}}' } } }, 'request.json: {{#text}} is not a number'],
  [{ request: { ...REQUEST, form: { a: 'b' } } }, 'request.form: should not stand beside json'],
  [{ request: { ...REQUEST, method: 'GET' } }, 'request.method: should be POST, because there is a body'],
  [{ request: { ...REQUEST, headers: { Host: 'x' } } }, 'request.headers.Host: is not a header that can be set'],
  [{ request: { ...REQUEST, headers: { 'X-A': '{{text}}' } } }, 'request.headers.X-A: {{text}} is not allowed here'],
  [{ request: { ...REQUEST, headers: { 'X-A': 'a\r\nb' } } }, 'request.headers.X-A: should be ASCII text'],
  [{ request: { ...REQUEST, auth: { kind: 'digest' } } }, 'request.auth.kind: should be one of none, basic'],
  [{ request: { ...REQUEST, auth: { kind: 'bearer', token: 'a\n' } } }, 'request.auth.token: should be ASCII text'],
  [{ answer: {} }, 'answer.id: should be an object'],
  [{ answer: { id: { path: 'a..b' } } }, 'answer.id.path: should be a place in JSON'],
  [{ answer: { id: { pattern: '(a+)+' } } }, 'answer.id.pattern: should have no groups that repeat'],
  [{ answer: { ...ANSWER, statuses: { '20': 'taken' } } }, 'answer.statuses.20: should be a status'],
  [{ answer: { ...ANSWER, statuses: { '400': 'no' } } }, 'answer.statuses.400: should be one of taken'],
  [{ answer: { ...ANSWER, word: { path: 'a' } } }, 'answer.word.meanings: should name at least one word'],
  [{ receipt: { ...RECEIPT, auth: undefined } }, 'receipt.auth: should be an object'],
  [{ receipt: { ...RECEIPT, auth: { kind: 'token', token: 'short' } } }, 'receipt.auth.token: should be 16 to 128'],
  [{ receipt: { ...RECEIPT, outcomes: { x: 'sent' } } }, 'receipt.outcomes.x: should be one of accepted'],
  [{ receipt: { ...RECEIPT, method: 'GET' } }, 'receipt.format: should be query'],
  [{ receipt: { ...RECEIPT, answer: { status: 500 } } }, 'receipt.answer.status: should be a whole number from 200'],
  [{ receipt: { ...RECEIPT, extra: 1 } }, 'receipt.extra: is not a setting of this carrier'],
  [{ lifetime: { least: 60, most: 30 } }, 'lifetime.least: should not be more than most'],
  [{ longText: 'cut' }, 'longText: should be one of whole, parts'],
])('refuses wrong settings %j and names them', (change, complaint) => {
  expect(() => readHttpSettings({ ...SETTINGS, ...change })).toThrow(complaint)
})

let stop: (() => Promise<void>) | null = null

afterEach(async () => {
  await stop?.()
  stop = null
})

describe('a long SMS that is sent as one request', () => {
  test('the first part decides and the others follow it', async () => {
    const settings = {
      request: {
        address: 'PARROT/v2/messages',
        auth: { kind: 'bearer', token: 'KEY' },
        json: {
          to: '{{+phone}}',
          from: '{{sender}}',
          text: '{{text}}',
          client_ref: '{{ref}}',
          validity: '{{#lifetime}}',
        },
      },
      answer: { id: { path: 'messages[0].id' } },
      receipt: {
        auth: { kind: 'hmac', name: 'X-Signature', prefix: 'sha256=', secret: 'SECRET' },
        list: 'results',
        id: 'message.id',
        status: 'state',
        outcomes: { DELIVERED: 'delivered', FAILED: 'undeliverable' },
      },
    }
    const bench = await buildAggregatorBench('sms', settings)
    const { carrier, inbox, traffic, clock } = bench
    stop = async () => {
      await settled('the carrier to stop', carrier.stop(), clock)
      await bench.stop()
    }
    carrier.start(inbox)
    inbox.refusals = 1
    const text = 'x'.repeat(400)
    const submission = submissions.make('00', { content: { kind: 'text', text }, parts: [0, 1, 2] })
    const verdicts = await settled('the verdicts', carrier.submit(submission), clock)
    const ref = traffic.arrivals[0]?.ref
    expect(traffic.arrivals.map((arrival) => arrival.text)).toEqual([text])
    expect(verdicts).toEqual([
      { kind: 'taken', ref },
      { kind: 'taken', ref: `${ref}#1` },
      { kind: 'taken', ref: `${ref}#2` },
    ])
    await eventually('all receipts', () => inbox.receipts.length === 3, { clock })
    expect(inbox.receipts.map((receipt) => [receipt.ref, receipt.outcome])).toEqual(
      expect.arrayContaining(verdicts.map((verdict) => [verdict.kind === 'taken' && verdict.ref, 'delivered'])),
    )
  })
})

describe('an interface with GET requests', () => {
  const settings = (address: string) => ({
    request: { method: 'GET', address: `${address}/send?user=u&pass=p&to={{phone}}&from={{sender}}&text={{text}}` },
    answer: { id: { pattern: '^0: Accepted (\\d+)' }, statuses: { '403': 'rejected' } },
    receipt: {
      method: 'GET',
      auth: { kind: 'token', token: 'a-token-of-our-own' },
      format: 'query',
      id: 'smsid',
      status: 'type',
      outcomes: { '1': 'delivered', '2': 'undeliverable', '8': 'accepted' },
      answer: { status: 202, body: 'ACK' },
    },
  })

  test('works with addresses only', async () => {
    const seen: DoubleRequest[] = []
    const double = await HttpDouble.listen((request) => {
      if (request.method === 'GET') seen.push(request)
      return { status: 202, body: `0: Accepted ${seen.length}` }
    })
    const parts = gather()
    const carrier = createHttpCarrier({ id: 'old', channel: 'sms', settings: settings(double.address) }, parts)
    stop = async () => {
      await settled('the carrier to stop', carrier.stop(), parts.clock)
      await double.goDown()
    }
    carrier.start(parts.inbox)
    const submission = submissions.make('00', { content: { kind: 'text', text: 'Ä & b = c+d' } })
    expect(await settled('the verdict', carrier.submit(submission))).toEqual([{ kind: 'taken', ref: '1' }])
    expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({
      user: 'u',
      pass: 'p',
      to: submission.phone,
      from: 'Shop',
      text: 'Ä & b = c+d',
    })
    const call = (path: string, method = 'GET') =>
      carrier.answerWebhook?.({ method, path, headers: {}, body: new Uint8Array() })
    expect(await call('/a-token-of-our-own?smsid=1&type=1')).toEqual({ status: 202, body: 'ACK' })
    expect(await call('/a-token-of-our-own?smsid=1&type=9')).toEqual({ status: 202, body: 'ACK' })
    expect(await call('/another-token-not-ours?smsid=1&type=2')).toMatchObject({ status: 404 })
    expect(await call('/a-token-of-our-own?smsid=1&type=2', 'POST')).toMatchObject({ status: 405 })
    expect(parts.inbox.receipts).toEqual([{ carrierId: 'old', ref: '1', outcome: 'delivered', detail: '1' }])
  })
})

describe('the webhook', () => {
  const SECRET = 'the-secret'
  const body = '[{"id":5,"status":"delivered"},{"id":"x","status":2},{"id":"y","status":"?"},null,7]'

  function listen(receipt: object) {
    const parts = gather()
    const settings = { ...SETTINGS, receipt: { ...RECEIPT, ...receipt } }
    const carrier = createHttpCarrier({ id: 'c', channel: 'sms', settings }, parts)
    carrier.start(parts.inbox)
    stop = () => settled('the carrier to stop', carrier.stop(), parts.clock)
    const call = (request: Partial<WebhookRequest>) =>
      carrier.answerWebhook?.({ method: 'POST', path: '', headers: {}, body: Buffer.from(body), ...request })
    return { call, inbox: parts.inbox }
  }

  const hmac = (algorithm: string, encoding: 'hex' | 'base64', key = SECRET) =>
    createHmac(algorithm, key).update(body).digest(encoding)

  test.each([
    [{ kind: 'header', name: 'X-Key', value: 'V' }, { 'x-key': 'V' }, { 'x-key': 'v' }],
    [{ kind: 'basic', user: 'a', password: 'b' }, { authorization: 'Basic YTpi' }, { authorization: 'Basic YTpj' }],
    [
      { kind: 'hmac', name: 'X-S', secret: SECRET },
      { 'x-s': hmac('sha256', 'hex').toUpperCase() },
      { 'x-s': hmac('sha256', 'hex', 'other') },
    ],
    [
      { kind: 'hmac', name: 'X-S', secret: SECRET, algorithm: 'sha512', encoding: 'base64', prefix: 'v1 ' },
      { 'x-s': `v1 ${hmac('sha512', 'base64')}` },
      { 'x-s': hmac('sha512', 'base64') },
    ],
  ])('accepts %j and nothing else', async (auth, right, wrong) => {
    const { call, inbox } = listen({ auth })
    for (const headers of [{}, wrong]) expect(await call({ headers })).toMatchObject({ status: 401 })
    expect(inbox.receipts).toEqual([])
    expect(await call({ headers: right })).toEqual({ status: 200, body: '' })
    expect(inbox.receipts.map(({ ref, outcome, detail }) => [ref, outcome, detail])).toEqual([
      ['5', 'delivered', 'delivered'],
      ['x', 'undeliverable', '2'],
    ])
  })

  test('reads forms', async () => {
    const { call, inbox } = listen({ format: 'form', reason: 'why' })
    const form = Buffer.from('id=a%20b&status=2&why=no+such+number')
    expect(await call({ path: '/a-token-of-our-own', body: form })).toEqual({ status: 200, body: '' })
    expect(inbox.receipts).toEqual([
      { carrierId: 'c', ref: 'a b', outcome: 'undeliverable', detail: '2: no such number' },
    ])
  })

  test('reads the billing category from the path in the settings', async () => {
    const { call, inbox } = listen({ format: 'form', category: 'billing' })
    for (const billing of ['Utility', 'free', '', 'two%20words']) {
      const form = Buffer.from(`id=a&status=delivered&billing=${billing}`)
      expect(await call({ path: '/a-token-of-our-own', body: form })).toEqual({ status: 200, body: '' })
    }
    expect(inbox.receipts.map(({ category }) => category)).toEqual(['utility', 'free', undefined, undefined])
  })

  test('refuses long lists and anything but JSON', async () => {
    const { call, inbox } = listen({})
    const path = '/a-token-of-our-own'
    for (const text of ['', '{', '5', '"x"', 'null']) {
      expect(await call({ path, body: Buffer.from(text) })).toMatchObject({ status: 400 })
    }
    const many = JSON.stringify(Array(1_001).fill({ id: 1, status: '2' }))
    expect(await call({ path, body: Buffer.from(many) })).toMatchObject({ status: 413 })
    expect(inbox.receipts).toEqual([])
  })

  test('refuses more members and elements than a thousand receipts have, before it parses them', async () => {
    const { call, inbox } = listen({})
    const path = '/a-token-of-our-own'
    const body = (numbers: number, text = '') => {
      const more = `[12345678901234567890${',1'.repeat(numbers - 1)}]`
      return Buffer.from(`{"id":"a","status":"2","text":${JSON.stringify(text)},"more":${more}}`)
    }
    const refused = await call({ path, body: body(39_998) })
    expect(refused).toEqual({ status: 413, body: 'more than 40000 members and elements' })
    expect(inbox.receipts).toEqual([])
    expect(await call({ path, body: body(39_997, 'a "quote", a \\, and so on'.repeat(2_000)) })).toMatchObject({
      status: 200,
    })
    expect(inbox.receipts).toMatchObject([{ ref: 'a' }])
  })

  test('answers any bytes, and reads only the fields of the settings', async () => {
    const { call, inbox } = listen({ list: 'a' })
    const anyBody = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(anyBody, fc.string({ maxLength: 40 }), async (bytes, tail) => {
        const answers = [
          await call({ body: bytes, path: '/a-token-of-our-own' }),
          await call({ body: bytes, path: tail }),
        ]
        expect(answers.map((answer) => answer?.status)).toEqual([expect.toBeOneOf([200, 400]), 404])
      }),
      { numRuns: 150 },
    )
    expect(inbox.receipts).toEqual([])
  })

  test('is absent without receipts', () => {
    const carrier = createHttpCarrier(
      { id: 'c', channel: 'rcs', settings: { request: REQUEST, answer: ANSWER } },
      gather(),
    )
    expect(carrier.answerWebhook).toBeUndefined()
  })
})

test('a null setting counts as missing, and credentials without a kind as no credentials', () => {
  const request = { ...REQUEST, auth: {}, headers: null }
  expect(readHttpSettings({ ...SETTINGS, request, receipt: null })).toMatchObject({
    receipt: null,
    request: { headers: [] },
  })
})
