/** Where items are in the webhook calls of an HTTP carrier: one address for all, nested lists, lists in texts. */
import { describe, expect, test } from 'vitest'
import { createHttpCarrier } from '../../src/carriers/http/http-carrier.ts'
import { gather } from '../support/http-benches.ts'

const TOKEN = 'a-token-of-our-own'
const AUTH = { kind: 'token', token: TOKEN }
const OUTCOMES = { delivered: 'delivered', failed: 'undeliverable', 'esme_*': 'rejected', '400-403': 'expired' }
const RECEIPT = { auth: AUTH, id: 'id', status: 'status', outcomes: OUTCOMES }
const INBOUND = { auth: AUTH, from: 'from', to: 'to', text: 'text', id: 'id' }

function begin(change: { receipt?: object; inbound?: object }) {
  const parts = gather()
  const settings = {
    request: { address: 'https://a.example/send', json: { text: '{{text}}' } },
    answer: { id: 'ours' },
    receipt: { ...RECEIPT, ...change.receipt },
    ...(change.inbound === undefined ? {} : { inbound: { ...INBOUND, ...change.inbound } }),
  }
  const carrier = createHttpCarrier(
    { id: 'parrot', channel: 'sms', settings: JSON.parse(JSON.stringify(settings)) },
    parts,
  )
  carrier.start(parts.inbox)
  const call = (body: object | string, path = `/${TOKEN}`, method = 'POST') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const head = { method, path, headers: {} }
    return carrier.refuseWebhook?.(head) ?? carrier.answerWebhook?.({ ...head, body: Buffer.from(text, 'latin1') })
  }
  const receipts = () => parts.inbox.receipts.map(({ ref, outcome, detail }) => [ref, outcome, detail])
  const texts = () => parts.inbox.arrivals.map(({ sender, recipient, text }) => [sender, recipient, text])
  return { ...parts, carrier, call, receipts, texts }
}

const OK = { status: 200, body: '' }

describe('one address for receipts and inbound messages', () => {
  const both = {
    receipt: { when: { path: 'type', is: ['dlr', 'report.*'] } },
    inbound: { when: { path: 'type', is: 'mo_text' } },
  }
  const message = { type: 'MO_text', id: 'i1', from: '491701234500', to: '1234', text: 'Yes' }

  test('a word distinguishes them, and other items are ignored', async () => {
    const { call, receipts, texts } = begin(both)
    const others = [
      { type: 'dlr', id: 'a', status: 'delivered' },
      { type: 'report.final', id: 'b', status: 'failed' },
    ]
    const ignored = [
      { type: 'click', id: 'c', status: 'delivered' },
      { id: 'd', status: 'delivered' },
    ]
    expect(await call([...others, ...ignored, message, { ...message, type: 'mo_binary', id: 'i2' }])).toEqual(OK)
    expect(receipts()).toEqual([
      ['a', 'delivered', 'delivered'],
      ['b', 'undeliverable', 'failed'],
    ])
    expect(texts()).toEqual([['491701234500', '1234', 'Yes']])
  })

  test('the address of inbound messages still takes them, and no receipts', async () => {
    const { call, receipts, texts } = begin(both)
    expect(await call([message, { type: 'dlr', id: 'a', status: 'failed' }], `/inbound/${TOKEN}`)).toEqual(OK)
    expect([receipts(), texts()]).toEqual([[], [['491701234500', '1234', 'Yes']]])
  })

  test('each has a list of its own, and a call of one of them may lack that of the other', async () => {
    const { call, receipts, texts } = begin({
      receipt: { list: 'reports', when: { path: 'type', is: 'dlr' } },
      inbound: { list: 'messages', when: { path: 'type', is: 'mo_text' } },
    })
    await call({ reports: [{ type: 'dlr', id: 'a', status: 'delivered' }] })
    await call({ messages: [message] })
    expect([receipts().length, texts().length]).toEqual([1, 1])
  })

  test('nothing is acknowledged that was not recorded', async () => {
    const { call, inbox } = begin(both)
    inbox.refusals = 1
    expect(await call([message])).toMatchObject({ status: 503 })
    expect(await call([message])).toEqual(OK)
  })

  test('without a word for inbound messages, the address takes receipts only', async () => {
    const { call, texts } = begin({ inbound: {} })
    expect(await call(message)).toEqual(OK)
    expect(texts()).toEqual([])
  })
})

describe('nested lists', () => {
  test('items have what is around them too, unless they have it themselves', async () => {
    const { call, receipts } = begin({ receipt: { list: 'results[].statuses[]', id: 'batch', reason: 'info.text' } })
    const body = {
      batch: 'none',
      results: [
        { batch: 'b1', info: { text: 'x' }, statuses: [{ status: 'delivered' }, { status: 'failed', batch: 'own' }] },
        { statuses: { status: 'ESME_RX' } },
        { batch: 'b3' },
      ],
    }
    expect(await call(body)).toEqual(OK)
    expect(receipts()).toEqual([
      ['b1', 'delivered', 'delivered: x'],
      ['own', 'undeliverable', 'failed: x'],
      ['none', 'rejected', 'ESME_RX'],
    ])
  })

  test('may begin at the root', async () => {
    const { call, receipts } = begin({ receipt: { list: '[].report[]', id: 'requestId' } })
    await call([
      { requestId: 'r', report: [{ status: '401' }] },
      { requestId: 's', report: [{ status: '404' }] },
    ])
    expect(receipts()).toEqual([['r', 'expired', '401']])
  })

  test('a plain list has nothing of what is around it', async () => {
    const { call, receipts } = begin({ receipt: { list: 'statuses' } })
    await call({ id: 'outside', statuses: [{ status: 'delivered' }] })
    expect(receipts()).toEqual([])
  })

  test('have at most 1,000 items together', async () => {
    const { call } = begin({ receipt: { list: 'a[].b[]' } })
    const inner = Array(501).fill({ id: 'x', status: 'delivered' })
    expect(await call({ a: [{ b: inner }, { b: inner }] })).toMatchObject({ status: 413 })
  })
})

describe('JSON inside a text', () => {
  test.each([
    ['form', `n=1&data=${encodeURIComponent('[{"id":"a","status":"delivered"}]')}`],
    ['json', { n: 1, data: '[{"id":"a","status":"delivered"}]' }],
  ])('of a %s', async (format, body) => {
    const { call, receipts } = begin({ receipt: { format, jsonIn: 'data' } })
    expect(await call(body)).toEqual(OK)
    expect(receipts()).toEqual([['a', 'delivered', 'delivered']])
  })

  test('that is none is refused', async () => {
    const { call } = begin({ receipt: { jsonIn: 'data' } })
    for (const data of ['<html>', '', undefined, '7', `[${'1,'.repeat(40_001)}1]`]) {
      expect(await call({ data })).toEqual({ status: 400, body: 'not json' })
    }
  })
})

describe('several ids in one item', () => {
  const listed = { method: 'GET', format: 'query', separator: ',', reason: 'why' }
  const get = (bench: ReturnType<typeof begin>, query: string) => bench.call('', `/${TOKEN}?${query}`, 'GET')

  test('each has its own status', async () => {
    const bench = begin({ receipt: listed })
    expect(await get(bench, 'id=a,b,%20c&status=delivered,failed,404&why=x,y,z')).toEqual(OK)
    expect(bench.receipts()).toEqual([
      ['a', 'delivered', 'delivered: x'],
      ['b', 'undeliverable', 'failed: y'],
    ])
  })

  test('one status is that of all, and a reason may have commas', async () => {
    const bench = begin({ receipt: listed })
    await get(bench, 'id=a,b,c&status=failed&why=no, never')
    expect(bench.receipts().map(([ref, , detail]) => [ref, detail])).toEqual(
      ['a', 'b', 'c'].map((ref) => [ref, 'failed: no, never']),
    )
  })

  test('a call whose statuses cannot be assigned is refused', async () => {
    const bench = begin({ receipt: listed })
    for (const query of ['id=a,b,c&status=delivered,failed', 'id=a&status=delivered,failed']) {
      expect(await get(bench, query)).toEqual({ status: 400, body: 'ids and statuses differ in number' })
    }
    expect(await get(bench, `id=${'a,'.repeat(1_001)}&status=failed`)).toMatchObject({ status: 400 })
    expect(bench.receipts()).toEqual([])
  })

  test('without the setting, a comma is part of the id', async () => {
    const bench = begin({ receipt: { method: 'GET', format: 'query' } })
    await get(bench, 'id=a,b&status=failed')
    expect(bench.receipts()).toEqual([['a,b', 'undeliverable', 'failed']])
  })
})

test('ids that are numbers keep every digit', async () => {
  const { call, receipts } = begin({})
  await call('[{"id":9007199254740993,"status":"delivered"},{"id":1234567890123456789,"status":"failed"}]')
  expect(receipts().map(([ref]) => ref)).toEqual(['9007199254740993', '1234567890123456789'])
})

describe('an error code', () => {
  const codes = [
    { path: 'err', meanings: { '30003': 'undeliverable', '30005-30006': 'rejected' } },
    { path: 'info', meanings: { 'too_*': 'expired' } },
  ]

  test.each([
    [{ status: 'failed', err: 30006 }, 'rejected', 'failed: 30006'],
    [{ status: 'failed', err: 30004, info: 'too_late' }, 'expired', 'failed: too_late'],
    [{ status: 'failed', err: 30004 }, 'undeliverable', 'failed'],
    [{ status: 'unheard', err: 30003 }, 'undeliverable', 'unheard: 30003'],
  ])('%j', async (fields, outcome, detail) => {
    const { call, receipts } = begin({ receipt: { codes } })
    await call({ id: 'a', ...fields })
    expect(receipts()).toEqual([['a', outcome, detail]])
  })
})

describe('an inbound message', () => {
  const from = { from: '491701234500', text: 'Yes' }

  test('without a receiver is to the number of the settings', async () => {
    const { call, texts } = begin({ inbound: { number: '4900' } })
    for (const to of [null, '', undefined, '5678']) await call({ ...from, to }, `/inbound/${TOKEN}`)
    expect(texts().map(([, recipient]) => recipient)).toEqual(['4900', '5678'])
  })

  const charsets = { path: 'coding', meanings: { '2': 'utf-16be', UTF16: 'utf-16be', '1': 'iso-8859-1' } }

  test.each([
    ['coding=2&text=%04%14%00%61', 'Дa'],
    ['coding=1&text=%E9t+%E9', 'ét é'],
    ['coding=0&text=%C3%A9', 'é'],
    ['text=%C3%A9', 'é'],
  ])('in the query %s has the encoding that its word names', async (query, text) => {
    const { call, texts } = begin({ inbound: { method: 'GET', format: 'query', charsets } })
    await call('', `/inbound/${TOKEN}?from=491701234500&to=1234&${query}`, 'GET')
    expect(texts()).toEqual([['491701234500', '1234', text]])
  })

  test.each([
    ['utf16', '%04%14%00%61', 'Дa'],
    ['1', '%E9', 'é'],
    ['UTF-8', '100%25 é', '100%25 é'],
    [undefined, '50 %', '50 %'],
  ])('in JSON with the word %s is %s decoded', async (coding, written, text) => {
    const { call, texts } = begin({ inbound: { charsets } })
    const body = { from: '491701234500', to: '1234', coding, text: written }
    await call(Buffer.from(JSON.stringify(body)).toString('latin1'), `/inbound/${TOKEN}`)
    expect(texts()).toEqual([['491701234500', '1234', text]])
  })

  test('with more than 10,000 characters is ignored, whatever its encoding', async () => {
    const { call, texts } = begin({ inbound: { charsets } })
    for (const count of [10_000, 10_001]) {
      await call({ ...from, to: '1', coding: '2', text: '%00%61'.repeat(count) }, `/inbound/${TOKEN}`)
    }
    expect(texts().map(([, , text]) => text?.length)).toEqual([10_000])
  })
})

test.each([
  [{ receipt: { list: 'a[]b' } }, 'receipt.list: should be a path of 1 to 3 lists'],
  [{ receipt: { list: 'a[].b[].c[].d[]' } }, 'receipt.list: should be a path of 1 to 3 lists'],
  [{ receipt: { list: '..[]' } }, 'receipt.list: should be a place in JSON'],
  [{ receipt: { format: 'form', list: 'a' } }, 'receipt.list: is only for format json'],
  [{ receipt: { jsonIn: 'a..b' } }, 'receipt.jsonIn: should be a place in JSON'],
  [{ receipt: { when: { path: 'a' } } }, 'receipt.when.is: should be text'],
  [{ receipt: { when: { path: 'a', is: [] } } }, 'receipt.when.is: should be'],
  [{ receipt: { when: { path: 'a', is: Array(21).fill('x') } } }, 'receipt.when.is: should be'],
  [{ receipt: { when: { path: 'a..b', is: 'x' } } }, 'receipt.when.path: should be a place in JSON'],
  [{ receipt: { when: { path: 'a', is: '*' } } }, 'receipt.when.is: should have text before *'],
  [{ receipt: { separator: 'or so' } }, 'receipt.separator: should be 1 to 3 characters'],
  [{ receipt: { codes: { path: 'a' } } }, 'receipt.codes.meanings: should name at least one'],
  [{ receipt: { codes: [{ path: 'a', meanings: { x: 'sent' } }] } }, 'receipt.codes.0.meanings.x: should be one of'],
  [{ inbound: { to: undefined } }, 'inbound.to: should be text'],
  [{ inbound: { charsets: { path: 'a', meanings: { x: 'utf-7' } } } }, 'inbound.charsets.meanings.x: should be one of'],
])('refuses %j and names the setting', (change, complaint) => {
  expect(() => begin(change)).toThrow(complaint)
})
