/** Reports in the forms of Kannel and Jasmin, received by a real server. */
import { expect, test } from 'vitest'
import { writeTarget } from '../../src/domain/reports/report-target.ts'
import { fillEscapes } from '../../src/http/hooks/fill-escapes.ts'
import { createHookPost } from '../../src/http/hooks/post-hook.ts'
import { callTo } from '../support/hook-call.ts'
import { HookSink, type SinkAnswer } from '../support/hook-sink.ts'
import { statusBody } from '../support/status-body.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

async function receiver(answer: SinkAnswer = { status: 200 }) {
  const clock = new VirtualClock()
  const sink = await HookSink.open(clock)
  sink.answer = () => answer
  const hookPost = createHookPost({ clock, allow: ['127.0.0.0/8'], resolve: async () => [] })
  return {
    sink,
    post: (address: string, body: string) => hookPost.post(callTo(address, { body, secrets: ['whsec_AAAA'] })),
    async [Symbol.asyncDispose]() {
      await hookPost.stop()
      await sink.close()
    },
  }
}

const INBOUND = JSON.stringify({
  type: 'message.inbound',
  timestamp: '2026-03-01T08:00:05.000Z',
  inbound_id: 99,
  phone: 491701234567,
  from: '491701234567',
  to: '72727',
  channel: 'sms',
  text: 'Win  Größe & mehr\nhier',
  keyword: 'win',
  content: null,
  in_reply_to: null,
})

test('a dlr-url is called without a signature, with every escape replaced', async () => {
  await using it = await receiver()
  const query =
    'd=%d&p=%p&P=%P&q=%q&t=%t&T=%T&i=%i&I=%I&F=%F&n=%n&o=%o&c=%c&C=%C&m=%m&k=%k&s=%s&x=%x&pc=%%&meta=%#smpp#dlr_err#&A=%A'
  const facts = { mask: '3', from: 'Shop & Co', user: 'shop', account: 'a/b', plus: '1', at: '1772352000000' }
  const address = writeTarget({ form: 'kannel', to: `${it.sink.address}?${query}`, facts })
  expect(await it.post(address, statusBody())).toEqual({ kind: 'answered', status: 200, retryAfterMs: null, text: '' })
  const [call] = it.sink.calls
  expect(call?.path.split('&')).toEqual([
    '/hook?d=1',
    'p=%2B491701234567',
    'P=Shop+%26+Co',
    'q=%2B491701234567',
    't=2026-03-01+08:00:05',
    'T=1772352005',
    'i=sms',
    'I=4711',
    'F=4711',
    'n=shop',
    'o=a%2Fb',
    'c=0',
    'C=UTF-8',
    'm=-1',
    'k=id%3A4711',
    's=sub%3A001',
    'x=%x',
    'pc=%',
    'meta=',
    'A=id%3A4711+sub%3A001+dlvrd%3A001+submit+date%3A2603010800+done+date%3A2603010800+stat%3ADELIVRD+err%3A000+text%3A',
  ])
  expect(call?.body).toBe('')
  expect(call?.headers['user-agent']).toMatch(/^posthorn\//)
  expect(Object.keys(call?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([])
})

test.each([
  ['ACCEPTED', '31', '8', 'ACK%2F'],
  ['REJECTED', '31', '16', 'NACK%2Funknown+number'],
  ['REJECTED', '3', '2', 'NACK%2Funknown+number'],
])('%s with the mask %s is %s', async (status, mask, value, reply) => {
  await using it = await receiver()
  const address = writeTarget({ form: 'kannel', to: `${it.sink.address}/%d?a=%A`, facts: { mask } })
  await it.post(address, statusBody({ status, error: status === 'REJECTED' ? 'unknown number' : null }))
  expect(it.sink.calls[0]?.path).toBe(`/hook/${value}?a=${reply}`)
})

test('an inbound message is got, and the answer is the reply', async () => {
  await using it = await receiver({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Buffer.from('Grüße  von\nhier\n', 'latin1'),
  })
  const address = `kannel:${it.sink.address}?from=%p&to=%P&k=%k&s=%s&r=%r&text=%b&hex=%e&n=%n&d=%d&id=%I&ts=%T`
  expect(await it.post(address, INBOUND)).toMatchObject({ status: 200, text: 'Grüße  von\nhier' })
  expect(it.sink.calls[0]?.path.split('&')).toEqual([
    '/hook?from=%2B491701234567',
    'to=72727',
    'k=Win',
    's=Gr%C3%B6%C3%9Fe',
    'r=%26+mehr+hier',
    'text=Win++Gr%C3%B6%C3%9Fe+%26+mehr%0Ahier',
    'hex=57696E20204772C3B6C39F652026206D6568720A68696572',
    'n=win',
    'd=-1',
    'id=99',
    'ts=1772352005',
  ])
})

test('an inbound message is posted to a post-url, with its facts in headers', async () => {
  await using it = await receiver()
  const body = INBOUND.replace('"72727"', '"72727\\r\\nx: y"')
  await it.post(writeTarget({ form: 'kannel', to: it.sink.address, facts: { method: 'post' } }), body)
  const [call] = it.sink.calls
  expect(call?.body).toBe('Win  Größe & mehr\nhier')
  expect(call?.headers).toMatchObject({
    'content-type': 'text/plain; charset="UTF-8"',
    'x-kannel-from': '+491701234567',
    'x-kannel-to': '72727??x: y',
    'x-kannel-service': 'win',
    'x-kannel-time': '2026-03-01 08:00:05',
  })
  expect(call?.headers['x']).toBeUndefined()
})

test.each([
  ['Win  Größe & mehr\nhier', 'Größe & mehr\nhier'],
  ['  win\nx', 'x'],
  ['win', ''],
  ['', ''],
])('a post-url that strips the keyword gets the text after it: %j', async (text, rest) => {
  await using it = await receiver()
  const body = JSON.stringify({ ...JSON.parse(INBOUND), text })
  await it.post(writeTarget({ form: 'kannel', to: it.sink.address, facts: { method: 'POST', strip: 'yes' } }), body)
  expect(it.sink.calls.map((call) => call.body)).toEqual([rest])
})

test('a hook names the carrier of its calls, and may want no reply', async () => {
  await using it = await receiver({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('ok') })
  const named = { form: 'kannel', to: `${it.sink.address}?i=%i`, facts: { smsc: 'Net One' } } as const
  expect(await it.post(writeTarget(named), INBOUND)).toMatchObject({ text: 'ok' })
  const silent = { ...named, facts: { ...named.facts, reply: 'no', method: 'post' } }
  expect(await it.post(writeTarget(silent), INBOUND)).toMatchObject({ status: 200, text: '' })
  expect(it.sink.calls).toMatchObject([
    { path: '/hook?i=Net+One' },
    { path: '/hook?i=Net+One', headers: { 'x-kannel-smsc': 'Net One' } },
  ])
})

test.each([
  ['text/html', '<p>Danke &amp; <b>bis</b> bald</p>', 'Danke & bis bald'],
  ['application/json', '{"reply":"no"}', ''],
  ['text/plain', '', ''],
])('an answer of the type %s is a reply only as text', async (type, body, text) => {
  await using it = await receiver({ status: 200, headers: { 'content-type': type }, body: Buffer.from(body) })
  expect(await it.post(`kannel:${it.sink.address}`, INBOUND)).toMatchObject({ text })
})

test('an answer is read up to 4 KiB, and one in chunks or until the connection closes as well', async () => {
  await using it = await receiver({ status: 200, body: Buffer.alloc(10_000, 'x') })
  expect(await it.post(`kannel:${it.sink.address}`, INBOUND)).toMatchObject({ text: 'x'.repeat(4_096) })
  it.sink.answer = () => ({ status: 200, headers: { 'transfer-encoding': 'chunked' }, body: Buffer.from('in chunks') })
  expect(await it.post(`kannel:${it.sink.address}`, INBOUND)).toMatchObject({ text: 'in chunks' })
  it.sink.answer = () => ({ status: 200, body: Buffer.from('and closed'), untilClose: true })
  expect(await it.post(`kannel:${it.sink.address}`, INBOUND)).toMatchObject({ text: 'and closed' })
})

test('the word of a phone changes no parameter, and adds none', () => {
  const facts = { values: {}, text: 'win a&admin=1*#x ../../y' }
  expect(fillEscapes('https://a.example/%S?x=%S', facts)).toBe('https://a.example/a%26admin%3D1~%23x?x=..%2F..%2Fy')
})

test('a user and a password in the address are sent as Basic authorization', async () => {
  await using it = await receiver()
  await it.post(`kannel:${it.sink.address.replace('//', '//me:p%40ss@')}?d=%d`, statusBody())
  expect(it.sink.calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
})

test.each([
  ['kannel:http://10.1.2.3/?d=%d', /not a public address/],
  ['kannel:ftp://shop.example/', /not an http or https address/],
  ['kannel:http://127.0.0.1:25/', /port of a service/],
  ['smpp:wholesale', /no such form/],
])('%s is not called', async (address, reason) => {
  await using it = await receiver()
  expect(await it.post(address, statusBody())).toEqual({ kind: 'forbidden', reason: expect.stringMatching(reason) })
})

test('a redirect is an answer, and is not followed', async () => {
  await using it = await receiver({ status: 302, headers: { location: '/elsewhere' } })
  expect(await it.post(`kannel:${it.sink.address}?d=%d`, statusBody())).toMatchObject({ status: 302 })
  expect(it.sink.calls).toHaveLength(1)
})

test('a callback of Jasmin is a form with numbers where its receivers read numbers', async () => {
  await using it = await receiver({ status: 200, body: Buffer.from('ACK/Jasmin\n') })
  const facts = { level: '2', at: '1772352000000', text: 'Your parcel is on its way' }
  const address = writeTarget({ form: 'jasmin', to: `${it.sink.address}?uuid=1`, facts })
  expect(await it.post(address, statusBody())).toMatchObject({ text: 'ACK/Jasmin' })
  const [call] = it.sink.calls
  expect(call?.path).toBe('/hook?uuid=1')
  expect(call?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
    id: '4711',
    level: '2',
    message_status: 'DELIVRD',
    connector: 'sms',
    id_smsc: '4711',
    sub: '001',
    dlvrd: '001',
    subdate: '2603010800',
    donedate: '2603010800',
    err: '000',
    text: 'Your parcel is on it',
  })
})

test.each([
  ['ACCEPTED', 'ESME_ROK'],
  ['REJECTED', 'ESME_RSUBMITFAIL'],
])('a callback of Jasmin for %s at level 1 is a query', async (status, answer) => {
  await using it = await receiver()
  const facts = { level: '1', method: 'GET' }
  await it.post(writeTarget({ form: 'jasmin', to: `${it.sink.address}?a=1`, facts }), statusBody({ status }))
  expect(it.sink.calls[0]?.path).toBe(`/hook?a=1&id=4711&level=1&message_status=${answer}&connector=sms`)
})

test('Jasmin gets inbound texts as the bytes that a carrier would send', async () => {
  await using it = await receiver()
  const send = (text: string) =>
    it.post(`jasmin:${it.sink.address}`, INBOUND.replace(/"text":"[^"]*"/, `"text":"${text}"`))
  await send('¡Événement 5€')
  await send('☺')
  const [gsm, ucs2] = it.sink.calls.map(({ body }) => new URLSearchParams(body))
  expect([gsm?.get('coding'), ucs2?.get('coding')]).toEqual(['0', '8'])
  expect([gsm?.get('binary'), ucs2?.get('binary')]).toEqual([expect.stringMatching(/1b65$/), '263a'])
  expect(it.sink.calls[1]?.body).toContain('content=%26%3a')
})
