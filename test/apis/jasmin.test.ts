/** Jasmin's HTTP and REST APIs on a real socket: what its programs send, and the answers that they compare. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Login } from '../../src/domain/accounts/login.ts'

import { classOf } from '../../src/domain/message/message.ts'
import { readTarget } from '../../src/domain/reports/report-target.ts'
import { buildLogin, LOGIN_PASSWORD, toMessageId } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ apis: ['jasmin'], hookAllow: ['127.0.0.0/8'] })
  await addLogin({ name: 'foo' })
})
afterEach(() => bench.stop())

function addLogin(change: Partial<Login> & Pick<Login, 'name'>): Promise<void> {
  return bench.change({ kind: 'set client login', login: buildLogin({ accountId: bench.accountId, ...change }) })
}

const LOGIN = { username: 'foo', password: LOGIN_PASSWORD }
const MESSAGE = { ...LOGIN, to: '491701234500', from: 'SMSTest', content: 'Hello' }

type Values = Readonly<Record<string, string>>

async function get(path: string, values: Values | string = {}, headers: Values = {}) {
  const query = typeof values === 'string' ? values : new URLSearchParams(values).toString()
  const response = await fetch(`${bench.address}${path}${query === '' ? '' : `?${query}`}`, { headers })
  return answerOf(response)
}

async function post(path: string, body: unknown, headers: Values = {}) {
  const sent = body instanceof URLSearchParams || typeof body === 'string' ? body : JSON.stringify(body)
  return answerOf(await fetch(bench.address + path, { method: 'POST', headers, body: sent }))
}

async function answerOf(response: Response) {
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const send = (values: Values | string = MESSAGE) => get('/send', values)
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(MESSAGE).filter(([name]) => !names.includes(name)))
const taken = () => bench.outbox.taken
const texts = () => taken().map(({ plan }) => plan[0]?.content.kind === 'text' && plan[0].content.text)

const stored = async (id: unknown) => {
  const [message] = await bench.store.loadMessages([toMessageId(Number(id))])
  return message
}

const SUCCESS = /^Success "(\d+)"$/

describe('/send', () => {
  test('sends, and answers the id of the message', async () => {
    const { status, type, text } = await send()
    expect([status, type]).toEqual([200, 'text/plain'])
    expect(SUCCESS.exec(text)?.[1]).toBe(String(taken()[0]?.id))
    expect(taken()).toMatchObject([
      { phone: '491701234500', hook: null, plan: [{ channel: 'sms', sender: 'SMSTest', content: { text: 'Hello' } }] },
    ])
  })

  test('takes a form, JSON, and a number with a plus', async () => {
    const form = new URLSearchParams({ ...MESSAGE, to: '+491701234500' })
    expect((await post('/send', form)).text).toMatch(SUCCESS)
    const json = { ...MESSAGE, to: 491701234500, coding: 0 }
    expect((await post('/send', json, { 'Content-Type': 'application/json' })).text).toMatch(SUCCESS)
    expect(texts()).toEqual(['Hello', 'Hello'])
  })

  test('takes the first of two values', async () => {
    const query = new URLSearchParams(MESSAGE).toString()
    expect((await send(`${query}&content=Second&to=12`)).text).toMatch(SUCCESS)
    expect(texts()).toEqual(['Hello'])
  })

  test('sends the request of RapidPro for a GSM text', async () => {
    const answer = await send(
      'coding=0&content=Simple+Message+%E2%82%AC&dlr=yes&dlr-level=2&dlr-method=POST' +
        '&dlr-url=https%3A%2F%2Frapidpro.example%2Fc%2Fjs%2F8eb23e93-5ecb-45ba-b726-3b064e0c56ab%2Fstatus' +
        '&from=SMSTest&password=correct+horse&to=491701234500&username=foo',
    )
    expect(answer.text).toMatch(SUCCESS)
    expect(texts()).toEqual(['Simple Message €'])
    expect(taken()[0]?.reportSteps).toBe(false)
    expect(readTarget(taken()[0]?.hook ?? '')).toMatchObject({
      form: 'jasmin',
      to: 'https://rapidpro.example/c/js/8eb23e93-5ecb-45ba-b726-3b064e0c56ab/status',
      facts: { level: '2', method: 'POST' },
    })
  })

  test('sends the request of RapidPro for another text', async () => {
    const hex = Buffer.from('Hi ☺').toString('hex')
    expect((await send({ ...without('content'), coding: '8', 'hex-content': hex })).text).toMatch(SUCCESS)
    expect((await send({ ...without('content'), coding: '8', 'hex-content': 'e298ba' })).text).toMatch(SUCCESS)
    expect(texts()).toEqual(['Hi ☺', '☺'])
  })

  test('reads the bytes of hex-content and content as the coding says', async () => {
    const utf16 = Buffer.from('Привет', 'utf16le').swap16().toString('hex')
    await send({ ...without('content'), coding: '8', 'hex-content': utf16 })
    await send(`${new URLSearchParams(without('content')).toString()}&coding=3&content=caf%E9`)
    await send(`${new URLSearchParams(without('content')).toString()}&coding=0&content=caf%C3%A9`)
    expect(texts()).toEqual(['Привет', 'café', 'café'])
  })

  test('calls back for each level that is asked for', async () => {
    const url = 'https://shop.example/dlr?shop=7'
    const levels = [{}, { 'dlr-level': '1' }, { 'dlr-level': '2', 'dlr-method': 'get' }, { 'dlr-level': '3' }]
    for (const level of levels) await send({ ...MESSAGE, 'dlr-url': url, ...level })
    expect(taken().map(({ reportSteps }) => reportSteps)).toEqual([true, true, false, true])
    expect(taken().map(({ hook }) => readTarget(hook ?? ''))).toMatchObject([
      { to: url, facts: { level: '1', method: 'POST' } },
      { to: url, facts: { level: '1', method: 'POST' } },
      { to: url, facts: { level: '2', method: 'GET' } },
      { to: url, facts: { level: '3', method: 'POST' } },
    ])
  })

  test('takes the priority as a traffic class, as far as the login has it', async () => {
    const login = { name: 'foo', accountId: bench.accountId, priority: 'otp' } as const
    for (const priority of [{}, { priority: '1' }, { priority: '3' }]) await send({ ...MESSAGE, ...priority })
    await bench.change({ kind: 'set client login', login: buildLogin(login) })
    for (const priority of [{}, { priority: '1' }, { priority: '3' }]) await send({ ...MESSAGE, ...priority })
    const usual = ['transactional', 'transactional', 'transactional']
    expect(taken().map(classOf)).toEqual([...usual, 'otp', 'transactional', 'otp'])
  })

  test('sends at a time, and for no longer than is asked', async () => {
    const { text } = await send({ ...MESSAGE, sdt: '000000010000000R', 'validity-period': '60' })
    const message = await stored(SUCCESS.exec(text)?.[1])
    expect(message?.journey.sendAt).toBe(bench.clock.now() + 3_600_000)
    expect(message?.plan[0]?.lifetimeSeconds).toBe(3_600)
    const tomorrow = new Date(bench.clock.now() + 86_400_000).toISOString().slice(2, 10).replaceAll('-', '')
    const [, id] = SUCCESS.exec((await send({ ...MESSAGE, sdt: `${tomorrow}120000008+` })).text) ?? []
    expect(new Date((await stored(id))?.journey.sendAt ?? 0).toISOString()).toMatch(/T10:00:00/)
  })

  test('sends over the channels of the login, with its sender', async () => {
    await addLogin({ name: 'foo', type: 'rcs+sms', sender: 'Posthorn' })
    expect((await send(without('from'))).text).toMatch(SUCCESS)
    expect(taken()).toMatchObject([{ plan: [{ channel: 'rcs', sender: 'Posthorn' }, { channel: 'sms' }] }])
  })

  test('sends a long text whole, and refuses one that is longer than what can be sent', async () => {
    expect((await send({ ...MESSAGE, content: 'x'.repeat(1_530) })).text).toMatch(SUCCESS)
    expect(taken()[0]?.plan[0]?.parts).toBe(10)
    expect(await send({ ...MESSAGE, content: 'x'.repeat(1_531) })).toMatchObject({
      status: 400,
      text: 'Error "content: at most 10 SMS parts"',
    })
  })

  test.each([
    [{}, 400, 'Mandatory argument [to] is not found.'],
    [{ ...LOGIN, flash: '1' }, 400, 'Mandatory argument [to] is not found.'],
    [{ flash: '1', ...LOGIN }, 400, 'Argument [flash] is unknown.'],
    [without('username'), 400, 'Mandatory argument [username] is not found.'],
    [without('password'), 400, 'Mandatory argument [password] is not found.'],
    [without('content'), 400, 'content or hex-content not present.'],
    [{ ...MESSAGE, 'hex-content': '00' }, 400, 'content and hex-content cannot be used both in same request.'],
    [{ ...MESSAGE, to: '49170 1234500' }, 400, 'Argument [to] has an invalid value: [49170 1234500].'],
    [{ ...MESSAGE, to: '12' }, 400, 'Argument [to] has an invalid value: [12].'],
    [{ ...MESSAGE, coding: '11' }, 400, 'Argument [coding] has an invalid value: [11].'],
    [{ ...MESSAGE, coding: '4' }, 400, 'Argument [coding] has an invalid value: [4].'],
    [{ ...MESSAGE, priority: '4' }, 400, 'Argument [priority] has an invalid value: [4].'],
    [{ ...MESSAGE, sdt: 'tomorrow' }, 400, 'Argument [sdt] has an invalid value: [tomorrow].'],
    [{ ...MESSAGE, sdt: '261301090000000+' }, 400, 'Argument [sdt] has an invalid value: [261301090000000+].'],
    [{ ...MESSAGE, 'validity-period': '0' }, 400, 'Argument [validity-period] has an invalid value: [0].'],
    [{ ...MESSAGE, dlr: 'maybe' }, 400, 'Argument [dlr] has an invalid value: [maybe].'],
    [{ ...MESSAGE, 'dlr-url': 'ftp://x' }, 400, 'Argument [dlr-url] has an invalid value: [ftp://x].'],
    [
      { ...MESSAGE, 'dlr-url': 'http://10.0.0.1/' },
      400,
      'Argument [dlr-url] has an invalid value: [http://10.0.0.1/].',
    ],
    [{ ...MESSAGE, 'dlr-level': '4' }, 400, 'Argument [dlr-level] has an invalid value: [4].'],
    [{ ...MESSAGE, 'dlr-method': 'put' }, 400, 'Argument [dlr-method] has an invalid value: [put].'],
    [{ ...MESSAGE, tags: 'a b' }, 400, 'Argument [tags] has an invalid value: [a b].'],
    [{ ...MESSAGE, custom_tlvs: '[[5120]]' }, 400, 'Argument [custom_tlvs] has an invalid value: [[[5120]]].'],
    [{ ...MESSAGE, flash: '1' }, 400, 'Argument [flash] is unknown.'],
    [{ ...without('content'), 'hex-content': '0g' }, 400, "Invalid hex-content data: '0g'"],
    [{ ...MESSAGE, password: 'wrong' }, 403, 'Authentication failure for username:foo'],
    [{ ...MESSAGE, username: 'unknown' }, 403, 'Authentication failure for username:unknown'],
    [{ ...MESSAGE, from: 'Unknown' }, 400, 'Value filter failed for user [foo] (source_address filter mismatch).'],
    [{ ...MESSAGE, to: '33612345678' }, 412, 'No route found'],
    [without('from'), 400, 'from: required'],
  ])('refuses %j', async (values, status, text) => {
    expect(await send(values as Values)).toEqual({ status, type: 'text/plain', text: `Error "${text}"` })
    expect(taken()).toEqual([])
  })

  test('never repeats a password', async () => {
    const answer = await send({ ...MESSAGE, password: 'p'.repeat(200) })
    expect(answer).toMatchObject({ status: 400, text: 'Error "Argument [password] has an invalid value: []."' })
    expect(JSON.stringify(bench.log)).not.toContain('ppp')
  })

  test('says that the money is used up, and that it goes too fast', async () => {
    await addLogin({ name: 'slow', perSecond: 1 })
    const slow = { ...MESSAGE, username: 'slow' }
    const answers = [await send(slow), await send(slow)]
    expect(answers.map(({ status }) => status)).toEqual([200, 403])
    expect(answers[1]?.text).toBe('Error "User throughput exceeded"')
    await bench.stop()
    bench = await startClientBench({ apis: ['jasmin'], balanceMicros: 0 })
    await addLogin({ name: 'foo' })
    expect(await send()).toMatchObject({
      status: 403,
      text: 'Error "Cannot charge submit_sm, check RouterPB log file for details"',
    })
  })
})

describe('/balance, /rate and /ping', () => {
  test('read the account', async () => {
    expect(await get('/balance', LOGIN)).toEqual({
      status: 200,
      type: 'application/json',
      text: '{"balance":1000,"sms_count":"ND"}',
    })
    const rate = { ...MESSAGE, content: 'x'.repeat(161) }
    expect((await get('/rate', rate)).text).toBe('{"unit_rate":0.05,"submit_sm_count":2}')
    const { content: _, ...bare } = MESSAGE
    expect((await get('/rate', bare)).text).toBe('{"unit_rate":0.05,"submit_sm_count":1}')
    expect((await get('/ping')).text).toBe('Jasmin/PONG')
  })

  test('answer an error as a JSON string', async () => {
    expect(await get('/balance', { ...LOGIN, password: 'wrong' })).toMatchObject({
      status: 403,
      text: '"Authentication failure for username:foo"',
    })
    expect(await get('/balance')).toMatchObject({
      status: 400,
      text: '"Mandatory arguments not found, please refer to the HTTPAPI specifications."',
    })
    expect(await get('/rate', { ...MESSAGE, to: '33612345678' })).toMatchObject({
      status: 412,
      text: '"No route found"',
    })
    expect(await get('/rate')).toMatchObject({ status: 400, text: '"Mandatory argument [to] is not found."' })
  })
})

describe('the REST API', () => {
  const basic = (name = 'foo', password = LOGIN_PASSWORD) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const MT = { to: 491701234500, from: 'SMSTest', content: 'Hello' }
  const json = ({ status, text }: { status: number; text: string }) => ({ status, body: JSON.parse(text) as unknown })

  test('sends, and cuts the last quote as Jasmin does', async () => {
    const { status, body } = json(
      await post('/secure/send', { ...MT, dlr_level: 3, dlr_url: 'https://shop.example/' }, basic()),
    )
    expect([status, body]).toEqual([200, { data: `Success "${String(taken()[0]?.id)}` }])
    expect(readTarget(taken()[0]?.hook ?? '')).toMatchObject({ facts: { level: '3' } })
  })

  test('reads balance and rate', async () => {
    expect(json(await get('/secure/balance', {}, basic()))).toEqual({
      status: 200,
      body: { data: { balance: 1000, sms_count: 'ND' } },
    })
    expect(json(await get('/secure/rate', 'to=491701234500&from=SMSTest', basic()))).toEqual({
      status: 200,
      body: { data: { unit_rate: 0.05, submit_sm_count: 1 } },
    })
    expect((await get('/ping', {}, { Accept: 'application/json' })).text).toBe('{"data":"Jasmin/PONG"}')
  })

  test('answers errors as a message', async () => {
    expect(json(await post('/secure/send', MT, basic('foo', 'wrong')))).toEqual({
      status: 403,
      body: { message: 'Error "Authentication failure for username:foo' },
    })
    expect(json(await post('/secure/send', { ...MT, flash: 1 }, basic()))).toMatchObject({
      status: 400,
      body: { message: 'Error "Argument [flash] is unknown.' },
    })
    expect(json(await get('/secure/balance', {}, basic('foo', 'wrong')))).toEqual({
      status: 403,
      body: { message: 'Authentication failure for username:foo' },
    })
    expect(json(await post('/secure/send', '{', basic()))).toMatchObject({
      status: 412,
      body: { title: 'Cannot parse JSON data' },
    })
    for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization: 'Basic eA==' }]) {
      expect(await get('/secure/balance', {}, headers as Values)).toMatchObject({ status: 401 })
    }
  })

  test('sends a batch to several numbers in one run', async () => {
    const batch = {
      globals: { from: 'SMSTest', dlr_level: 2, dlr_url: 'https://shop.example/dlr' },
      messages: [
        { to: ['491701234501', 491701234502], content: 'Same' },
        { to: '491701234503', content: 'Other' },
        { to: '12', content: 'Nowhere' },
        { to: '491701234504' },
        { content: 'To unknown' },
      ],
    }
    const { status, body } = json(await post('/secure/sendbatch', batch, basic()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: { messageCount: 4, batchId: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
    expect(body).not.toHaveProperty('data.scheduled')
    expect(taken().map(({ phone }) => phone)).toEqual(['491701234501', '491701234502', '491701234503'])
    expect(body).toMatchObject({
      data: {
        messages: [
          { to: '491701234501', status: 1, statusText: `Success "${String(taken()[0]?.id)}"` },
          { status: 1 },
          { status: 1 },
          { to: '12', status: 0, statusText: 'Error "Argument [to] has an invalid value: [12]."' },
        ],
      },
    })
  })

  test('sends a batch later', async () => {
    const messages = [{ ...MT }]
    const seconds = await post('/secure/sendbatch', { messages, batch_config: { schedule_at: '86400s' } }, basic())
    expect(json(seconds)).toMatchObject({ status: 200, body: { data: { scheduled: '86400s' } } })
    const day = new Date(bench.clock.now() + 7_200_000).toISOString().slice(0, 19).replace('T', ' ')
    const dated = await post('/secure/sendbatch', { messages, batch_config: { schedule_at: day } }, basic())
    expect(dated.status).toBe(200)
    const ids = [seconds, dated].map(({ text }) => /Success \\"(\d+)/.exec(text)?.[1])
    const waits = await Promise.all(
      ids.map(async (id) => ((await stored(id))?.journey.sendAt ?? 0) - bench.clock.now()),
    )
    expect(waits.map((wait) => Math.round(wait / 60_000))).toEqual([1_440, 120])
  })

  test('refuses a batch that cannot be read, is late, or is of another', async () => {
    const ask = async (body: unknown, headers = basic()) => json(await post('/secure/sendbatch', body, headers))
    const at = (schedule_at: unknown) => ask({ messages: [MT], batch_config: { schedule_at } })
    expect(await ask('nothing')).toMatchObject({ status: 412, body: { title: 'Cannot parse JSON data' } })
    expect(await ask({ messages: [MT] }, basic('foo', 'wrong'))).toMatchObject({
      status: 412,
      body: { title: 'Authentication failed', description: 'Authentication failed for user: foo' },
    })
    expect(await at('2020-01-01 00:00:00')).toMatchObject({
      status: 412,
      body: { title: 'Cannot schedule batch in past date' },
    })
    for (const late of ['9999-12-31 23:59:59', `${36 * 86_400}s`, '999999999s']) {
      expect(await at(late)).toMatchObject({
        status: 412,
        body: { title: 'Cannot schedule batch', description: 'schedule_at: at most 35 days ahead' },
      })
    }
    expect(await at('soon')).toMatchObject({ status: 412, body: { title: 'Cannot parse scheduled_at value' } })
    const to = Array.from({ length: 1_001 }, (_, index) => 491701000000 + index)
    expect(await ask({ messages: [{ ...MT, to }] })).toMatchObject({
      status: 412,
      body: { title: 'Too many messages' },
    })
    expect(taken()).toEqual([])
  })
})
