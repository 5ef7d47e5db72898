import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { call, rcs, UNSERVED_PHONE } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench({
    limits: { bodyBytes: 5_000, jsonDepth: 8, syncOperations: 3, asyncOperations: 5, callsPerHourToPhone: 100 },
    settings: { operationsPerSecond: 20 },
  })
})
// The account may ask again as often as it may in a second.
beforeEach(() => bench.clock.advance(10_000))
afterAll(() => bench.stop())

const PATHS = [SYNC_PATH, ASYNC_PATH]
const refusal = (error: string) => ({ success: false, error, code: codeOf(error) })
const deep = '['.repeat(9)

test.each(PATHS)('%s: each check comes before the next, and always with HTTP 200', async (path) => {
  const text = { 'Content-Type': 'text/plain' }
  const large = ' '.repeat(5_001)
  const many = JSON.stringify({ auth: KEY, data: Array(6).fill(rcs()) })
  const steps: [string, Record<string, string>, string][] = [
    [large, text, 'Content-Type must be application/json'],
    [large, {}, 'The body is too large, at most 5000 bytes'],
    [deep, {}, 'The JSON is nested too deep, at most 8 levels'],
    ['{"auth":"wrong"', {}, 'The body is not valid JSON'],
    ['["auth"]', {}, 'The body must be a JSON object with auth and data'],
    ['{"auth":"wrong","data":{}}', {}, 'data: must be an array of operations'],
    ['{"data":[{"type":"nonsense"}]}', {}, 'Access denied'],
    [many.replace(KEY, 'wrong'), {}, 'Access denied'],
    [many, {}, `data: at most ${path === SYNC_PATH ? 3 : 5} operations in a request`],
  ]
  for (const [body, headers, error] of steps) {
    const answer = await bench.postRaw(body, { path, headers })
    expect(answer).toMatchObject({ status: 200, type: 'application/json' })
    expect(JSON.parse(answer.text)).toEqual(refusal(error))
  }
  expect(bench.outbox.taken).toEqual([])
})

test.each(['', 'wrong', `${KEY} `, KEY.toUpperCase(), null, 5, {}, [KEY], undefined])(
  'auth %j: Access denied',
  async (auth) => {
    const { text } = await bench.postRaw(JSON.stringify({ auth, data: [{ type: 'balance' }] }))
    expect(JSON.parse(text)).toEqual(refusal('Access denied'))
  },
)

test('the key of an account that is suspended: Access denied', async () => {
  await bench.change({ kind: 'set account', accountId: bench.accountId, state: 'suspended' })
  expect(await bench.post([{ type: 'balance' }])).toEqual(refusal('Access denied'))
  await bench.change({ kind: 'set account', accountId: bench.accountId, state: 'active' })
  expect(await bench.post([{ type: 'balance' }])).toMatchObject({ success: true })
})

test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;x'])(
  'the content type %s is JSON',
  async (type) => {
    const { text } = await bench.postRaw('{"auth":"","data":[]}', { headers: { 'Content-Type': type } })
    expect(JSON.parse(text)).toEqual(refusal('Access denied'))
  },
)

test.each([
  'application/jsonp',
  'application/json-patch+json',
  'text/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application',
])('the content type %s is not, even when the body is', async (type) => {
  const body = JSON.stringify({ auth: KEY, data: [rcs()] })
  const { text } = await bench.postRaw(body, { headers: { 'Content-Type': type } })
  expect(JSON.parse(text)).toEqual(refusal('Content-Type must be application/json'))
})

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is answered in the envelope', async (method) => {
  for (const path of PATHS) {
    const answer = await bench.postRaw('', { method, path })
    expect(answer).toMatchObject({ status: 200, type: 'application/json' })
    expect(JSON.parse(answer.text)).toEqual(refusal('Only POST is answered here'))
  }
})

test('other paths have ordinary statuses', async () => {
  expect(await bench.postRaw('{}', { path: '/api/json' })).toMatchObject({ status: 404 })
  expect(await bench.postRaw('{}', { path: '/' })).toMatchObject({ status: 404 })
  expect(await bench.postRaw('{}', { path: `${SYNC_PATH}?a=b` })).toMatchObject({ status: 200 })
})

test('Operator not supported refuses the whole request, whatever else is in it', async () => {
  const before = await bench.store.counts()
  const items = [rcs(), { type: 'nonsense' }, call({ phone: UNSERVED_PHONE })]
  expect(await bench.post(items)).toEqual(refusal('Operator not supported'))
  expect(await bench.post(items, { path: ASYNC_PATH })).toEqual(refusal('Operator not supported'))
  expect(await bench.store.counts()).toEqual(before)
  expect(bench.outbox.taken).toEqual([])
})

test('a batch of one operation too many is refused whole, one of just as many is not', async () => {
  const balance = (count: number) => Array(count).fill({ type: 'balance' })
  expect(await bench.post(balance(4))).toEqual(refusal('data: at most 3 operations in a request'))
  expect((await bench.post(balance(3))).data).toHaveLength(3)
  expect((await bench.post(balance(5), { path: ASYNC_PATH })).data).toHaveLength(5)
  expect((await bench.post([])).data).toEqual([])
})

test('a client that asks faster than it may is refused until its second is over', async () => {
  const ask = () => bench.post(Array(3).fill({ type: 'balance' }))
  for (let round = 0; round < 7; round += 1) expect(await ask()).toMatchObject({ success: true })
  expect(await ask()).toEqual(refusal('Rate limit exceeded, at most 20 operations a second'))
  bench.clock.advance(49)
  expect(await ask()).toMatchObject({ success: false })
  bench.clock.advance(51)
  expect(await ask()).toMatchObject({ success: true })
})

test('an account may be held to smaller requests than others, after its key was found right', async () => {
  const settings = (await bench.store.loadDirectory()).accounts[0]?.settings
  if (settings === undefined) throw new Error('the demo account is not there')
  const { accountId } = bench
  const limited = { ...settings, requestOperations: 2, requestBytes: 300 }
  await bench.change({ kind: 'set account', accountId, settings: limited })
  const balance = (count: number) => Array(count).fill({ type: 'balance' })
  expect(await bench.post(balance(3))).toEqual(refusal('data: at most 2 operations in a request'))
  expect((await bench.post(balance(2))).data).toHaveLength(2)
  const padded = (auth: string, bytes: number) => {
    const text = JSON.stringify({ auth, data: [{ type: 'balance' }], pad: '' })
    return text.replace('""', JSON.stringify('x'.repeat(bytes - text.length)))
  }
  const error = async (body: string) => JSON.parse((await bench.postRaw(body)).text).error
  expect(await error(padded(KEY, 301))).toBe('The body is too large, at most 300 bytes')
  expect(await error(padded(KEY, 300))).toBeUndefined()
  expect(await error(padded('wrong', 301))).toBe('Access denied')
  await bench.change({ kind: 'set account', accountId, settings: { ...settings, requestOperations: 100 } })
  expect(await bench.post(balance(4))).toEqual(refusal('data: at most 3 operations in a request'))
  await bench.change({ kind: 'set account', accountId, settings })
})

describe('a body beyond 4 KiB', () => {
  let large: ClientBench
  let parsed: number
  const { parse } = JSON
  beforeAll(async () => {
    large = await startClientBench()
    JSON.parse = (...args: Parameters<typeof parse>) => {
      parsed += String(args[0]).length
      return parse(...args)
    }
  })
  beforeEach(() => {
    parsed = 0
  })
  afterAll(async () => {
    JSON.parse = parse
    await large.stop()
  })
  const pad = 'x'.repeat(5_000)
  const errorOf = async (body: string) => parse((await large.postRaw(body)).text).error
  const limit = (settings: Partial<AccountSettings>) =>
    large.change({
      kind: 'set account',
      accountId: large.accountId,
      settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings },
    })

  test.each([
    ['with a wrong key', `{"auth":"wrong","data":[],"pad":"${pad}"}`],
    ['without a key', `{"data":[{"auth":"${KEY}"}],"pad":"${pad}"}`],
    ['with a wrong key behind the right one', `{"auth":"${KEY}","pad":"${pad}","auth":"wrong","data":[]}`],
    ['with a wrong key that is no JSON', `{"auth":"wrong","pad":"${pad}"`],
    ['with a wrong key that is nested too deep', `{"auth":"wrong","data":${'['.repeat(70_000)}`],
    ['with a wrong key that is no envelope', `{"auth":"wrong","pad":"${pad}"}`],
  ])('%s is denied before it is parsed', async (_, body) => {
    expect(await errorOf(body)).toBe('Access denied')
    expect(parsed).toBeLessThan(1_000)
  })

  test.each([
    ['with too many operations', '{},'.repeat(50_000), 'data: at most 1000 operations in a request'],
    [
      'with too many elements',
      `[${'1,'.repeat(45_000)}1],`,
      'data: at most 41000 fields and list elements in a request of so many operations',
    ],
    [
      'with few operations of many fields',
      `{"x":[${'1,'.repeat(35_000)}1]},`,
      'data: at most 1080 fields and list elements in a request of so many operations',
    ],
    ['that is nested too deep', `${'['.repeat(70_000)}`, 'The JSON is nested too deep, at most 32 levels'],
  ])('%s is refused before it is parsed, whatever its key', async (_, items, error) => {
    expect(await errorOf(`{"auth":"${KEY}","data":[${items}{}]}`)).toBe(error)
    expect(parsed).toBeLessThan(1_000)
  })

  test('larger than its account may send is refused before it is parsed', async () => {
    await limit({ requestBytes: 4_500 })
    parsed = 0
    expect(await errorOf(`{"auth":"${KEY}","data":[],"pad":"${pad}"}`)).toBe(
      'The body is too large, at most 4500 bytes',
    )
    expect(parsed).toBeLessThan(1_000)
    await limit({ requestBytes: null })
  })

  test('of an account that has asked too fast is refused before it is parsed', async () => {
    await limit({ operationsPerSecond: 2 })
    const body = `{"auth":"${KEY}","data":[${'{"type":"balance"},'.repeat(5)}{"type":"balance"}],"pad":"${pad}"}`
    expect(await errorOf(body)).toBeUndefined()
    parsed = 0
    expect(await errorOf(body)).toBe('Rate limit exceeded, at most 2 operations a second')
    expect(parsed).toBeLessThan(1_000)
    await limit({ operationsPerSecond: null })
  })

  test('is parsed at a pace: an account waits for what it sends beyond it, and not without end', async () => {
    const size = 8 * 1024 * 1024
    const head = `{"auth":"${KEY}","data":[],"pad":"`
    const body = `${head}${'x'.repeat(size - head.length - 2)}"}`
    large.clock.advance(10_000)
    expect(await errorOf(body)).toBeUndefined()
    expect(await errorOf(body)).toBeUndefined()
    const asked = Array.from({ length: 6 }, () => errorOf(body))
    const tooFast = 'Rate limit exceeded, at most 8388608 bytes a second in requests over 64 KiB'
    expect(await Promise.race(asked)).toBe(tooFast)
    expect(await errorOf(`{"auth":"${KEY}","data":[]}`)).toBeUndefined()
    large.clock.advance(5_000)
    expect((await Promise.all(asked)).filter((error) => error !== undefined)).toEqual([tooFast])
    large.clock.advance(10_000)
  })

  test.each([
    ['that is no JSON', `{"auth":"${KEY}","pad":"${pad}"`, 'The body is not valid JSON'],
    ['that is no envelope', `{"auth":"${KEY}","pad":"${pad}"}`, 'data: must be an array of operations'],
    ['that is right', `{"pad":"${pad}","data":[],"\\u0061uth":"${KEY}"}`, undefined],
  ])('with the right key %s is read like any other', async (_, body, error) => {
    expect(await errorOf(body)).toBe(error)
  })
})
