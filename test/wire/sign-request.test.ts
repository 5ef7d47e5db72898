/** Signatures of requests, by the vectors that the providers publish. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../src/wire/http-client.ts'
import { signForAws, signForAzure } from '../../src/wire/sign-request.ts'

describe('AWS Signature Version 4', () => {
  const sign = signForAws({
    region: 'us-east-1',
    service: 'service',
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  })
  const NOW = Date.UTC(2015, 7, 30, 12, 36)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const more = { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' }

  // Names of cases in the test suite that AWS publishes.
  test.each<[name: string, request: Partial<HttpRequest>, names: string, signature: string]>([
    ['get-vanilla', {}, 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      { url: '/?Param2=value2&Param1=value1' },
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-vanilla-utf8-query',
      { url: '/?ሴ=bar' },
      'host;x-amz-date',
      '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
    ],
    [
      'get-unreserved',
      { url: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' },
      'host;x-amz-date',
      '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    ],
    [
      'get-header-value-trim',
      { headers: more },
      'host;my-header1;my-header2;x-amz-date',
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'post-vanilla',
      { method: 'POST' },
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'post-x-www-form-urlencoded',
      { method: 'POST', headers: form, body: 'Param1=value1' },
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('%s', (_name, { url = '/', ...request }, names, signature) => {
    const { headers } = sign({ method: 'GET', ...request, url: `https://example.amazonaws.com${url}` }, NOW)
    expect(headers).toEqual({
      ...request.headers,
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    })
  })

  test('differs with the body', () => {
    const signatures = ['{"a":1}', '{"a":2}', undefined].map((body) => {
      const request = { method: 'POST' as const, url: 'https://a.example/', ...(body === undefined ? {} : { body }) }
      return sign(request, NOW).headers?.['authorization']
    })
    expect(new Set(signatures).size).toBe(3)
  })
})

describe('the HMAC of Azure', () => {
  const key = Buffer.from('a secret key').toString('base64')
  const request = { method: 'POST' as const, url: 'https://r.communication.azure.com/sms?api-version=2026-01-23' }

  test('covers method, path, query, time, host and body', () => {
    const { headers } = signForAzure(key)({ ...request, headers: { 'x-a': '1' }, body: '{}' }, 0)
    const content = 'RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='
    const text = `POST\n/sms?api-version=2026-01-23\nThu, 01 Jan 1970 00:00:00 GMT;r.communication.azure.com;${content}`
    const proof = createHmac('sha256', 'a secret key').update(text).digest('base64')
    expect(headers).toEqual({
      'x-a': '1',
      'x-ms-date': 'Thu, 01 Jan 1970 00:00:00 GMT',
      'x-ms-content-sha256': content,
      authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${proof}`,
    })
  })

  test('covers the port of the host, and a request without a body', () => {
    const { headers } = signForAzure(key)({ method: 'GET', url: 'http://127.0.0.1:8080/balance' }, 0)
    const empty = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    const text = `GET\n/balance\nThu, 01 Jan 1970 00:00:00 GMT;127.0.0.1:8080;${empty}`
    const proof = createHmac('sha256', 'a secret key').update(text).digest('base64')
    expect(headers).toMatchObject({ authorization: expect.stringMatching(/&Signature=/) })
    expect(headers?.['authorization']?.endsWith(`&Signature=${proof}`)).toBe(true)
  })
})
