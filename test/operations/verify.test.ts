/** `verify/start` and `verify/check`: what is planned, held and answered, and what is refused. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { buildPrice } from '../support/build-price.ts'
import { ASYNC_PATH, type ClientBench, startClientBench } from '../support/client-bench.ts'
import { call, itemError, PHONE, rcs, UNSERVED_PHONE } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const SENDERS = { sms_signature: 'SMSTest', rcs_signature: 'RCSTest', chatapp_signature: 'ChatTest' }
const start = (fields: object = {}) => ({ type: 'verify/start', phone: PHONE, ...SENDERS, ...fields })
const check = (verify_id: unknown, code: unknown, fields: object = {}) => ({
  type: 'verify/check',
  verify_id,
  code,
  ...fields,
})
const begin = async (fields: object = {}): Promise<number> => (await bench.ask(start(fields))).data.verify_id
const codesOf = (message: Message | undefined) => message?.plan.map(({ content }) => content.code ?? '') ?? []
const lastCodes = () => codesOf(bench.outbox.taken.at(-1))

test('one SMS with a code of six digits for ten minutes, unless the client asks for something else', async () => {
  const result = await bench.ask(start({ id: 'v-1' }))
  const [message] = bench.outbox.taken
  const expiresAt = bench.clock.now() + 600_000
  expect(result).toEqual({
    success: true,
    data: {
      id: 'v-1',
      verify_id: message?.id,
      channel: 'sms',
      digits: 6,
      expires_at: new Date(expiresAt).toISOString(),
      price: 0.05,
    },
  })
  expect(message?.plan).toMatchObject([{ channel: 'sms', sender: 'SMSTest', lifetimeSeconds: 600, parts: 1 }])
  const [code = ''] = lastCodes()
  expect(code).toMatch(/^\d{6}$/)
  expect(message?.plan[0]?.content).toEqual({ kind: 'text', text: `Your code is ${code}.`, code })
  expect(message?.journey).toMatchObject({ deadlineAt: expiresAt, verification: { state: 'pending', expiresAt } })
})

test('channels in the order asked, one code in all texts, and the dearest price held', async () => {
  const { data } = await bench.ask(
    start({ channels: ['chatapp', 'call', 'rcs', 'sms'], length: '8', lifetime: 300, language: 'de' }),
  )
  expect(data).toMatchObject({ channel: 'chatapp', price: 0.05 })
  const [message] = bench.outbox.taken
  expect(message?.plan.map(({ channel, lifetimeSeconds }) => [channel, lifetimeSeconds])).toEqual([
    ['chatapp', 60],
    ['call', 30],
    ['rcs', 60],
    ['sms', 300],
  ])
  const [first = '', called, ...rest] = lastCodes()
  expect(first).toMatch(/^\d{8}$/)
  expect(called).toMatch(/^\d{4}$/)
  expect(rest).toEqual([first, first])
  expect(message?.plan[3]?.content).toMatchObject({ text: `Ihr Code lautet ${first}.` })
  const [stored] = message === undefined ? [] : await bench.store.loadMessages([message.id])
  expect(codesOf(stored)).toEqual(lastCodes())
  expect((await bench.store.balancesOf(bench.accountId))?.held).toBe(50_000)
})

test('the code comes in a text of the client, as often as it is asked for', async () => {
  await begin({ text: '{code}: your code for Shop. Again: {code}', length: 4 })
  const [code] = lastCodes()
  expect(bench.outbox.taken[0]?.plan[0]?.content).toMatchObject({ text: `${code}: your code for Shop. Again: ${code}` })
})

test('the codes of many differ and have every digit at every place', async () => {
  const { data } = await bench.post(
    Array.from({ length: 300 }, (_, index) => start({ phone: 491701234000 + index, length: 4 })),
  )
  expect(data.every((result: { success: boolean }) => result.success)).toBe(true)
  const codes = bench.outbox.taken.flatMap(codesOf)
  expect(new Set(codes).size).toBeGreaterThan(280)
  for (const place of [0, 1, 2, 3]) expect(new Set(codes.map((code) => code[place])).size).toBe(10)
})

test('a call without a route is left out; alone it is refused, and the rest of the request is executed', async () => {
  const { data } = await bench.post([
    start({ phone: UNSERVED_PHONE, channels: ['call', 'sms'] }),
    start({ phone: UNSERVED_PHONE, channels: ['call'], id: 2 }),
    rcs(),
  ])
  expect(data[0]).toMatchObject({ success: true, data: { channel: 'sms' } })
  expect(data[1]).toEqual(itemError('phone: no call to this number is possible', { id: 2 }))
  expect(data[2]).toMatchObject({ success: true })
})

test.each<[object, string, string?]>([
  [{ phone: '12' }, 'Invalid phone number'],
  [{ channels: [] }, 'channels: must be a list of one or more of rcs, chatapp, sms, call, telegram, each once'],
  [{ channels: 'sms' }, 'channels: must be a list of one or more of rcs, chatapp, sms, call, telegram, each once'],
  [
    { channels: ['sms', 'fax'] },
    'channels: must be a list of one or more of rcs, chatapp, sms, call, telegram, each once',
  ],
  [
    { channels: ['sms', 'sms'] },
    'channels: must be a list of one or more of rcs, chatapp, sms, call, telegram, each once',
  ],
  [{ length: 3 }, 'length: must be a whole number from 4 to 8'],
  [{ length: 6.5 }, 'length: must be a whole number from 4 to 8'],
  [{ lifetime: 59 }, 'lifetime: must be a whole number of seconds from 60 to 3600'],
  [{ lifetime: '3601' }, 'lifetime: must be a whole number of seconds from 60 to 3600'],
  [{ text: 'Welcome!' }, 'text: must contain {code}'],
  [{ text: 'Code: {{code}}' }, 'text: write {code} in single braces'],
  [{ text: '{code} or {{code}}' }, 'text: write {code} in single braces'],
  [{ text: `{code}${'x'.repeat(295)}` }, 'text: at most 300 characters'],
  [{ language: 'xx' }, 'language: must be one of en, de, es, fr, it, nl, pl, pt, tr, uk'],
  [{ channels: ['rcs'], rcs_signature: undefined }, 'rcs_signature: required'],
  [{ sms_signature: null }, 'sms_signature: required'],
  [{ channels: ['rcs', 'sms'], rcs_signature: 'Unknown' }, 'Error in Alpha-name', 'rcs_signature'],
  [{ hook: 'http://10.0.0.1/' }, 'hook: must be a public address, private networks are not allowed'],
  [{ phone: 33612345678 }, 'phone: no price for sms to this number'],
])('%o fails its item', async (fields, error, field) => {
  expect(await bench.ask(start({ id: 1, ...fields }))).toEqual(
    itemError(error, { id: 1 }, field ?? /^([a-z_]+): /.exec(error)?.[1]),
  )
  expect(await bench.store.counts()).toMatchObject({ open: 0 })
})

test('a text of the longest length fits into an SMS, whatever its characters are', async () => {
  expect(await bench.ask(start({ text: `{code}${'😀'.repeat(294)}` }))).toMatchObject({ success: true })
})

test('without money it fails and leaves nothing', async () => {
  const poor = await startClientBench({ balanceMicros: 49_999 })
  expect(await poor.ask(start({ channels: ['call', 'sms'] }))).toEqual(itemError('Insufficient funds'))
  expect(await poor.ask(start({ channels: ['call', 'rcs'] }))).toMatchObject({ success: true })
  await poor.stop()
})

test('calls to a phone are limited as those of call/otp are', async () => {
  for (let count = 0; count < 5; count += 1) await bench.ask(call({ id: count }))
  expect(await bench.ask(start({ channels: ['call', 'sms'] }))).toEqual(
    itemError('Too many calls to this phone number, try again later'),
  )
})

test('a phone is verified five times an hour, and the sixth time when a place is free again', async () => {
  const { data } = await bench.post(Array.from({ length: 6 }, (_, id) => start({ id })))
  expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true, true, true, false])
  expect(data[5]).toEqual(itemError('phone: too many verifications of this number, try again later', { id: 5 }))
  expect(await bench.ask(start({ phone: 491701234501 }))).toMatchObject({ success: true })
  bench.clock.advance(4_000_000)
  expect(await bench.ask(start())).toMatchObject({ success: true })
})

test('a phone that can be written in two ways is verified five times an hour in all', async () => {
  const price = buildPrice({ channel: 'sms', prefix: '54', priceMicros: toMicros(50_000) })
  await bench.change({ kind: 'set price', price })
  const spellings = ['+54 11 2345-6789', '+54 9 11 2345-6789']
  const { data } = await bench.post(Array.from({ length: 6 }, (_, id) => start({ id, phone: spellings[id % 2] })))
  expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true, true, true, false])
})

test('an end user starts ten an hour, by all addresses of an IPv6 network, and a refused one does not count', async () => {
  const from = (ip: string, index: number) => start({ ip, phone: 491701234000 + index })
  const { data } = await bench.post([
    start({ ip: '2001:db8::1', sms_signature: 'Unknown' }),
    ...Array.from({ length: 11 }, (_, index) => from(`2001:DB8:0:0:${index}::1`, index)),
    from('2001:db8:0:1::1', 20),
  ])
  const errors = data.map((result: { error?: string }) => result.error ?? 'started')
  expect(errors).toEqual([
    'Error in Alpha-name',
    ...Array(10).fill('started'),
    'ip: too many verifications from this address, try again later',
    'started',
  ])
  expect(data[11].field).toBe('ip')
  expect(await bench.ask(start({ ip: '192.0.2.7:80' }))).toEqual(itemError('ip: must be an IPv4 or IPv6 address'))
})

test('the account sets its own limits', async () => {
  const settings = {
    ...DEFAULT_ACCOUNT_SETTINGS,
    verifyPerHour: 3,
    verifyPerHourToPhone: 2,
    verifyPerHourFromAddress: 1,
  }
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings })
  const { data } = await bench.post([
    start(),
    start({ ip: '192.0.2.7' }),
    start(),
    start({ phone: 491701234501, ip: '::ffff:192.0.2.7' }),
    start({ phone: 491701234501 }),
    start({ phone: 491701234502 }),
    rcs(),
  ])
  expect(data.map((result: { error?: string }) => result.error ?? 'done')).toEqual([
    'done',
    'done',
    'phone: too many verifications of this number, try again later',
    'ip: too many verifications from this address, try again later',
    'done',
    'Hourly verification limit reached',
    'done',
  ])
})

test('both need the scope otp', async () => {
  const secret = makeKey('live', new SeededRandom())
  await bench.change({
    kind: 'add key',
    key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, scopes: ['send'] }),
  })
  const text = JSON.stringify({ auth: secret, data: [start(), check(64, '1234')] })
  const error = 'type: not allowed with this key, which lacks the scope otp'
  expect(JSON.parse((await bench.postRaw(text)).text).data).toEqual([itemError(error), itemError(error)])
})

test('a test key verifies simulated phones without money, and its verifications alone', async () => {
  const secret = makeKey('test', new SeededRandom())
  await bench.change({
    kind: 'add key',
    key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, test: true, name: 't' }),
  })
  const ask = async (item: object) =>
    JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data: [item] }))).text).data[0]
  const live = await begin()
  const [liveCode] = lastCodes()
  const { data } = await ask(start({ channels: ['call', 'sms'] }))
  const smsCode = lastCodes().at(-1)
  expect(data).toMatchObject({ channel: 'call', price: 0, code: smsCode })
  expect(bench.outbox.taken.at(-1)).toMatchObject({ test: true, journey: { heldMicros: 0 } })
  expect(await ask(check(live, liveCode))).toEqual(itemError('Verification not found'))
  expect(await bench.ask(check(data.verify_id, lastCodes()[0]))).toEqual(itemError('Verification not found'))
  expect(await ask(check(data.verify_id, lastCodes()[0]))).toMatchObject({ data: { status: 'approved' } })
  expect((await bench.ask(start())).data).not.toHaveProperty('code')
})

test('a check returns its own id, and counts the wrong codes', async () => {
  const id = await begin({ id: 'mine' })
  const [code] = lastCodes()
  const { data } = await bench.post([check(id, '0000', { id: 7 }), check(String(id), '00000000'), check(id, code)])
  expect(data).toEqual([
    { success: true, data: { id: 7, verify_id: id, status: 'wrong', attempts_left: 4 } },
    { success: true, data: { verify_id: id, status: 'wrong', attempts_left: 3 } },
    { success: true, data: { verify_id: id, status: 'approved', attempts_left: 0 } },
  ])
  expect(await bench.ask({ type: 'status', msg_id: id })).toMatchObject({
    data: { id: 'mine', type: 'verify/start', status: 'DELIVERED', price: 0.05 },
  })
})

test('of many checks of the right code in a request one is approved', async () => {
  const id = await begin()
  const [code] = lastCodes()
  const { data } = await bench.post(Array.from({ length: 20 }, () => check(id, code)))
  const statuses = data.map((result: { data: { status: string } }) => result.data.status)
  expect(statuses.toSorted()).toEqual(['approved', ...Array(19).fill('used')])
})

test('an ordinary message cannot be checked, and neither can one that does not exist', async () => {
  const sent = await bench.ask(rcs())
  const { data } = await bench.post([check(sent.data.msg_id, '123456', { id: 3 }), check(64, '123456')])
  expect(data).toEqual([itemError('Verification not found', { id: 3 }), itemError('Verification not found')])
})

test('another account cannot check it', async () => {
  const id = await begin()
  const secret = makeKey('live', new SeededRandom())
  const account = {
    name: 'Other',
    currency: 'EUR',
    state: 'active',
    hookSecrets: [],
    settings: DEFAULT_ACCOUNT_SETTINGS,
  } as const
  const accountId = await bench.store.change({ kind: 'create account', account })
  if (accountId === null) throw new Error('the store made no account')
  await bench.change({ kind: 'add key', key: buildKey({ hash: hashKey(secret), accountId }) })
  const text = JSON.stringify({ auth: secret, data: [check(id, lastCodes()[0])] })
  expect(JSON.parse((await bench.postRaw(text)).text).data).toEqual([itemError('Verification not found')])
  expect(await bench.ask(check(id, lastCodes()[0]))).toMatchObject({ data: { status: 'approved' } })
})

test.each(['\r\n', ' ', '\u00a0', '-', '\u200b'])('a code with %j around and inside is read', async (mark) => {
  const id = await begin()
  const code = String(lastCodes()[0])
  const typed = `${mark}${code.slice(0, 3)}${mark}${code.slice(3)}${mark}`
  expect(await bench.ask(check(id, typed))).toMatchObject({ data: { status: 'approved' } })
})

test.each([[482913], ['48a913'], ['123'], ['12345678901'], [true]])('%o is no code', async (code) => {
  const id = await begin()
  expect(await bench.ask(check(id, code))).toEqual(itemError('code: must be a string of 4 to 10 digits'))
  expect((await bench.store.loadMessages([id as Message['id']]))[0]?.journey.verification?.wrongCodes).toBe(0)
})

test('a repeat under the same key starts nothing and is approved again, even if the first answer was lost', async () => {
  const headers = { 'Idempotency-Key': 'signup-17' }
  const first = await bench.ask(start(), { headers })
  expect(await bench.ask(start(), { headers })).toEqual(first)
  expect(bench.outbox.taken.length).toBe(1)
  const item = check(first.data.verify_id, lastCodes()[0])
  let isLost = true
  const losing = bench.store.accept.bind(bench.store)
  bench.store.accept = async (request) => {
    if (isLost) throw new Error('the connection was lost')
    return losing(request)
  }
  expect(await bench.post([item], { headers: { 'Idempotency-Key': 'check-17' } })).toMatchObject({ success: false })
  isLost = false
  expect(await bench.ask(item, { headers: { 'Idempotency-Key': 'check-18' } })).toMatchObject({
    data: { status: 'used' },
  })
  const again = await bench.ask(item, { headers: { 'Idempotency-Key': 'check-17' } })
  expect(again).toMatchObject({ data: { status: 'approved' } })
  expect(await bench.ask(item, { headers: { 'Idempotency-Key': 'check-17' } })).toEqual(again)
})

test('the asynchronous path answers the same, and a call is not waited for on either', async () => {
  const { data } = await bench.post([start({ channels: ['call', 'sms'] })], { path: ASYNC_PATH })
  await bench.ask(start({ channels: ['call', 'sms'] }))
  expect(data).toMatchObject([{ success: true, data: { channel: 'call' } }])
  expect(bench.outbox.waits).toEqual([])
})
