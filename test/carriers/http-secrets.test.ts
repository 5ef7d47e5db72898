/** The secrets of an HTTP carrier: where they may not stand, and what becomes of them in answers. */
import { afterEach, describe, expect, test } from 'vitest'
import { readHttpSettings } from '../../src/carriers/http/settings.ts'
import { eventually } from '../support/eventually.ts'
import { HttpUpstream } from '../support/http-upstream.ts'

let upstream: HttpUpstream | null = null

afterEach(async () => {
  await upstream?.stop()
  upstream = null
})

describe('a service that repeats our keys in its answers', () => {
  test.each([
    ['a secret', { secrets: { apiKey: 'SECRETKEY123' } }, { apikey: '{{$apiKey}}' }, undefined],
    ['a token', {}, {}, { kind: 'bearer', token: 'SECRETKEY123' }],
    ['a password', {}, {}, { kind: 'basic', user: 'shop', password: 'SECRETKEY123' }],
    ['the value of a header', {}, {}, { kind: 'header', name: 'X-Key', value: 'SECRETKEY123' }],
  ])('does not show them: %s', async (_, more, headers, auth) => {
    const started = await HttpUpstream.start(
      (address) => ({
        ...more,
        request: { address: `${address}/send`, json: { text: '{{text}}' }, headers, ...(auth && { auth }) },
        answer: { id: 'ours', statuses: { '401': 'account', '422': 'rejected' }, reason: { path: 'error' } },
      }),
      ({ method }) => ({
        status: method === 'HEAD' ? 200 : 401,
        body: '{"error":"no access for SECRETKEY123, see SECRETKEY123"}',
      }),
    )
    upstream = started
    await eventually('the carrier to be up', () => started.carrier.state().up)
    const { verdicts } = await started.send({})
    const reason = 'HTTP 401: no access for <secret>, see <secret>'
    expect(verdicts).toMatchObject([{ kind: 'unreachable', reason }])
  })
})

test('the secrets of all requests are hidden, and those of webhooks have other uses', () => {
  const by = (token: string) => ({ address: 'https://a.example/x', json: {}, auth: { kind: 'bearer', token } })
  const { hidden } = readHttpSettings({
    secrets: { key: 'named-secret' },
    request: by('of-the-request'),
    answer: { id: 'ours' },
    balance: { request: by('of-the-balance'), amount: { path: 'a' } },
    register: { known: by('of-what-is-known'), requests: [by('of-registration')] },
    receipt: {
      auth: { kind: 'token', token: 'a-token-of-your-own' },
      ...{ id: 'id', status: 's', outcomes: { a: 'read' } },
    },
  })
  const tokens = ['of-the-request', 'of-the-balance', 'of-what-is-known', 'of-registration']
  expect([...hidden].sort()).toEqual(['named-secret', ...tokens].sort())
})

describe('a secret may not stand where others read it', () => {
  const receipt = {
    auth: { kind: 'token', token: 'a-token-of-your-own' },
    id: 'id',
    status: 's',
    outcomes: { a: 'read' },
  }
  const read = (change: object) =>
    readHttpSettings({
      constants: { shop: 'Shop 24' },
      secrets: { key: 'SECRETKEY123' },
      request: { address: 'https://a.example/send', json: { key: '{{$key}}' } },
      answer: { id: 'ours' },
      ...change,
    })

  test.each([
    [{ receipt: { ...receipt, answer: { body: 'ok {{$key}}' } } }, 'receipt.answer.body'],
    [{ inbound: { ...receipt, answer: { body: '{{$key}}' } } }, 'inbound.answer.body'],
    [{ senders: { Shop: '{{$key}}' } }, 'senders.Shop'],
    [{ provider: { name: '{{$key}}', version: 1 } }, 'provider.name'],
  ])('%j', (change, place) => {
    expect(() => read(change)).toThrow(`${place}: {{$key}} is not the name of a constant`)
  })

  test('a constant may', () => {
    const settings = read({ receipt: { ...receipt, answer: { body: '{{$shop}}' } }, senders: { Shop: '{{$shop}}' } })
    expect(settings.receipt?.answer.body).toBe('Shop 24')
    expect(settings.senders.get('Shop')).toBe('Shop 24')
  })
})
