/** Kannel's HTTP interface, asked as Kannel's programs ask it, with Kannel's answers word for word. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { approvedSender } from '../../src/domain/accounts/sender.ts'
import { classOf } from '../../src/domain/message/message.ts'
import { TRAFFIC_CLASSES, type TrafficClass } from '../../src/domain/message/traffic-class.ts'
import { readTarget } from '../../src/domain/reports/report-target.ts'
import { buildLogin, LOGIN_PASSWORD } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ apis: ['kannel'], hookAllow: ['127.0.0.0/8'] })
  await bench.change({ kind: 'set client login', login: buildLogin({ name: 'shop', accountId: bench.accountId }) })
})
afterEach(() => bench.stop())

const ACCEPTED = { status: 202, text: '0: Accepted for delivery' }
const PHONE = '491701234567'
const LOGIN = { username: 'shop', password: LOGIN_PASSWORD }
const SEND = { ...LOGIN, from: 'SMSTest', to: PHONE, text: 'Hello' }

type Fields = Readonly<Record<string, string | undefined>>

function queryOf(fields: Fields): string {
  const sent = Object.entries(fields).flatMap<[string, string]>(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return new URLSearchParams(sent).toString()
}

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(bench.address + path, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function get(fields: Fields) {
  const { status, text } = await ask(`/cgi-bin/sendsms?${queryOf(fields)}`)
  return { status, text }
}

async function post(type: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  const { status, text } = await ask('/cgi-bin/sendsms', {
    method: 'POST',
    body,
    headers: { 'Content-Type': type, ...headers },
  })
  return { status, text }
}

const sent = () => bench.outbox.taken
const texts = () => sent().map(({ plan }) => (plan[0]?.content.kind === 'text' ? plan[0].content.text : null))
const targetOf = (index = 0) => readTarget(sent()[index]?.hook ?? '')

test('the priority asks for a traffic class, at most that of the login', async () => {
  const change = (priority: TrafficClass | null) =>
    bench.change({
      kind: 'set client login',
      login: buildLogin({ name: 'shop', accountId: bench.accountId, priority }),
    })
  const classes = async () => {
    bench.outbox.taken.length = 0
    for (const priority of [undefined, '0', '1', '2', '3']) expect(await get({ ...SEND, priority })).toEqual(ACCEPTED)
    return sent().map(classOf)
  }
  const [otp, transactional, bulk] = TRAFFIC_CLASSES
  const usual = Array<TrafficClass>(5).fill(transactional)
  expect(await classes()).toEqual(usual)
  await change('otp')
  expect(await classes()).toEqual([otp, otp, transactional, otp, otp])
  await change('bulk')
  expect(await classes()).toEqual(Array(5).fill(bulk))
})

test('a text is sent, and the answer has the type and the words of Kannel', async () => {
  const { status, text, headers } = await ask(`/cgi-bin/sendsms?${queryOf(SEND)}`)
  expect({ status, text }).toEqual(ACCEPTED)
  expect(headers.get('content-type')).toBe('text/html')
  expect(sent()).toMatchObject([{ phone: PHONE, hook: null, plan: [{ channel: 'sms', sender: 'SMSTest', parts: 1 }] }])
})

describe('a request is refused as by Kannel', () => {
  test.each<[string, Fields, number, string]>([
    ['without a login', { username: undefined, password: undefined }, 403, 'Authorization failed for sendsms'],
    ['with a wrong password', { password: 'guess' }, 403, 'Authorization failed for sendsms'],
    ['of an unknown user', { username: 'none' }, 403, 'Authorization failed for sendsms'],
    ['without a receiver', { to: undefined }, 400, 'Missing receiver number, rejected'],
    ['with an empty receiver', { to: ' ' }, 400, 'Empty receiver number not allowed, rejected'],
    ['to letters alone', { to: 'abc' }, 400, 'Number(s) has/have been denied by white- and/or black-lists.'],
    ['to what is no number', { to: '1' }, 400, 'Number(s) has/have been denied by white- and/or black-lists.'],
    ['without a sender', { from: undefined }, 400, 'Sender missing and no global set, rejected'],
    ['to a country without a price', { to: '33612345678' }, 403, 'Not routable. Do not try again.'],
    ['with binary data', { coding: '1' }, 400, 'Coding field misformed, rejected'],
    ['with an unknown coding', { coding: '3' }, 400, 'Coding field misformed, rejected'],
    ['with a header', { udh: '\u0005\u0000' }, 400, 'UDH field misformed, rejected'],
    ['as a flash message', { mclass: '0' }, 400, 'MClass field misformed, rejected'],
    ['as an indication', { mwi: '0' }, 400, 'MWI field misformed, rejected'],
    ['compressed', { compress: '1' }, 400, 'Compress field misformed, rejected'],
    ['with a protocol', { pid: '64' }, 400, 'PID field misformed, rejected'],
    ['with a wrong reply path', { rpi: '3' }, 400, 'RPI field misformed, rejected'],
    ['with a wrong alt-dcs', { 'alt-dcs': '2' }, 400, 'Alt-DCS field misformed, rejected'],
    ['with a wrong priority', { priority: '4' }, 400, 'Priority field misformed, rejected'],
    ['with a priority below all', { priority: '-1' }, 400, 'Priority field misformed, rejected'],
    ['with a priority that is no number', { priority: 'otp' }, 400, 'Priority field misformed, rejected'],
    ['with a mask below -1', { 'dlr-mask': '-2' }, 400, 'DLR-Mask field misformed, rejected'],
    ['with a validity below -1', { validity: '-2' }, 400, 'Validity field misformed, rejected'],
    ['with a validity that no carrier has', { validity: '99999999' }, 400, 'Validity field misformed, rejected'],
    ['that ends before it begins', { validity: '5', deferred: '5' }, 400, 'Validity field misformed, rejected'],
    ['for next year', { deferred: '525600' }, 400, 'Deferred field misformed, rejected'],
    ['for a time that does not exist', { deferred: '9999999999999' }, 400, 'Deferred field misformed, rejected'],
    ['with a callback by FTP', { 'dlr-url': 'ftp://a.example/' }, 400, 'DLR-URL field misformed, rejected'],
    ['with a private callback', { 'dlr-url': 'http://10.0.0.1/?%d' }, 400, 'DLR-URL field misformed, rejected'],
    ['with a label in brackets', { account: '[a]' }, 400, 'Account field misformed or too long, rejected'],
    ['with a long label', { account: 'a'.repeat(65) }, 400, 'Account field misformed or too long, rejected'],
    ['in an unknown charset', { charset: 'klingon' }, 400, 'Charset or body misformed, rejected'],
    ['without a text', { text: undefined }, 400, 'Charset or body misformed, rejected'],
    ['from a sender that is not approved', { from: 'Other' }, 403, 'Error in Alpha-name'],
    ['with a text of many parts', { text: 'x'.repeat(1_600) }, 400, 'text: at most 10 SMS parts'],
  ])('%s', async (_, change, status, text) => {
    expect(await get({ ...SEND, ...change })).toEqual({ status, text })
    expect(sent()).toEqual([])
  })

  test('with bytes that are not of the charset', async () => {
    const text = 'Charset or body misformed, rejected'
    const { status, text: answer } = await ask(`/cgi-bin/sendsms?${queryOf({ ...SEND, text: undefined })}&text=caf%E9`)
    expect({ status, answer }).toEqual({ status: 400, answer: text })
  })

  test('after too many guesses, for a while', async () => {
    for (let guesses = 0; guesses < 10; guesses += 1) await get({ ...SEND, password: 'guess' })
    expect(await get(SEND)).toEqual({ status: 503, text: 'Temporal failure, try again later.' })
    bench.clock.advance(60_000)
    expect(await get(SEND)).toEqual(ACCEPTED)
  })

  test('beyond the rate of the login', async () => {
    const login = buildLogin({ name: 'slow', accountId: bench.accountId, perSecond: 1 })
    await bench.change({ kind: 'set client login', login })
    expect(await get({ ...SEND, username: 'slow' })).toEqual(ACCEPTED)
    expect(await get({ ...SEND, username: 'slow' })).toEqual({
      status: 503,
      text: 'Temporal failure, try again later.',
    })
  })
})

describe('values are read as Kannel reads them', () => {
  test.each<[string, Fields]>([
    ['letters for a number are no value', { 'dlr-mask': 'abc', mclass: 'x', coding: '' }],
    ['-1 is unset', { mclass: '-1', mwi: '-1', validity: '-1', deferred: '-1', coding: '-1' }],
    ['unknown parameters', { colour: 'red' }],
    ['short names', { username: undefined, password: undefined, user: 'shop', pass: LOGIN_PASSWORD }],
    ['what changes nothing', { rpi: '1', 'alt-dcs': '1', mclass: '1', smsc: 'any' }],
    ['a sender with a plus', { from: '+4915550000' }],
  ])('%s', async (_, change) => {
    if (change['from'] !== undefined) await approve('4915550000')
    expect(await get({ ...SEND, ...change })).toEqual(ACCEPTED)
    expect(texts()).toEqual(['Hello'])
  })

  test.each([
    ['UTF-8', 'text=Gr%C3%BC%C3%9Fe', 'Grüße'],
    ['Latin-1', 'charset=ISO-8859-1&text=Gr%FC%DFe', 'Grüße'],
    ['UTF-16', 'coding=2&text=%04%1F%04%40', 'Пр'],
    ['UTF-8 in Unicode', 'coding=2&charset=utf8&text=%D0%9F%D1%80', 'Пр'],
    ['a line break and a plus', 'text=a%0Ab%2Bc+d', 'a\nb+c d'],
    ['a percent sign alone', 'text=100%', '100%'],
  ])('a text in %s', async (_, query, text) => {
    expect(await ask(`/cgi-bin/sendsms?${queryOf({ ...SEND, text: undefined })}&${query}`)).toMatchObject(ACCEPTED)
    expect(texts()).toEqual([text])
  })

  test('minutes are a time and a lifetime', async () => {
    expect(await get({ ...SEND, deferred: '5', validity: '15' })).toEqual(ACCEPTED)
    expect(bench.outbox.dueAts).toEqual([bench.clock.now() + 300_000])
    expect(await get({ ...SEND, validity: '15' })).toEqual(ACCEPTED)
    expect(sent()).toMatchObject([{ plan: [{ lifetimeSeconds: 900 }] }])
  })

  test('a long text is sent whole, and charged', async () => {
    expect(await get({ ...SEND, text: 'x'.repeat(400) })).toEqual(ACCEPTED)
    expect(sent()).toMatchObject([{ plan: [{ parts: 3 }] }])
  })
})

async function approve(name: string): Promise<void> {
  await bench.change({ kind: 'set sender', sender: approvedSender(bench.accountId, 'sms', name) })
}

describe('several receivers', () => {
  test('get one answer', async () => {
    expect(await get({ ...SEND, to: `${PHONE} +491701234568  49-170-1234569` })).toEqual(ACCEPTED)
    expect(sent().map(({ phone }) => phone)).toEqual([PHONE, '491701234568', '491701234569'])
  })

  test('are named if only some are refused, so that the others are not sent to again', async () => {
    expect(await get({ ...SEND, to: `33612345678 abc ${PHONE}` })).toEqual({
      status: 202,
      text: 'Sent. Denied receivers are: 33612345678 abc',
    })
    expect(sent()).toHaveLength(1)
  })

  test('are refused as the first one is, if all are', async () => {
    expect(await get({ ...SEND, to: '33612345678 1' })).toEqual({
      status: 403,
      text: 'Not routable. Do not try again.',
    })
  })
})

test('an account without money refuses for good', async () => {
  await bench.stop()
  bench = await startClientBench({ apis: ['kannel'], balanceMicros: 0 })
  await bench.change({ kind: 'set client login', login: buildLogin({ name: 'shop', accountId: bench.accountId }) })
  expect(await get(SEND)).toEqual({ status: 403, text: 'Insufficient funds' })
})

test('a login has a sender and channels of its own', async () => {
  const login = buildLogin({ name: 'rich', accountId: bench.accountId, type: 'rcs+sms', sender: 'Posthorn' })
  await bench.change({ kind: 'set client login', login })
  expect(await get({ ...SEND, username: 'rich', from: undefined, validity: '10' })).toEqual(ACCEPTED)
  expect(sent()).toMatchObject([
    {
      plan: [
        { channel: 'rcs', sender: 'Posthorn', lifetimeSeconds: 300 },
        { channel: 'sms', sender: 'Posthorn', lifetimeSeconds: 300 },
      ],
    },
  ])
})

describe('a callback', () => {
  const URL_OF_CLIENT = 'https://client.example/dlr?id=7&status=%d&to=%p'

  test('is kept with the facts of its escapes', async () => {
    const callback = { 'dlr-mask': '27', 'dlr-url': URL_OF_CLIENT, account: 'team a', smsc: 'one' }
    expect(await get({ ...SEND, ...callback, to: `+${PHONE}` })).toEqual(ACCEPTED)
    expect(targetOf()).toEqual({
      form: 'kannel',
      to: URL_OF_CLIENT,
      facts: {
        ...{ mask: '27', from: 'SMSTest', user: 'shop', at: String(bench.clock.now()), plus: '1' },
        ...{ account: 'team a', smsc: 'one' },
      },
    })
    expect(sent()[0]?.reportSteps).toBe(true)
  })

  test('has old names as well, and final states alone without bit 8', async () => {
    await get({ ...SEND, dlrmask: '3', dlrurl: URL_OF_CLIENT })
    expect(targetOf()).toMatchObject({ to: URL_OF_CLIENT, facts: { mask: '3' } })
    expect(sent()[0]?.reportSteps).toBe(false)
  })

  test.each<[string, Fields]>([
    ['a mask', { 'dlr-url': URL_OF_CLIENT }],
    ['a mask with bits', { 'dlr-url': URL_OF_CLIENT, 'dlr-mask': '0' }],
    ['an address', { 'dlr-mask': '31' }],
  ])('is none without %s', async (_, change) => {
    await get({ ...SEND, ...change })
    expect(sent()[0]?.hook).toBeNull()
  })
})

describe('a POST', () => {
  const HEADERS = {
    'X-Kannel-Username': 'shop',
    'X-Kannel-Password': LOGIN_PASSWORD,
    'X-Kannel-From': 'SMSTest',
    'X-Kannel-To': PHONE,
  }

  test('has its parameters in headers, and the text as body', async () => {
    const more = { 'X-Kannel-DLR-Mask': '31', 'X-Kannel-DLR-Url': 'https://client.example/?d=%d' }
    expect(
      await post('text/plain; charset=iso-8859-1', Buffer.from('Grüße & so', 'latin1'), { ...HEADERS, ...more }),
    ).toEqual(ACCEPTED)
    expect(texts()).toEqual(['Grüße & so'])
    expect(targetOf()).toMatchObject({ to: 'https://client.example/?d=%d', facts: { mask: '31' } })
  })

  test('is refused without receivers in words of its own', async () => {
    const { 'X-Kannel-To': _, ...headers } = HEADERS
    expect(await post('text/plain', 'x', headers)).toEqual({
      status: 400,
      text: 'Missing receiver(s) number(s), rejected',
    })
    expect(await post('text/plain', 'x', { ...HEADERS, 'X-Kannel-UDH': '050003010201' })).toMatchObject({
      text: 'UDH field misformed, rejected',
    })
  })

  test('of XML has several receivers', async () => {
    const document = (password: string) => `<?xml version="1.0" encoding="utf-8"?>
<message><submit>
  <da><number>${PHONE}</number></da><da><number>491701234568</number></da>
  <oa><number>SMSTest</number></oa>
  <ud>Grüße &amp; 100%25</ud>
  <dcs><coding>2</coding></dcs><vp><delay>60</delay></vp>
  <statusrequest><dlr-mask>3</dlr-mask><dlr-url>https://client.example/?a=1&amp;d=%d</dlr-url></statusrequest>
  <from><username>shop</username><password>${password}</password><account>x</account></from>
  <to>one</to>
</submit></message>`
    expect(await post('text/xml', document('guess'))).toEqual({ status: 403, text: 'Authorization failed for sendsms' })
    expect(await post('text/xml', document(LOGIN_PASSWORD))).toEqual(ACCEPTED)
    expect(texts()).toEqual(['Grüße & 100%', 'Grüße & 100%'])
    expect(sent()).toMatchObject([{ plan: [{ lifetimeSeconds: 3_600 }] }, { phone: '491701234568' }])
    expect(targetOf()).toMatchObject({ to: 'https://client.example/?a=1&d=%d', facts: { smsc: 'one', account: 'x' } })
  })

  test('of a form or of JSON is taken as well', async () => {
    expect(await post('application/x-www-form-urlencoded', queryOf({ ...SEND, text: 'Grüße' }))).toEqual(ACCEPTED)
    const members = { ...SEND, to: [PHONE, 491701234568], text: 'Пр', coding: 2 }
    expect(await post('application/json', JSON.stringify(members))).toEqual(ACCEPTED)
    expect(texts()).toEqual(['Grüße', 'Пр', 'Пр'])
  })

  test.each([
    ['multipart/form-data', '--x'],
    ['application/json', '{'],
    ['application/json', '{"to":{"a":1}}'],
    ['text/xml', '<message>'],
    ['text/xml', '<!DOCTYPE a [<!ENTITY b "c">]><message><submit/></message>'],
    ['application/x-www-form-urlencoded', 'a=1&'.repeat(70)],
  ])('of the type %s with the body %s is refused', async (type, body) => {
    expect(await post(type, body, HEADERS)).toEqual({ status: 400, text: 'Invalid content-type' })
  })

  test('that is too large is refused', async () => {
    expect(await post('text/plain', 'x'.repeat(70_000), HEADERS)).toMatchObject({ status: 400 })
    expect(sent()).toEqual([])
  })
})

describe('the status page', () => {
  const status = (ending: string, login: Fields = LOGIN) => ask(`/cgi-bin/status${ending}?${queryOf(login)}`)

  test('has the figures of the account in Kannel’s form', async () => {
    bench.clock.advance(3_725_000)
    const { status: code, text, headers } = await status('.txt')
    expect(code).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain')
    expect(text).toContain('Status: running, uptime 0d 1h 2m 5s\n')
    expect(text).toMatch(/^SMS: received 0 \(0 queued\), sent 0 \(0 queued\), store size 0$/m)
    expect((await status('')).text).toBe(text)
  })

  test('is XML as well', async () => {
    const { text } = await status('.xml')
    expect(text).toContain('<status>running, uptime 0d 0h 0m 0s</status>')
    expect(text).toContain('<sent><total>0</total><queued>0</queued></sent>')
  })

  test('is for logins alone', async () => {
    expect(await status('.txt', {})).toMatchObject({ status: 403, text: 'Denied' })
    expect(await status('.xml', { ...LOGIN, password: 'x' })).toMatchObject({ status: 403, text: 'Denied' })
  })
})

describe('programs that exist', () => {
  test('Novu sends a query, with a login or without', async () => {
    expect(await get({ ...LOGIN, from: 'SMSTest', to: PHONE, text: 'Your code is 1234' })).toEqual(ACCEPTED)
    expect(await get({ from: 'SMSTest', to: PHONE, text: 'Your code is 1234' })).toMatchObject({ status: 403 })
    expect(texts()).toEqual(['Your code is 1234'])
  })

  test('RapidPro names the coding, a mask and a callback', async () => {
    const callback = 'https://rapidpro.example/c/kn/8eb23e93/status?uuid=8eb23e93&status=%d'
    const common = { ...LOGIN, from: 'SMSTest', to: `+${PHONE}`, 'dlr-url': callback, 'dlr-mask': '27' }
    expect(await get({ ...common, text: 'Simple Message' })).toEqual(ACCEPTED)
    expect(await get({ ...common, text: '☺', coding: '2', charset: 'utf8', priority: '1' })).toEqual(ACCEPTED)
    expect(texts()).toEqual(['Simple Message', '☺'])
    expect(targetOf(1)).toMatchObject({ to: callback, facts: { mask: '27', plus: '1', coding: '2' } })
  })
})

test('passwords, texts and phones of queries are in no line of the log', async () => {
  await get({ ...SEND, text: 'secret words' })
  await get({ ...SEND, password: 'wrong secret' })
  await post('text/plain', 'x'.repeat(70_000), { 'X-Kannel-Password': LOGIN_PASSWORD })
  const lines = JSON.stringify(bench.log.lines)
  for (const word of [LOGIN_PASSWORD, 'wrong secret', 'secret words', PHONE]) expect(lines).not.toContain(word)
})
