import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeOf } from '../../src/contract/request/error-codes.ts'
import type { AccountSettings } from '../../src/domain/accounts/account.ts'
import type { Message } from '../../src/domain/message/message.ts'
import { accountRow } from '../../src/operations/admin/fields/account-row.ts'
import { ASYNC_PATH, type ClientBench, startClientBench } from '../support/client-bench.ts'
import { call, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const REFUSED = { kind: 'refused', status: 'UNDELIVERABLE', reason: '404 Not Found' } as const
const fails = () => (message: Message) => bench.outbox.record(message, REFUSED)
const nothing = () => () => null

const callOf = (message: Message | undefined) => {
  const content = message?.plan[0]?.content
  if (content?.kind !== 'call') throw new Error('this is no call')
  return content
}

test('a call that rings: the code is the end of the calling number, the price what the account pays', async () => {
  const result = await bench.ask(call({ hook: 'https://client.example/hook' }))
  expect(result).toEqual({
    success: true,
    data: { code: expect.stringMatching(/^\d{4}$/), price: 0.02 },
    warnings: ['hook: ignored'],
  })
  const [message] = bench.outbox.taken
  const { from, code } = callOf(message)
  expect(from.endsWith(code)).toBe(true)
  expect(result.data.code).toBe(code)
  expect(message?.hook).toBeNull()
  expect(message?.plan).toMatchObject([{ channel: 'call', lifetimeSeconds: 10, priceMicros: 20_000, parts: 1 }])
  expect(bench.outbox.waits).toEqual([{ id: message?.id, withinMs: 15_000 }])
})

test('a call that fails before it rings fails its item, with nothing but the id', async () => {
  bench.outbox.answerCall = fails()
  expect(await bench.ask(call({ id: 5 }))).toEqual({
    success: false,
    error: 'Call failed',
    code: 'call_failed',
    data: { id: 5 },
  })
  expect(await bench.ask(call({ id: undefined }))).toEqual({
    success: false,
    error: 'Call failed',
    code: 'call_failed',
    data: {},
  })
})

test('a call without a known outcome in time fails and returns no code', async () => {
  bench.outbox.answerCall = nothing()
  expect(await bench.ask(call({ id: 7 }))).toEqual({
    success: false,
    error: 'Call failed',
    code: 'call_failed',
    data: { id: 7 },
  })
})

test.each([
  ['could not be placed by any carrier', { kind: 'unreachable', reason: '503 Service Unavailable' }, 'UNDELIVERABLE'],
  ['may have rung, or not', { kind: 'unclear', reason: 'did not ring within 8000 ms' }, 'UNKNOWN'],
] as const)('a call that %s fails its item at once and costs nothing', async (_, verdict, status) => {
  const [before] = (await bench.post([{ type: 'balance' }])).data
  bench.outbox.answerCall = (message) => bench.outbox.record(message, verdict)
  expect(await bench.ask(call({ id: 8 }))).toEqual({
    success: false,
    error: 'Call failed',
    code: 'call_failed',
    data: { id: 8 },
  })
  expect((await bench.post([{ type: 'balance' }])).data).toEqual([before])
  const [message] = await bench.store.loadMessages(bench.outbox.taken.map(({ id }) => id))
  expect(message?.journey).toMatchObject({ phase: 'ended', status, attempts: 1, heldMicros: 0, chargedMicros: 0 })
})

test('the number is of a route whose carrier can place the call, and of the best one when none can', async () => {
  const carrier = { id: 'spare', channel: 'call', kind: 'sip', settings: {} } as const
  await bench.change({ kind: 'set carrier', carrier })
  await bench.change({ kind: 'set pool', pool: { id: 'spare', numbers: ['493221199001'], codeDigits: 4 } })
  const everywhere = { channel: 'call', prefix: '', operators: null, accountId: null, sender: null, weight: 1 } as const
  const route = { ...everywhere, carrierId: 'spare', priority: 9, poolId: 'spare' }
  await bench.change({ kind: 'set route', route })
  await bench.ask(call({ phone: 491701234501 }))
  bench.outbox.down.add('voice')
  await bench.ask(call({ phone: 491701234502 }))
  bench.outbox.down.add('spare')
  await bench.ask(call({ phone: 491701234503 }))
  const isSpare = bench.outbox.taken.map((message) => callOf(message).from === '493221199001')
  expect(isSpare).toEqual([false, true, false])
})

test('the asynchronous path does not wait', async () => {
  bench.outbox.answerCall = fails()
  const { data } = await bench.post([call()], { path: ASYNC_PATH })
  expect(data).toMatchObject([{ success: true, data: { code: expect.any(String), price: 0.02 } }])
  expect(bench.outbox.waits).toEqual([])
  expect(bench.outbox.taken[0]?.plan[0]?.lifetimeSeconds).toBe(20)
})

test('a code is not repeated to the same phone within ten minutes', async () => {
  const phones = await startClientBench({ limits: { callsPerHourToPhone: 100 } })
  const numbers = Array.from({ length: 30 }, (_, index) => `49322112${3_000 + index}`)
  await phones.change({ kind: 'set pool', pool: { id: 'pool', numbers, codeDigits: 5 } })
  const codes: string[] = []
  for (let round = 0; round < numbers.length; round += 1) codes.push((await phones.ask(call())).data.code)
  expect(codes.toSorted()).toEqual(numbers.map((number) => number.slice(-5)))
  expect(await phones.ask(call())).toMatchObject({ success: false })
  await phones.stop()
})

test('when every code was given lately the item fails', async () => {
  const bench = await startClientBench({ limits: { callsPerHourToPhone: 100 } })
  await bench.change({
    kind: 'set pool',
    pool: { id: 'pool', numbers: ['493221123001', '493221123002'], codeDigits: 4 },
  })
  const { data } = await bench.post([call(), call(), call({ id: 3 })])
  expect(new Set([data[0].data.code, data[1].data.code])).toEqual(new Set(['3001', '3002']))
  const error = 'No calling number is free for this phone number, try again later'
  expect(data[2]).toEqual({ success: false, error, code: codeOf(error), data: { id: 3 } })
  bench.clock.advance(600_001)
  expect(await bench.ask(call())).toMatchObject({ success: true })
  await bench.change({ kind: 'set pool', pool: { id: 'pool', numbers: ['493221123003'], codeDigits: 6 } })
  expect(await bench.ask(call())).toMatchObject({ data: { code: '123003' } })
  await bench.stop()
})

test('one phone is called five times an hour at most', async () => {
  const { data } = await bench.post(Array.from({ length: 6 }, (_, id) => call({ id })))
  expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true, true, true, false])
  expect(data[5]).toMatchObject({ error: 'Too many calls to this phone number, try again later', data: { id: 5 } })
  expect(await bench.ask(call({ phone: 491701234501 }))).toMatchObject({ success: true })
  bench.clock.advance(3_600_001)
  expect(await bench.ask(call())).toMatchObject({ success: true })
})

describe('an account with its own settings of calls', () => {
  const phone = (last: number) => 491701234500 + last
  const set = async (settings: Partial<AccountSettings>) => {
    const { accountId } = bench
    const { settings: before } = accountRow(await bench.store.loadDirectory(), accountId)
    await bench.change({ kind: 'set account', accountId, settings: { ...before, ...settings } })
  }
  const ask = async (last: number) => {
    const { success, error, data } = await bench.ask(call({ phone: phone(last) }))
    return success ? data.code : error
  }

  test('makes so many calls in an hour, over requests, and as many again in the next', async () => {
    await set({ callsPerHour: 3 })
    const codes = await bench.post([call({ phone: phone(1) }), call({ phone: phone(2) })])
    expect(codes.data).toMatchObject([{ success: true }, { success: true }])
    const { data } = await bench.post([call({ phone: phone(3), id: 3 }), call({ phone: phone(4), id: 4 }), sms()])
    expect(data).toMatchObject([
      { success: true },
      { success: false, error: 'Hourly call limit reached', data: { id: 4 } },
      { success: true },
    ])
    bench.clock.advance(3_600_000 + 360_000)
    expect(await ask(4)).toMatch(/^\d{4}$/)
  })

  test('calls one phone as often as it says', async () => {
    await set({ callsPerHourToPhone: 1 })
    expect(await ask(1)).toMatch(/^\d{4}$/)
    expect(await ask(1)).toBe('Too many calls to this phone number, try again later')
    expect(await ask(2)).toMatch(/^\d{4}$/)
  })

  test('has codes as long as it says, for as long as it says', async () => {
    const numbers = ['493221123001', '493221123002']
    await bench.change({ kind: 'set pool', pool: { id: 'pool', numbers, codeDigits: 4 } })
    await set({ callCodeDigits: 6, callCodeSeconds: 7_200, callsPerHourToPhone: 60 })
    expect([await ask(1), await ask(1)].toSorted()).toEqual(['123001', '123002'])
    bench.clock.advance(7_100_000)
    expect(await ask(1)).toBe('No calling number is free for this phone number, try again later')
    bench.clock.advance(100_001)
    expect(await ask(1)).toMatch(/^12300[12]$/)
  })

  test('is offered enough numbers for a day of codes', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => `49322112${3_000 + index}`)
    await bench.change({ kind: 'set pool', pool: { id: 'pool', numbers, codeDigits: 4 } })
    await set({ callCodeSeconds: 86_400, callsPerHourToPhone: 2 })
    const codes = new Set<string>()
    for (let round = 0; round < 40; round += 1) {
      codes.add(await ask(1))
      bench.clock.advance(1_800_001)
    }
    expect(codes.size).toBe(40)
  })
})

test('calling numbers are drawn evenly from the pool', async () => {
  const even = await startClientBench({
    limits: { callsPerHourToPhone: 100_000, callCodeSeconds: 0, syncOperations: 5_000 },
  })
  const numbers = Array.from({ length: 10 }, (_, index) => `49322112300${index}`)
  await even.change({ kind: 'set pool', pool: { id: 'pool', numbers, codeDigits: 4 } })
  await even.post(Array(2_000).fill(call()), { path: ASYNC_PATH })
  const counts = Map.groupBy(even.outbox.taken, (message) => callOf(message).from)
  const expected = even.outbox.taken.length / numbers.length
  const chiSquare = numbers
    .map((number) => ((counts.get(number)?.length ?? 0) - expected) ** 2 / expected)
    .reduce((sum, each) => sum + each)
  // With nine degrees of freedom even draws go beyond this once in a thousand times; the seed is fixed.
  expect(chiSquare).toBeLessThan(27.9)
  expect(even.outbox.taken).toHaveLength(2_000)
  await even.stop()
})

test('an impossible number and one without a price fail alone', async () => {
  const { data } = await bench.post([call({ phone: 1 }), call({ phone: 33612345678 })])
  expect(data.map((result: { error: string }) => result.error)).toEqual([
    'Invalid phone number',
    'phone: no price for call to this number',
  ])
})

test('a repeated request is answered as the first, also when the call failed', async () => {
  bench.outbox.answerCall = fails()
  const options = { headers: { 'Idempotency-Key': 'k' } }
  const first = await bench.post([call()], options)
  expect(first.data[0]).toMatchObject({ error: 'Call failed' })
  bench.clock.advance(60_000)
  expect(await bench.post([call()], options)).toEqual(first)
  expect(bench.outbox.taken).toHaveLength(1)
})

test('a repeat returns the outcome of a call that was unknown in time', async () => {
  bench.outbox.answerCall = nothing()
  const options = { headers: { 'Idempotency-Key': 'k' } }
  const first = await bench.post([call()], options)
  expect(first.data).toMatchObject([{ error: 'Call failed' }])
  bench.clock.advance(15_000)
  const [message] = bench.outbox.taken
  if (message !== undefined) await fails()(message)
  expect(await bench.post([call()], options)).toEqual(first)
})

test('a repeat that comes while the first still waits waits for the same call', async () => {
  const options = { headers: { 'Idempotency-Key': 'k' } }
  bench.outbox.answerCall = nothing()
  await bench.post([call()], options)
  bench.clock.advance(4_000)
  bench.outbox.answerCall = fails()
  expect((await bench.post([call()], options)).data[0]).toMatchObject({ error: 'Call failed' })
  expect(bench.outbox.waits.at(-1)?.withinMs).toBe(11_000)
})

test('a repeat waits no longer than the first, although the clock was set back by an hour', async () => {
  const options = { headers: { 'Idempotency-Key': 'k' } }
  bench.outbox.answerCall = nothing()
  await bench.post([call()], options)
  bench.clock.setBack(3_600_000)
  await bench.post([call()], options)
  expect(bench.outbox.waits.map(({ withinMs }) => withinMs)).toEqual([15_000, 15_000])
})
