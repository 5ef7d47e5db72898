/** Calls with JSON Web Tokens to the webhooks of generic HTTP carriers: published examples, and what is refused. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { CompactSign, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { gather } from '../support/http-benches.ts'
import { openWebhookCalls } from '../support/webhook-calls.ts'

/** Returns a token with a signature that is given. */
function written(alg: string, claims: object, signature: string, head: object = { alg, typ: 'JWT' }): string {
  const parts = [head, claims].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
  return [...parts, signature].join('.')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('published examples of MessageBird', () => {
  const AUTH = {
    kind: 'jwt',
    at: { header: 'MessageBird-Signature-JWT' },
    algorithms: ['HS256', 'HS384', 'HS512'],
    keys: ['another-key', '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb'],
    issuer: 'MessageBird',
    requiredClaims: ['nbf', 'exp', 'jti'],
    bodyHash: 'payload_hash',
    urlHash: 'url_hash',
    once: true,
  }
  const ROOT = '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7'
  const claims = (jti: string, urlHash: string, payloadHash?: string, from = 1_625_479_200) => ({
    ...{ iss: 'MessageBird', nbf: from, exp: from + 60, jti, url_hash: urlHash },
    ...(payloadHash === undefined ? {} : { payload_hash: payloadHash }),
  })
  const plain = claims('59a244dc-e9ad-4e23-9778-371faa238f72', ROOT)
  const open = (address: string) => openWebhookCalls({ auth: AUTH, format: 'form' }, { address, now: 1_625_479_200 })

  const withBody = written(
    'HS256',
    claims(
      '93e55006-a0e8-4526-a190-fa5ff00ea116',
      '41f05f0ddd0a22ab209ac46f47c4572d9cefa257ed74b24004bae753ece6c260',
      'dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f',
    ),
    '_H--TOuYFLpeEH39-rg5E3IHVkjHozBcaKVWPRC5m9I',
  )
  const withoutBody = written('HS256', plain, '6Fp0rVOsRr1fj9S2GidXAfkmPVofKr8_RTffC6G6r2E')
  const inHs384 = written('HS384', plain, 'KNMW-29X77lZeuPmThmHWc_RUAvTkaDkpxIZK6mqE08v8mWKiU9Edh4QXwAJO2nv')
  const removedBody = written(
    'HS256',
    claims(
      '14501532-96f2-4684-9832-68f0951ae342',
      ROOT,
      'dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f',
    ),
    'bHfsjj3tljfzTufoG3EU3p_yFrQh9CufyzRSaRMd4ss',
  )
  const otherBody = written(
    'HS256',
    claims(
      '14501532-96f2-4684-9832-68f0951ae342',
      ROOT,
      'fb62f02acda7d74177a701a1ce006e6bacd90c7d4d7ab481692c1da47c81076b',
    ),
    'm79RCwO6dGa9pvzsQypkVuXQ6eM0CkRl6_U7MfWg6TM',
  )
  const otherKey = written(
    'HS256',
    claims('243c27ae-2f02-46a0-8852-c66f37ea9f46', ROOT),
    'JgSeYyOtlEKAXk8bz30iJI4tXgf4lxknoiezawuVhb4',
  )
  const early = written(
    'HS256',
    claims('f9f8c382-2449-4311-b72b-1df71687931e', ROOT, undefined, 1_625_482_800),
    'ZELgDFNGhjZH9CffQKcq3sytBe2I0KciLxpBhcfstHQ',
  )
  const expired = written(
    'HS256',
    claims('5f02f522-6030-46c8-b5a3-01246478d8bc', ROOT, undefined, 1_625_475_600),
    '45MSST3B_2PsjNUeiuW54_vUQgVw4rBXrdWrOUEz3lM',
  )

  test.each([
    ['with an address and a body', withBody, '?bar=1&foo=2', 'Hello, World!', 200],
    ['with the query in another order', withBody, '?foo=2&bar=1', 'Hello, World!', 401],
    ['with another body', withBody, '?bar=1&foo=2', 'Hello, World?', 401],
  ])('%s', async (_, token, path, text, status) => {
    const { call } = open('https://example.com/path')
    expect(await call({ path, text, headers: { 'messagebird-signature-jwt': token } })).toMatchObject({ status })
  })

  test.each([
    ['without a body', withoutBody, '', 200],
    ['with a body that was added', withoutBody, 'Hello, World!', 401],
    ['with HS384', inHs384, '', 200],
    ['with a body that was removed', removedBody, '', 401],
    ['with a body that does not match', otherBody, 'Hello, World!', 401],
    ['with another key', otherKey, '', 401],
    ['before its time', early, '', 401],
    ['after its time', expired, '', 401],
  ])('%s', async (_, token, text, status) => {
    const { call } = open('https://example.com/')
    expect(await call({ text, headers: { 'messagebird-signature-jwt': token } })).toMatchObject({ status })
  })

  test('with a port and with escaped characters in the address', async () => {
    const jti = '59a244dc-e9ad-4e23-9778-371faa238f72'
    const port = claims(jti, '07f7861a69b13c229c6ae596d198b2763b054cf5e000d736d1c48102d770cffc')
    const headers = {
      'messagebird-signature-jwt': written('HS256', port, 'vcpa0IicGAbpo064dOjiA2VbVOR2S5uZBEaBOP16sS8'),
    }
    expect(await open('https://example.com:8080/').call({ headers })).toMatchObject({ status: 200 })
    const query = claims(jti, '8aff3748d789c4333573e1c31fe5b004940cb5fc47460ed3d0e654f7fc4e5fae')
    const path = '?obj%5Bfield1%5D=val1&obj%5Bfield2%5D=val2&param=value+with+spaces'
    const escaped = {
      'messagebird-signature-jwt': written('HS256', query, 'mJBCMfEjKmN3IMuzqPXPHktWETrcu0iNdF3agE8PDyI'),
    }
    expect(await open('https://example.com/').call({ path, headers: escaped })).toMatchObject({ status: 200 })
  })

  test('are accepted until they are acknowledged, and then never again', async () => {
    const webhook = open('https://example.com/path')
    webhook.refusals = 1
    const call = () =>
      webhook.call({
        path: '?bar=1&foo=2',
        text: 'Hello, World!',
        headers: { 'messagebird-signature-jwt': withBody },
      })
    const answers = [await call(), await call(), await call()]
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 401])
    webhook.clock.advance(64_000)
    expect(await call()).toEqual({ status: 401, body: 'this call came before' })
    webhook.clock.advance(2_000)
    expect(await call()).toEqual({ status: 401, body: 'not authorized' })
  })
})

describe('published examples of GatewayAPI, whose claims are the receipt', () => {
  const AUTH = {
    kind: 'jwt',
    at: { header: 'X-Gwapi-Signature' },
    algorithms: ['HS256', 'HS384', 'HS512'],
    keys: ['secret'],
    read: 'claims',
  }
  const claims = {
    ...{ id: 2381703, msisdn: 4542609045, time: 1522764062, status: 'DELIVERED', error: null, code: null },
    ...{ userref: null, callback_url: 'http://bbaf7142.ngrok.io', api: 4 },
  }
  test.each([
    ['HS384', '2itUNDqtCZyE6g320Tn8RRd0rykJEoFtVeffPzUKLmMGwrG3fCXufwbpc-43dYGA'],
    ['HS512', 'o3FGANwBGxEAK2tfFZtp9ZraDxUgwypBj0dq1C13IWEddpxcth8dQHngaQMq6FtbGpDO80pyMeedDSndzKMoag'],
  ])('with %s', async (alg, signature) => {
    const { call, items } = openWebhookCalls({ auth: AUTH, format: 'json' })
    const headers = { 'x-gwapi-signature': written(alg, claims, signature, { typ: 'JWT', alg }) }
    expect(await call({ headers, text: '{"id":666,"status":"EXPIRED"}' })).toMatchObject({ status: 200 })
    expect(items).toMatchObject([{ id: 2381703, status: 'DELIVERED' }])
  })

  test('with HS256', async () => {
    const { call, items } = openWebhookCalls({ auth: AUTH })
    const own = {
      ...{ id: 2381703, msisdn: 4542609045, time: 1522764062, status: 'DELIVERED', error: 'error text' },
      ...{ code: 'error code', country_prefix: 45, country_code: 'DK', charge_status: 'AUTHORIZED' },
      userref: 'a reference',
    }
    const signed = written('HS256', own, 'LgbbsxAj61SQhDA0A3dGlcT8OZN2UJsTgBiifNHEeh8', { typ: 'JWT', alg: 'HS256' })
    expect(await call({ headers: { 'x-gwapi-signature': signed } })).toMatchObject({ status: 200 })
    expect(items).toEqual([own])
  })

  test('without an algorithm, and with anything else', async () => {
    const { call, items } = openWebhookCalls({ auth: AUTH })
    const none = { type: 'JWT', alg: 'none' }
    const tokens = [
      written('none', claims, 'KdfDH65bnQtgxEkFnpAQodOciAJedZFB13r9wEo8t3Y', none),
      written('none', claims, '', none),
      written('HS256', claims, 'KdfDH65bnQtgxEkFnpAQodOciAJedZFB13r9wEo8t3Y'),
      'not_valid',
      `${'a'.repeat(5_000)}.${'a'.repeat(5_000)}.a`,
      '',
    ]
    for (const each of tokens) {
      expect(await call({ headers: { 'x-gwapi-signature': each } })).toEqual({ status: 401, body: 'not authorized' })
    }
    expect(await call({})).toMatchObject({ status: 401 })
    expect(items).toEqual([])
  })

  test('with digits that a number cannot hold', async () => {
    const { call, items } = openWebhookCalls({ auth: AUTH })
    const payload = Buffer.from('{"id":9007199254740993123,"status":"DELIVERED"}')
    const signed = await new CompactSign(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret'))
    expect(await call({ headers: { 'x-gwapi-signature': signed } })).toMatchObject({ status: 200 })
    expect(items).toEqual([{ id: '9007199254740993123', status: 'DELIVERED' }])
  })
})

describe('a bearer token', () => {
  const KEY = 'a-signature-secret-of-the-carrier'
  const TEXT = '{"id":1}'
  const signed = (claims: object, alg = 'HS256', key: Uint8Array | KeyObject = Buffer.from(KEY)) =>
    new SignJWT({ iat: 1_000, iss: 'Vonage', jti: 'j', payload_hash: sha256(TEXT), ...claims })
      .setProtectedHeader({ alg })
      .sign(key)
  const AUTH = {
    kind: 'jwt',
    keys: [KEY],
    issuer: 'Vonage',
    bodyHash: 'payload_hash',
    maxAgeSeconds: 60,
    requiredClaims: ['jti'],
  }
  const status = async (token: string, auth: object = AUTH, now = 1_000) => {
    const { call } = openWebhookCalls({ auth }, { now })
    return (await call({ headers: { authorization: `bearer ${token}` }, text: TEXT })).status
  }

  test('of Vonage without an end is good while it is new', async () => {
    const token = await signed({})
    expect([await status(token), await status(token, AUTH, 1_065), await status(token, AUTH, 1_067)]).toEqual([
      200, 200, 401,
    ])
    expect(await status(await signed({ iat: 1_010 }))).toBe(401)
    expect(await status(await signed({ iat: undefined }))).toBe(401)
    expect(await status(await signed({ iss: 'Other' }))).toBe(401)
    expect(await status(await signed({ jti: undefined }))).toBe(401)
    expect(await status(await signed({ payload_hash: sha256(`${TEXT} `) }))).toBe(401)
    expect(await status(await signed({ payload_hash: undefined }))).toBe(401)
    expect(await status(await signed({ payload_hash: sha256(TEXT).toUpperCase() }))).toBe(200)
  })

  test('of httpSMS has the address as its audience', async () => {
    const auth = { kind: 'jwt', keys: [KEY], issuer: 'api.httpsms.com', audience: 'https://a.example/carriers/c' }
    const claims = { iss: 'api.httpsms.com', nbf: 400, exp: 1_600 }
    expect(await status(await signed({ ...claims, aud: 'https://a.example/carriers/c' }), auth)).toBe(200)
    expect(await status(await signed({ ...claims, aud: 'https://b.example' }), auth)).toBe(401)
    expect(await status(await signed(claims), auth)).toBe(401)
  })

  test('may be signed with a private key, whose public key is no secret', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const auth = { ...AUTH, algorithms: ['RS256'], keys: [pem] }
    expect(await status(await signed({}, 'RS256', privateKey), auth)).toBe(200)
    expect(await status(await signed({}, 'RS512', privateKey), auth)).toBe(401)
    expect(await status(await signed({}, 'HS256', Buffer.from(pem)), auth)).toBe(401)
    expect(() => openWebhookCalls({ auth: { ...AUTH, keys: ['a secret', pem] } })).toThrow(
      'receipt.auth.keys.1: should be a secret, and is a public key',
    )
  })

  test.each([
    [{ algorithms: ['none'] }, 'receipt.auth.algorithms.0: should be one of HS256, HS384, HS512, RS256'],
    [{ algorithms: [] }, 'receipt.auth.algorithms: should be a list of 1 to 3 algorithms'],
    [{ algorithms: ['HS256', 'RS256'] }, 'receipt.auth.algorithms: should be of one kind, HS or RS'],
    [
      { algorithms: ['RS256'] },
      'receipt.auth.keys.0: should be a public key of type rsa in PEM with at least 2048 bits',
    ],
    [{ keys: undefined }, 'receipt.auth.keys: should be a list'],
    [{ skewSeconds: 301 }, 'receipt.auth.skewSeconds: should be a whole number of seconds from 0 to 300'],
    [{ at: { header: 'a', field: 'b' } }, 'receipt.auth.at: should have one of header, query and field'],
  ])('is refused in settings with %j', (change, error) => {
    expect(() => openWebhookCalls({ auth: { ...AUTH, ...change } })).toThrow(error)
  })

  test('without an id comes once, however its signature is written', async () => {
    const { call } = openWebhookCalls({ auth: { ...AUTH, requiredClaims: [], once: true } })
    const token = await signed({ jti: undefined })
    const send = (written: string) => call({ headers: { authorization: `Bearer ${written}` }, text: TEXT })
    expect((await send(token)).status).toBe(200)
    // The last two bits of the last character say nothing.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(token.slice(-1))
    for (const other of [last ^ 1, last ^ 2, last ^ 3]) {
      expect((await send(token.slice(0, -1) + alphabet[other])).status).toBe(401)
    }
  })

  test('of a call whose content is in its address has a hash of that', () => {
    const query = { method: 'GET', format: 'query' }
    expect(() => openWebhookCalls({ auth: AUTH, ...query })).toThrow('receipt.auth.bodyHash: covers no query')
    expect(() => openWebhookCalls({ auth: { ...AUTH, urlHash: 'url_hash' }, ...query })).not.toThrow()
  })

  test('has claims to read only in JSON, and an address only if the gateway knows its own', () => {
    expect(() => openWebhookCalls({ auth: { ...AUTH, read: 'claims' }, format: 'form' })).toThrow(
      'receipt.auth.read: can be claims only for format json',
    )
    const receipt = { auth: { ...AUTH, urlHash: 'url' }, id: 'id', status: 's', outcomes: { a: 'delivered' } }
    const request = { address: 'https://a.example/send', json: {} }
    const settings = { request, answer: { id: 'ours' }, receipt }
    expect(() => createHttpCarrier({ id: 'c', channel: 'sms', settings }, gather())).toThrow(
      'receipt.auth.urlHash: needs POSTHORN_PUBLIC_URL',
    )
  })
})
