/** How login servers prove themselves: signatures that others made, and those that must not be accepted. */
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { passwordIn } from '../../src/apis/logins/login-servers.ts'
import {
  isAuth0Token,
  isAuthgearSignature,
  isStandardWebhook,
  isZitadelSignature,
} from '../../src/apis/logins/signatures.ts'

const AT = 1_800_000_000
const BODY = Buffer.from('{"sms":{"otp":"482913","phone":"491701234500"}}')

const signed = (headers: Readonly<Record<string, string>>, { body = BODY, seconds = AT } = {}) => ({
  body,
  header: (name: string) => headers[name] ?? '',
  now: seconds * 1000,
})
const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

describe('Supabase', () => {
  const SECRET = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
  const OTHER = 'v1,whsec_AAAAAAAAKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
  const sign = (secret: string, id = 'msg_1', at = AT) =>
    new Webhook(secret.slice('v1,'.length)).sign(id, new Date(at * 1000), BODY.toString())
  const headers = (signature: string, at = AT, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  })

  test('is proved by the example of the standard', () => {
    const body = Buffer.from('{"test": 2432232314}')
    const example = headers(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      1_614_265_330,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
    )
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(isStandardWebhook(signed(example, { body, seconds: 1_614_265_330 }), key)).toBe(true)
  })

  test.each([
    ['one signature', sign(SECRET)],
    ['several, as Supabase joins them', `${sign(OTHER)}, ${sign(SECRET)}`],
    ['several, as the standard joins them', `${sign(OTHER)} ${sign(SECRET)}`],
    ['one beside a version that is not known', `v2,abc ${sign(SECRET)}`],
  ])('is proved by %s', (_, signature) => {
    expect(isStandardWebhook(signed(headers(signature)), SECRET)).toBe(true)
  })

  test.each([
    ['another key', headers(sign(OTHER))],
    ['the id of another message', headers(sign(SECRET), AT, 'msg_2')],
    ['another time than the signed one', headers(sign(SECRET), AT + 1)],
    ['a signature that is too old', headers(sign(SECRET, 'msg_1', AT - 301), AT - 301)],
    ['a signature of the future', headers(sign(SECRET, 'msg_1', AT + 301), AT + 301)],
    ['no signature', headers('')],
    ['half a signature', headers(sign(SECRET).slice(0, 20))],
    ['a signature without its version', headers(sign(SECRET).slice('v1,'.length))],
    ['no headers', {}],
  ])('is not proved by %s', (_, sent) => {
    expect(isStandardWebhook(signed(sent), SECRET)).toBe(false)
  })

  test('is not proved by the signature of another body', () => {
    expect(isStandardWebhook(signed(headers(sign(SECRET)), { body: Buffer.from('{}') }), SECRET)).toBe(false)
  })

  test('is not proved by anything while the key is empty, short or no base64', () => {
    for (const key of ['', 'v1,whsec_', 'v1,whsec_YWJj', '!!!!']) {
      const secret = Buffer.from(key.replace('v1,whsec_', ''), 'base64')
      const digest = createHmac('sha256', secret).update(`msg_1.${AT}.${BODY.toString()}`).digest('base64')
      expect(isStandardWebhook(signed(headers(`v1,${digest}`)), key)).toBe(false)
    }
  })
})

describe('ZITADEL', () => {
  const KEY = 'zitadel-signing-key'
  const sign = (key = KEY, at = AT) => `v1=${hex(key, `${at}.${BODY.toString()}`)}`
  const check = (header: string, key = KEY) => isZitadelSignature(signed({ 'zitadel-signature': header }), key)

  test('is proved by one signature, and by one of several', () => {
    expect(check(`t=${AT},${sign()}`)).toBe(true)
    expect(check(`t=${AT},${sign('retired-key')},${sign()}`)).toBe(true)
    expect(check(`t=${AT}, ${sign()}, v2=00`)).toBe(true)
  })

  test.each([
    ['another key', `t=${AT},${sign('other')}`],
    ['no time', sign()],
    ['another time', `t=${AT - 1},${sign()}`],
    ['an old time', `t=${AT - 301},${sign(KEY, AT - 301)}`],
    ['a time of the future', `t=${AT + 301},${sign(KEY, AT + 301)}`],
    ['a digest that is no hexadecimal number', `t=${AT},v1=zz`],
    ['no digest', `t=${AT},v1=`],
    ['nothing', ''],
  ])('is not proved by %s', (_, header) => {
    expect(check(header)).toBe(false)
  })

  test('is not proved while the key is empty', () => {
    expect(check(`t=${AT},v1=${hex('', `${AT}.${BODY.toString()}`)}`, '')).toBe(false)
  })
})

test('Authgear is proved by the signature of its body', () => {
  const check = (digest: string, key = 'authgear-secret') =>
    isAuthgearSignature(signed({ 'x-authgear-body-signature': digest }), key)
  expect(check(hex('authgear-secret', BODY.toString()))).toBe(true)
  expect(check(hex('another', BODY.toString()))).toBe(false)
  expect(check(hex('authgear-secret', '{}'))).toBe(false)
  expect(check('')).toBe(false)
  expect(check(hex('', BODY.toString()), '')).toBe(false)
})

describe('Auth0', () => {
  const KEY = 'a-secret-of-the-gateway'
  const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = (claims: object, { key = KEY as string | Buffer, alg = 'HS256' } = {}) => {
    const content = `${base64url({ alg, typ: 'JWT' })}.${base64url({ sub: 'urn:Auth0', aud: 'urn:Posthorn', ...claims })}`
    return `Bearer ${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  }
  const check = (authorization: string, key = KEY) => isAuth0Token(signed({ authorization }), key)

  test('is proved by a token that has not ended, or was just issued', () => {
    expect(check(token({ iat: AT - 3_000, exp: AT + 60 }))).toBe(true)
    expect(check(token({ iat: AT - 299 }))).toBe(true)
  })

  test('is proved with a secret that is given as base64url', () => {
    const key = Buffer.alloc(32, 7)
    expect(check(token({ iat: AT }, { key }), key.toString('base64url'))).toBe(true)
  })

  test.each([
    ['that has ended', token({ iat: AT, exp: AT - 1 })],
    ['that was issued long ago', token({ iat: AT - 301 })],
    ['without a time', token({})],
    ['whose time is not a number', token({ exp: '9999999999' })],
    ['that is not valid yet', token({ exp: AT + 9_999, nbf: AT + 9_000 })],
    ['of another key', token({ iat: AT }, { key: 'other' })],
    ['of another kind', token({ iat: AT }, { alg: 'none' })],
    ['whose claims were changed', token({ iat: AT }).replace(/\.[^.]+\./, `.${base64url({ iat: AT, sub: 'x' })}.`)],
    ['without a signature', token({ iat: AT }).replace(/[^.]+$/, '')],
    ['whose parts are no JSON', `Bearer abc.def.${createHmac('sha256', KEY).update('abc.def').digest('base64url')}`],
    ['that is none', 'Bearer abc'],
  ])('is not proved by a token %s', (_, authorization) => {
    expect(check(authorization)).toBe(false)
  })

  test('is not proved by a key of which base64 leaves a few bytes', () => {
    const key = 'ab!!!!!!!!!!!!'
    expect(check(token({ iat: AT }, { key: Buffer.from('ab', 'base64url') }), key)).toBe(false)
    expect(check(token({ iat: AT }, { key }), key)).toBe(true)
  })
})

describe('a password', () => {
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

  test.each([
    ['of Basic', basic('web:s3cret:with:colons'), 's3cret:with:colons'],
    ['of Basic in small letters', basic('web:s3cret').replace('Basic', 'basic'), 's3cret'],
    ['of Bearer', 'Bearer s3cret', 's3cret'],
    ['that is the whole text', 's3cret', 's3cret'],
    ['of letters beyond ASCII', basic('web:pässwörd'), 'pässwörd'],
  ])('%s is read', (_, header, password) => {
    expect(passwordIn(header, 'web')).toBe(password)
  })

  test.each([
    ['of another login', basic('website:s3cret')],
    ['without a name', basic(':s3cret')],
    ['that is empty', basic('web:')],
    ['that is missing', ''],
    ['without a colon', basic('web')],
  ])('%s is none', (_, header) => {
    expect(passwordIn(header, 'web')).toBeNull()
  })
})
