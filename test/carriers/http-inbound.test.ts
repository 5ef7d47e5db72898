/** Inbound messages of a generic HTTP carrier: where their fields are, and how its calls are authenticated. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { gather } from '../support/http-benches.ts'

const TOKEN = 'a-token-of-our-own'
const INBOUND = { auth: { kind: 'token', token: TOKEN }, from: 'from', to: 'to', text: 'body.text', id: 'id' }
const OTHERS = { request: { address: 'https://a.example/send', json: { text: '{{text}}' } }, answer: { id: 'ours' } }

function begin(inbound: object, others: object = {}) {
  const parts = gather()
  const settings = JSON.parse(JSON.stringify({ ...OTHERS, ...others, inbound: { ...INBOUND, ...inbound } }))
  const carrier = createHttpCarrier({ id: 'parrot', channel: 'sms', settings }, parts)
  carrier.start(parts.inbox)
  const call = (body: unknown, path = `/inbound/${TOKEN}`, headers = {}, method = 'POST') => {
    const head = { method, path, headers }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = { ...head, body: Buffer.from(text, 'latin1') }
    return carrier.refuseWebhook?.(head) ?? carrier.answerWebhook?.(request)
  }
  return { ...parts, carrier, call }
}

const YES = { id: 'm-1', from: '+371 2000 0000', to: 1234, body: { text: 'Yes' } }

describe('a message', () => {
  test('is read by the paths of the settings, and acknowledged as they say', async () => {
    const { call, inbox } = begin({ answer: { status: 202, body: 'OK' } })
    expect(await call(YES)).toEqual({ status: 202, body: 'OK' })
    expect(inbox.arrivals).toMatchObject([
      { carrierId: 'parrot', sender: '+371 2000 0000', recipient: '1234', text: 'Yes', part: null },
    ])
    expect(inbox.arrivals[0]).not.toHaveProperty('senders')
  })

  test('is from a phone of the country of the carrier if its number is in national format', async () => {
    const { call, inbox } = begin({ nationalCountry: 'de' })
    for (const from of ['01701234566', '0049 170 1234566', '+44 7700 900123', 'Shop'])
      await call({ ...YES, id: from, from })
    const senders = ['491701234566', '0049 170 1234566', '+44 7700 900123', 'Shop']
    expect(inbox.arrivals.map(({ sender }) => sender)).toEqual(senders)
    expect(() => begin({ nationalCountry: 'IT' })).toThrow('nationalCountry: should be a country')
  })

  test('may be one of a list, of which those without a writer or a text are ignored', async () => {
    const { call, inbox } = begin({ list: 'results' })
    const others = [null, { ...YES, from: '' }, { ...YES, body: { text: 'x'.repeat(10_001) } }]
    expect(await call({ results: [...others, YES] })).toEqual({ status: 200, body: '' })
    expect(inbox.arrivals).toMatchObject([{ text: 'Yes' }])
    expect(await call({ results: Array(1_001).fill(YES) })).toMatchObject({ status: 413 })
  })

  test('is to a fixed number if the carrier does not name it, and to the senders of that number', async () => {
    const { call, inbox } = begin({ to: undefined, number: '+49 1234' }, { senders: { Shop: '491234', Bank: '5' } })
    await call(YES)
    expect(inbox.arrivals).toMatchObject([{ recipient: '+49 1234', senders: ['Shop', '+49 1234'] }])
  })

  test('is a repeat by its id; without an id an equal one is a repeat for a minute', async () => {
    const { call, inbox, clock } = begin({})
    await call(YES)
    await call({ ...YES, body: { text: 'Yes, changed' } })
    await call({ ...YES, id: undefined })
    await call({ ...YES, id: undefined })
    // The inbox ignores known keys.
    expect(inbox.arrivals).toMatchObject([
      { text: 'Yes', keyUntil: clock.now() + 7 * 86_400_000 },
      { text: 'Yes', keyUntil: clock.now() + 60_000 },
    ])
  })

  test('of several parts names them', async () => {
    const { call, inbox } = begin({ parts: { reference: 'ref', total: 'of', number: 'part' } })
    const part = (ref: unknown, of: unknown, number: unknown) => call({ ...YES, ref, of, part: number })
    await part('abc', 2, '1')
    await part('abc', 2, '2')
    for (const [of, number] of [
      [1, 1],
      [3, 4],
      ['x', 1],
      [2, 0],
      [256, 1],
    ])
      await call({ ...YES, id: `${of} ${number}`, ref: 'abc', of, part: number })
    const [first, second, ...whole] = inbox.arrivals
    expect([first?.part, second?.part]).toMatchObject([
      { total: 2, number: 1 },
      { total: 2, number: 2 },
    ])
    expect(second?.part?.reference).toBe(first?.part?.reference)
    expect(second?.key).not.toBe(first?.key)
    expect(whole.map((each) => each.part)).toEqual(Array(5).fill(null))
  })

  test.each([
    ['utf-8', 'from=37120000000&to=1234&text=%C3%A9t%C3%A9+%26', 'été &'],
    ['iso-8859-1', 'from=37120000000&to=1234&text=%E9t\u00e9+%26', 'été &'],
    ['utf-16be', 'from=%003%007%001%002&to=%001%002&text=%04%14%04%30', 'Да'],
  ])('may be a form or a query in %s', async (charset, fields, text) => {
    const names = { text: 'text', id: undefined, charset }
    const form = begin({ ...names, format: 'form' })
    await form.call(fields)
    const query = begin({ ...names, format: 'query', method: 'GET' })
    await query.call('', `/inbound/${TOKEN}?${fields.replace('\u00e9', '%E9')}`, {}, 'GET')
    expect([...form.inbox.arrivals, ...query.inbox.arrivals].map((each) => each.text)).toEqual([text, text])
  })
})

describe('a call', () => {
  test.each([
    ['no token', '/inbound', {}, 'POST', 404],
    ['a wrong token', '/inbound/guess', {}, 'POST', 404],
    ['the token in the place of receipts', `/${TOKEN}`, {}, 'POST', 404],
    ['another method', `/inbound/${TOKEN}`, {}, 'GET', 405],
  ])('with %s is refused', async (_, path, headers, method, status) => {
    const { call, inbox } = begin({})
    expect(await call(YES, path, headers, method)).toMatchObject({ status })
    expect(inbox.arrivals).toEqual([])
  })

  test('that is not JSON is refused, and one that cannot be recorded is repeated by the carrier', async () => {
    const { call, inbox } = begin({})
    expect(await call('not json')).toMatchObject({ status: 400 })
    inbox.refusals = 1
    expect(await call(YES)).toMatchObject({ status: 503 })
  })

  test('may be signed, beside receipts with a token of their own', async () => {
    const auth = { kind: 'hmac', name: 'X-Signature', secret: 'secret' }
    const receipt = { auth: INBOUND.auth, id: 'id', status: 'state', outcomes: { DELIVERED: 'delivered' } }
    const { call, inbox } = begin({ auth }, { receipt })
    const signature = createHmac('sha256', 'secret').update(JSON.stringify(YES)).digest('hex')
    expect(await call(YES, '/inbound', { 'x-signature': 'ab'.repeat(32) })).toMatchObject({ status: 401 })
    expect(await call(YES, '/inbound', { 'x-signature': signature })).toMatchObject({ status: 200 })
    expect(await call({ id: 'r-1', state: 'DELIVERED' }, `/${TOKEN}`)).toMatchObject({ status: 200 })
    expect([inbox.arrivals.length, inbox.receipts.length]).toEqual([1, 1])
  })
})

describe('settings are refused', () => {
  test.each([
    [{ from: undefined }, 'inbound.from: should be text'],
    [{ to: undefined }, 'inbound.to: should be text'],
    [{ text: 'a..b' }, 'inbound.text: should be a place in JSON'],
    [{ charset: 'utf-16be' }, 'inbound.charset: is only for format form and query'],
    [{ charset: 'utf-7' }, 'inbound.charset: '],
    [{ parts: { reference: 'ref' } }, 'inbound.parts.total: should be text'],
    [{ wrong: 1 }, 'inbound.wrong: '],
    [{ auth: undefined }, 'inbound.auth: '],
  ])('with %j', (change, error) => {
    expect(() => begin(change)).toThrow(error)
  })
})
