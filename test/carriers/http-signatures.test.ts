/** Signed calls to the webhooks of generic HTTP carriers, by settings: published examples, and what is refused. */
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { settled } from '../support/eventually.ts'
import { gather } from '../support/http-benches.ts'
import { openWebhookCalls } from '../support/webhook-calls.ts'
import { openWebhookDoor, type WebhookDoor } from '../support/webhook-door.ts'

const hmac = (algorithm: string, key: string | Buffer, text: string | Buffer) => createHmac(algorithm, key).update(text)

describe('published examples', () => {
  const twilio = (at: object = {}) => ({
    kind: 'signature',
    at: { header: 'X-Twilio-Signature' },
    algorithm: 'hmac-sha1',
    encoding: 'base64',
    keys: ['12345'],
    ...at,
  })
  const form = 'Digits=1234&To=%2B18005551212&CallSid=CA1234567890ABCDE&From=%2B14158675309&Caller=%2B14158675309'
  const vonage = (algorithm: string, place = 'field') => ({
    kind: 'signature',
    at: { [place]: 'sig' },
    algorithm,
    keys: ['secret'],
    signed: ['&{{sortedFields:=&}}'],
    replace: { '&': '_', '=': '_' },
    timestamp: { [place]: 'timestamp' },
  })
  const VONAGE = {
    md5: '6af838ef94998832dbfc29020b564830',
    'hmac-sha256': 'a321e824b9b816be7c3f28859a31749a098713d39f613c80d455bbaffae1cd24',
    'hmac-sha1': '3e19a4e6880fdc2c1426bfd0587c98b9532f0210',
  }

  test.each([['https://mycompany.com/myapp.php'], ['https://mycompany.com:443/myapp.php']])(
    'of Twilio, for the address %s',
    async (address) => {
      const signed = ['{{url}}{{sortedFields}}']
      const { call } = openWebhookCalls({ auth: twilio({ signed }), format: 'form' }, { address })
      const headers = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' }
      expect(await call({ path: '?foo=1&bar=2', headers, text: form })).toMatchObject({ status: 200 })
      // A repeated field is signed once.
      expect(await call({ path: '?foo=1&bar=2', headers, text: `${form}&Digits=1234` })).toMatchObject({ status: 200 })
      expect(await call({ path: '?foo=1&bar=3', headers, text: form })).toMatchObject({ status: 401 })
      expect(await call({ path: '?foo=1&bar=2', headers, text: form.replace('1234', '1235') })).toMatchObject({
        status: 401,
      })
    },
  )

  test('of Twilio, for a body that is not a form', async () => {
    const auth = twilio({ signed: ['{{url}}'], bodySha256: { query: 'bodySHA256' } })
    const { call } = openWebhookCalls({ auth }, { address: 'https://mycompany.com/myapp.php' })
    const sha256 = '0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620'
    const headers = { 'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=' }
    const path = `?foo=1&bar=2&bodySHA256=${sha256}`
    // The body of the example is not published: this one has another hash.
    expect(await call({ path, headers, text: '{}' })).toMatchObject({ status: 401 })
    const ofAnyBody = { auth: twilio({ signed: ['{{url}}'], unsignedContent: true }) }
    const withoutBody = openWebhookCalls(ofAnyBody, { address: 'https://mycompany.com/myapp.php' })
    expect(await withoutBody.call({ path, headers, text: '{}' })).toMatchObject({ status: 200 })
    const hash = createHash('sha256').update('{"id":1}').digest('hex')
    const own = {
      'x-twilio-signature': hmac('sha1', '12345', `https://mycompany.com/myapp.php?bodySHA256=${hash}`).digest(
        'base64',
      ),
    }
    expect(await call({ path: `?bodySHA256=${hash}`, headers: own, text: '{"id":1}' })).toMatchObject({ status: 200 })
    expect(await call({ path: `?bodySHA256=${hash}`, headers: own, text: '{"id":2}' })).toMatchObject({ status: 401 })
  })

  test.each(Object.entries(VONAGE))('of Vonage with %s, in a form, a query and JSON', async (algorithm, signature) => {
    const at = { now: 1_461_605_396 }
    const fields = { a: '1', b: '2', timestamp: '1461605396', sig: signature }
    const text = new URLSearchParams(fields).toString()
    const inForm = openWebhookCalls({ auth: vonage(algorithm), format: 'form' }, at)
    expect(await inForm.call({ text })).toMatchObject({ status: 200 })
    expect(await inForm.call({ text: text.replace('a=1', 'a=2') })).toMatchObject({ status: 401 })
    const inQuery = openWebhookCalls({ auth: vonage(algorithm, 'query'), format: 'query', method: 'GET' }, at)
    expect(await inQuery.call({ method: 'GET', path: `?${text}` })).toMatchObject({ status: 200 })
    const inJson = openWebhookCalls({ auth: vonage(algorithm) }, at)
    expect(await inJson.call({ text: JSON.stringify({ ...fields, a: 1 }) })).toMatchObject({ status: 200 })
    expect(await inJson.call({ text: JSON.stringify({ ...fields, c: {} }) })).toMatchObject({ status: 401 })
    for (const webhook of [inForm, inQuery, inJson]) webhook.clock.advance(301_000)
    expect(await inForm.call({ text })).toMatchObject({ status: 401 })
    expect(await inQuery.call({ method: 'GET', path: `?${text}` })).toMatchObject({ status: 401 })
  })

  test('of Vonage, with & and = and a letter that is not ASCII in a value', async () => {
    const { call } = openWebhookCalls({ auth: vonage('md5'), format: 'form' })
    const sig = createHash('md5').update('&text=a_b_\u00e9&timestamp=1000secret').digest('hex')
    expect(await call({ text: `timestamp=1000&text=a%26b%3D%C3%A9&sig=${sig}` })).toMatchObject({ status: 200 })
    // The same letter, written as e and an accent, is another text.
    expect(await call({ text: `timestamp=1000&text=a%26b%3De%CC%81&sig=${sig}` })).toMatchObject({ status: 401 })
  })

  test('of Sinch', async () => {
    const name = 'x-sinch-webhook-signature'
    const auth = {
      kind: 'signature',
      at: { header: name },
      encoding: 'base64',
      keys: ['SMSWebhooksSecret'],
      signed: ['{{body}}.{{nonce}}.{{timestamp}}'],
      timestamp: { header: `${name}-timestamp` },
      nonce: { header: `${name}-nonce` },
    }
    const { call } = openWebhookCalls({ auth }, { now: 1_736_760_161 })
    const text =
      '{"at":"2025-01-13T09:22:40.914Z","batch_id":"01JHFFHQ0P99JPPNQPJDV7JTBP","client_reference":"a client reference","code":0,"operator_status_at":"2025-01-13T09:22:00Z","recipient":"33662162466","status":"Delivered","type":"recipient_delivery_report_sms"}'
    const headers = {
      [name]: 'ZoHei66PPN/kZjw7hFVfGhJOnml3iGNCMWoyQVcE5o0=',
      [`${name}-nonce`]: '01JHFFHWYY7HSS4FWTMDTQEK8V',
      [`${name}-timestamp`]: '1736760161',
    }
    expect(await call({ headers, text })).toMatchObject({ status: 200 })
    expect(await call({ headers: { ...headers, [`${name}-nonce`]: 'x' }, text })).toMatchObject({ status: 401 })
    expect(await call({ headers: { ...headers, [`${name}-nonce`]: undefined }, text })).toMatchObject({ status: 401 })
  })

  test('of Sinch for calls, with the time as ISO 8601 and the path', async () => {
    const auth = {
      kind: 'signature',
      at: { header: 'Authorization', prefix: 'Application 669E367E-6BBA-48AB-AF15-266871C28135:' },
      encoding: 'base64',
      keys: ['BeIukql3pTKJ8RGL5zo0DA=='],
      keyEncoding: 'base64',
      signed: [
        '{{method}}\n{{bodyHash:md5:base64}}\n{{header:Content-Type}}\nx-timestamp:{{header:x-timestamp}}\n{{path}}',
      ],
      timestamp: { header: 'x-timestamp' },
      timestampUnit: 'iso',
    }
    const address = 'https://callbacks.yourdomain.com/sinch/callback/ace'
    const { call } = openWebhookCalls({ auth }, { address, now: Date.parse('2014-09-24T10:59:41Z') / 1_000 })
    const headers = {
      authorization: 'application 669E367E-6BBA-48AB-AF15-266871C28135:Tg6fMyo8mj9pYfWQ9ssbx3Tc1BNC87IEygAfLbJqZb4=',
      'x-timestamp': '2014-09-24T10:59:41Z',
      'content-type': 'application/json',
    }
    const text =
      '{"event":"ace","callid":"822aa4b7-05b4-4d83-87c7-1f835ee0b6f6_257","timestamp":"2014-09-24T10:59:41Z","version":1}'
    expect(await call({ headers, text })).toMatchObject({ status: 200 })
    expect(await call({ headers: { ...headers, 'content-type': 'text/plain' }, text })).toMatchObject({ status: 401 })
  })

  test('of MessageBird, with the raw hash of the body', async () => {
    const auth = {
      kind: 'signature',
      at: { header: 'MessageBird-Signature' },
      encoding: 'base64',
      keys: ['other-secret'],
      signed: ['{{timestamp}}\n{{sortedQuery}}\n{{bodyHash:sha256:raw}}'],
      timestamp: { header: 'MessageBird-Request-Timestamp' },
      maxAgeSeconds: 100,
    }
    const { call } = openWebhookCalls({ auth }, { now: 1_544_544_948 })
    const headers = {
      'messagebird-signature': 'orb0adPhRCYND1WCAvPBr+qjm4STGtyvNDIDNBZ4Ir4=',
      'messagebird-request-timestamp': '1544544948',
    }
    const text = '{"a key":"some value"}'
    expect(await call({ path: '?def=bar&abc=foo', headers, text })).toMatchObject({ status: 200 })
    expect(await call({ path: '?def=bar', headers, text })).toMatchObject({ status: 401 })
  })

  test('of Standard Webhooks, with several signatures and an old key', async () => {
    const auth = {
      kind: 'signature',
      at: { header: 'webhook-signature', prefix: 'v1,', separator: ' ' },
      encoding: 'base64',
      keys: ['whsec_bmV3LXNlY3JldA==', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      keyEncoding: 'base64',
      keyPrefix: 'whsec_',
      signed: ['{{nonce}}.{{timestamp}}.{{body}}'],
      timestamp: { header: 'webhook-timestamp' },
      nonce: { header: 'webhook-id' },
    }
    const { call } = openWebhookCalls({ auth }, { now: 1_614_265_330 })
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': `v1a,AAAA v1,${'A'.repeat(43)}= ${signature}`,
    }
    const text = '{"test": 2432232314}'
    expect(await call({ headers, text })).toMatchObject({ status: 200 })
    const other = signature.replace('v1,', 'v2,')
    expect(await call({ headers: { ...headers, 'webhook-signature': other }, text })).toMatchObject({ status: 401 })
  })
})

describe('schemes without a published example', () => {
  const plivo = (signed: readonly string[], more: object = {}) => ({
    kind: 'signature',
    at: { header: 'X-Plivo-Signature-V3', separator: ',' },
    encoding: 'base64',
    keys: ['token'],
    signed,
    nonce: { header: 'X-Plivo-Signature-V3-Nonce' },
    ...more,
  })
  const URL = 'https://a.example/carriers/c'
  const sign256 = (text: string) => hmac('sha256', 'token', text).digest('base64')
  const headersOf = (signature: string) => ({
    'x-plivo-signature-v3': `${'A'.repeat(43)}=, ${signature}`,
    'x-plivo-signature-v3-nonce': '77',
  })

  test('such as Plivo V3, with and without a query, and with a field twice', async () => {
    const auth = plivo([
      '{{urlWithoutQuery}}?{{sortedFields}}.{{nonce}}',
      '{{urlWithoutQuery}}?{{sortedQuery}}.{{sortedFields}}.{{nonce}}',
    ])
    const { call } = openWebhookCalls({ auth, format: 'form' })
    const text = 'To=%2B49&From=1&From=1'
    const plain = headersOf(sign256(`${URL}?From1From1To+49.77`))
    expect(await call({ headers: plain, text })).toMatchObject({ status: 200 })
    const query = headersOf(sign256(`${URL}?a=1&b=2.From1From1To+49.77`))
    expect(await call({ path: '?b=2&a=1', headers: query, text })).toMatchObject({ status: 200 })
    expect(await call({ path: '?b=2&a=1', headers: plain, text: 'To=1' })).toMatchObject({ status: 401 })
  })

  test('such as Plivo V3 with GET', async () => {
    const auth = plivo(['{{urlWithoutQuery}}?{{sortedFields:=&}}.{{nonce}}'])
    const { call } = openWebhookCalls({ auth, format: 'query', method: 'GET' })
    const headers = headersOf(sign256(`${URL}?From=1&To=+49.77`))
    expect(await call({ method: 'GET', path: '?To=%2B49&From=1', headers })).toMatchObject({ status: 200 })
  })

  test('such as Plivo V2, which must be allowed not to cover the content', async () => {
    const signed = ['{{urlWithoutQuery}}{{nonce}}']
    expect(() => openWebhookCalls({ auth: plivo(signed), format: 'form' })).toThrow(
      'receipt.auth.signed.0: should cover the content of the call, as {{body}} or {{sortedFields}} does',
    )
    const { call } = openWebhookCalls({ auth: plivo(signed, { unsignedContent: true, once: true }), format: 'form' })
    const headers = headersOf(sign256(`${URL}77`))
    expect(await call({ headers, text: 'a=1' })).toMatchObject({ status: 200 })
    expect(await call({ headers, text: 'a=2' })).toMatchObject({ status: 401 })
  })

  test('such as Telnyx, with a public key in base64, hexadecimal or PEM', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
    const headers = {
      'telnyx-signature-ed25519': sign(null, Buffer.from('1000|{"id":1}'), privateKey).toString('base64'),
      'telnyx-timestamp': '1000',
    }
    const keys = [
      { keys: [raw.toString('base64')], keyEncoding: 'base64' },
      { keys: [raw.toString('hex')], keyEncoding: 'hex' },
      { keys: [publicKey.export({ format: 'pem', type: 'spki' })] },
    ]
    for (const each of keys) {
      const auth = {
        kind: 'signature',
        at: { header: 'telnyx-signature-ed25519' },
        algorithm: 'ed25519',
        encoding: 'base64',
        signed: ['{{timestamp}}|{{body}}'],
        timestamp: { header: 'telnyx-timestamp' },
        ...each,
      }
      const { call } = openWebhookCalls({ auth })
      expect(await call({ headers, text: '{"id":1}' })).toMatchObject({ status: 200 })
      expect(await call({ headers, text: '{"id":2}' })).toMatchObject({ status: 401 })
      // The HMAC with the public key as its secret is no signature.
      const forged = hmac('sha512', raw, '1000|{"id":1}').digest('base64')
      expect(
        await call({ headers: { ...headers, 'telnyx-signature-ed25519': forged }, text: '{"id":1}' }),
      ).toMatchObject({ status: 401 })
    }
  })

  test('such as seven and android-sms-gateway', async () => {
    const at = { at: { header: 'X-Signature' }, keys: ['key'], timestamp: { header: 'X-Timestamp' } }
    const text = '{"id":"ü🙂"}'
    const md5 = createHash('md5').update(text).digest('hex')
    const seven = openWebhookCalls({
      auth: {
        kind: 'signature',
        ...at,
        signed: ['{{timestamp}}\n{{nonce}}\n{{method}}\n{{url}}\n{{bodyHash:md5}}'],
        nonce: { header: 'X-Nonce' },
        maxAgeSeconds: 30,
      },
    })
    const headers = {
      'x-timestamp': '1000',
      'x-nonce': 'n',
      'x-signature': hmac('sha256', 'key', `1000\nn\nPOST\n${URL}\n${md5}`).digest('hex'),
    }
    expect(await seven.call({ headers, text })).toMatchObject({ status: 200 })
    const capcom = openWebhookCalls({ auth: { kind: 'signature', ...at, signed: ['{{body}}{{timestamp}}'] } })
    const ofBody = { 'x-timestamp': '1000', 'x-signature': hmac('sha256', 'key', `${text}1000`).digest('hex') }
    expect(await capcom.call({ headers: ofBody, text })).toMatchObject({ status: 200 })
    expect(capcom.items).toEqual([{ id: 'ü🙂' }])
  })

  test('such as one header with the time and a signature of each key', async () => {
    const at = { header: 'Stripe-Signature', separator: ',' }
    const auth = {
      kind: 'signature',
      at: { ...at, prefix: 'v1=' },
      keys: ['one', 'two'],
      signed: ['{{timestamp}}.{{body}}'],
      timestamp: { ...at, prefix: 't=' },
    }
    const { call } = openWebhookCalls({ auth })
    const v1 = hmac('sha256', 'two', '1000.{}').digest('hex')
    const header = `t=1000,v1=${'ab'.repeat(32)},v1=${v1},v0=x`
    expect(await call({ headers: { 'stripe-signature': header }, text: '{}' })).toMatchObject({ status: 200 })
    expect(await call({ headers: { 'stripe-signature': header.replace('1000', '1001') }, text: '{}' })).toMatchObject({
      status: 401,
    })
  })
})

describe('a signed call', () => {
  const AUTH = {
    kind: 'signature',
    at: { header: 'X-Sig' },
    keys: ['secret'],
    signed: ['{{timestamp}}.{{nonce}}.{{body}}'],
    timestamp: { header: 'X-Time' },
    nonce: { header: 'X-Nonce' },
    once: true,
  }
  const TEXT = '{"id":1,"status":"delivered"}'
  const signed = (time = '1000', nonce = 'n', text = TEXT) => ({
    'x-time': time,
    'x-nonce': nonce,
    'x-sig': hmac('sha256', 'secret', `${time}.${nonce}.${text}`).digest('hex'),
  })

  test.each([
    ['no headers', {}],
    ['a wrong signature', { ...signed(), 'x-sig': 'ab'.repeat(32) }],
    ['the signature twice', { ...signed(), 'x-sig': `${signed()['x-sig']}, ${signed()['x-sig']}` }],
    ['an absurdly long signature', { ...signed(), 'x-sig': 'ab'.repeat(8_000) }],
    ['a signature in wide digits', { ...signed(), 'x-sig': signed()['x-sig'].replace(/\d/, '\uff11') }],
    ['no time', { ...signed(), 'x-time': undefined }],
    ['a time of 301 seconds ago', signed('699')],
    ['a time in 301 seconds', signed('1301')],
    ['a time that is no whole number', signed('1000.0')],
    ['no id', { ...signed(), 'x-nonce': undefined }],
  ])('with %s is refused', async (_, headers) => {
    const { call, items } = openWebhookCalls({ auth: AUTH })
    expect(await call({ headers, text: TEXT })).toEqual({ status: 401, body: 'not authorized' })
    expect(items).toEqual([])
  })

  test('with a byte more is refused, with a time of 300 seconds ago or in 300 seconds accepted', async () => {
    const { call } = openWebhookCalls({ auth: AUTH })
    expect(await call({ headers: signed(), text: `${TEXT} ` })).toMatchObject({ status: 401 })
    expect(await call({ headers: signed('1300', 'a'), text: TEXT })).toMatchObject({ status: 200 })
    expect(await call({ headers: signed('700', 'b'), text: TEXT })).toMatchObject({ status: 200 })
  })

  test('is accepted until it is acknowledged, and then never again', async () => {
    const webhook = openWebhookCalls({ auth: AUTH })
    webhook.refusals = 2
    const repeat = () => webhook.call({ headers: signed('1300'), text: TEXT })
    const answers = [await repeat(), await repeat(), await repeat(), await repeat()]
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200, 401])
    expect(await webhook.call({ headers: signed('1299'), text: TEXT })).toMatchObject({ status: 401 })
    expect(await webhook.call({ headers: signed('1300', 'm'), text: TEXT })).toMatchObject({ status: 200 })
    webhook.clock.advance(599_000)
    expect(await repeat()).toEqual({ status: 401, body: 'this call came before' })
    webhook.clock.advance(2_000)
    expect(await repeat()).toEqual({ status: 401, body: 'not authorized' })
    expect(webhook.items).toHaveLength(2)
  })

  test('is refused before the body arrives if its head is wrong', () => {
    const parts = gather()
    const carrier = carrierWith(AUTH, parts)
    const refuse = (headers: Readonly<Record<string, string | undefined>>) =>
      carrier.refuseWebhook?.({ method: 'POST', path: '', headers })
    expect([refuse({}), refuse(signed('1000'))]).toMatchObject([{ status: 401 }, { status: 401 }])
    const now = String(parts.clock.now() / 1_000)
    expect(refuse({ ...signed(now), 'x-sig': 'ab'.repeat(33) })).toMatchObject({ status: 401 })
    expect(refuse(signed(now))).toBeNull()
  })

  test('with more than a thousand fields is refused', async () => {
    const auth = { kind: 'signature', at: { header: 'x-sig' }, keys: ['secret'], signed: ['{{sortedFields}}'] }
    const { call } = openWebhookCalls({ auth, format: 'form' })
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${1_000 + index}=1`)
    const of = (count: number) => ({
      text: fields(count).join('&'),
      headers: { 'x-sig': hmac('sha256', 'secret', fields(count).join('').replaceAll('=', '')).digest('hex') },
    })
    expect(await call(of(1_000))).toMatchObject({ status: 200 })
    expect(await call(of(1_001))).toMatchObject({ status: 401 })
  })
})

function carrierWith(auth: object, parts: ReturnType<typeof gather>, publicUrl: string | null = null) {
  const settings = {
    request: { address: 'https://a.example/send', json: {} },
    answer: { id: 'ours' },
    receipt: { auth, id: 'id', status: 'status', outcomes: { delivered: 'delivered' } },
    inbound: { auth, from: 'from', to: 'to', text: 'text' },
  }
  return createHttpCarrier({ id: 'signed', channel: 'sms', settings }, { ...parts, publicUrl })
}

describe('over HTTP', () => {
  let door: WebhookDoor | null = null
  let stop: () => Promise<unknown> = async () => {}

  afterEach(async () => {
    await door?.stop()
    await stop()
  })

  test('the address is the public one, of receipts and of inbound messages', async () => {
    const parts = gather()
    const auth = {
      kind: 'signature',
      at: { header: 'X-Sig' },
      encoding: 'base64url',
      algorithm: 'hmac-sha512',
      keys: ['secret'],
      signed: ['{{method}} {{url}} {{body}}'],
    }
    const carrier = carrierWith(auth, parts, 'https://gateway.example/sms/')
    carrier.start(parts.inbox)
    stop = () => settled('the carrier to stop', carrier.stop(), parts.clock)
    door = await openWebhookDoor(carrier)
    const post = async (path: string, body: string, signedPath = path) => {
      const text = `POST https://gateway.example/sms/carriers/signed${signedPath} ${body}`
      const headers = { 'x-sig': hmac('sha512', 'secret', text).digest('base64url') }
      return (await fetch(`${door?.address}${path}`, { method: 'POST', body, headers })).status
    }
    const receipt = '{"id":1,"status":"delivered"}'
    expect(await post('', receipt)).toBe(200)
    expect(await post('?x=%7e1', receipt)).toBe(200)
    expect(await post('/inbound', '{"from":"491701234500","to":"1","text":"Yes"}')).toBe(200)
    expect(await post('?x=1', receipt, '?x=2')).toBe(401)
    expect([parts.inbox.receipts.length, parts.inbox.arrivals.length]).toEqual([2, 1])
  })
})

describe('settings of signatures are refused', () => {
  const BASE = { kind: 'signature', at: { header: 'X-Sig' }, keys: ['SECRET'] }
  const TIMED = { timestamp: { header: 'X-Time' } }

  test.each([
    [{ algorithm: 'none' }, 'receipt.auth.algorithm: should be one of hmac-md5, hmac-sha1'],
    [{ at: undefined }, 'receipt.auth.at: should be an object'],
    [{ at: {} }, 'receipt.auth.at: should have one of header, query and field'],
    [{ at: { header: 'a', query: 'b' } }, 'receipt.auth.at: should have one of header, query and field'],
    [{ at: { field: 'a..b' } }, 'receipt.auth.at.field: should be a place in JSON'],
    [{ keys: [] }, 'receipt.auth.keys: should be a list of 1 to 5 keys'],
    [{ keys: Array(6).fill('SECRET') }, 'receipt.auth.keys: should be a list of 1 to 5 keys'],
    [{ keys: ['SECRET', ''] }, 'receipt.auth.keys.1: should be text that is not empty'],
    [{ keys: ['SECRET', 'SECRET!'], keyEncoding: 'base64' }, 'receipt.auth.keys.1: should be a key in base64'],
    [{ keys: ['whsec_'], keyPrefix: 'whsec_' }, 'receipt.auth.keys.0: should be a key in text'],
    [{ algorithm: 'ed25519' }, 'receipt.auth.keys.0: should be a public key of type ed25519 in PEM'],
    [
      { algorithm: 'ed25519', keys: ['SECRETSECRET'], keyEncoding: 'base64' },
      'receipt.auth.keys.0: should be a public key',
    ],
    [{ signed: [] }, 'receipt.auth.signed: should be a list of 1 to 4 templates'],
    [{ signed: ['{{bod}}'] }, 'receipt.auth.signed.0: {{bod}} is not a part of a call; parts are {{method}}'],
    [{ signed: ['{{bodyHash:crc32}}'] }, 'receipt.auth.signed.0: {{bodyHash:crc32}} is not a part'],
    [{ signed: ['{{body}}', '{{url}}'] }, 'receipt.auth.signed.1: should cover the content'],
    [{ signed: ['{{timestamp}}{{body}}'] }, 'receipt.auth.signed.0: has {{timestamp}}, so `timestamp` should be set'],
    [TIMED, 'receipt.auth.signed.0: should cover the time, as {{timestamp}} does'],
    [{ ...TIMED, timestampUnit: 'h' }, 'receipt.auth.timestampUnit: should be one of s, ms, iso'],
    [{ replace: { ab: 'c' } }, 'receipt.auth.replace.ab: should be a character'],
    [{ maxAgeSeconds: 0 }, 'receipt.auth.maxAgeSeconds: should be a whole number of seconds from 1'],
  ])('with %j', (change, error) => {
    const begin = () => openWebhookCalls({ auth: { ...BASE, ...change } })
    expect(begin).toThrow(error)
    expect(begin).not.toThrow('SECRET')
  })

  test('that leave a query unsigned', () => {
    expect(() => openWebhookCalls({ auth: BASE, format: 'query', method: 'GET' })).toThrow(
      'receipt.auth.signed.0: should cover the content of the call, as {{url}} or {{sortedFields:=&}} does',
    )
    const auth = { kind: 'hmac', name: 'X-Sig', secret: 'SECRET' }
    expect(() => openWebhookCalls({ auth, format: 'query', method: 'GET' })).toThrow(
      'receipt.auth.kind: cannot be hmac without a body',
    )
  })

  test('that need the public address, without one', () => {
    const auth = { ...BASE, signed: ['{{url}}{{body}}'] }
    expect(() => carrierWith(auth, gather())).toThrow('receipt.auth.signed: {{url}} needs POSTHORN_PUBLIC_URL')
    expect(() => carrierWith({ ...BASE, signed: ['{{path}}{{body}}'] }, gather())).not.toThrow()
  })
})
