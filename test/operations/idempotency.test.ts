import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ASYNC_PATH, type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { call, chain, PHONE, rcs, UNSERVED_PHONE } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ balanceMicros: 300_000 })
})
afterEach(() => bench.stop())

const send = async (data: unknown, key: string, path?: string) => {
  const headers = { 'Idempotency-Key': key }
  const body = JSON.stringify({ auth: KEY, data })
  return (await bench.postRaw(body, path === undefined ? { headers } : { path, headers })).text
}

const EVERYTHING = [
  rcs({ id: 'a' }),
  { type: 'balance' },
  chain({ sms_message: 'x'.repeat(200) }),
  rcs({ phone: 1 }),
  call(),
  { type: 'template/create', name: 'hello', template: 'Hello' },
  { type: 'template/create', name: 'hello', template: 'Hello again', id: 7 },
  { type: 'template/chatapp/list' },
  ...Array.from({ length: 6 }, () => rcs()),
  { type: 'balance' },
]

test.each([undefined, ASYNC_PATH])('a repeat gives the very same text and executes nothing (%s)', async (path) => {
  const first = await send(EVERYTHING, 'key-1', path)
  expect(first).toContain('Insufficient funds')
  expect(first).toContain('name: already used by another template')
  const taken = bench.outbox.taken.length
  const balances = await bench.store.balancesOf(bench.accountId)
  bench.clock.advance(23 * 3_600_000)
  expect(await send(EVERYTHING, 'key-1', path)).toBe(first)
  expect(bench.outbox.taken).toHaveLength(taken)
  expect(await bench.store.balancesOf(bench.accountId)).toEqual(balances)
})

test('a repeat does not see what has changed since', async () => {
  const first = await send([{ type: 'balance' }, { type: 'template/chatapp/list' }], 'key-1')
  await bench.ask(rcs())
  await bench.change({
    kind: 'set chat template',
    template: { id: 3, accountId: bench.accountId, template: 'New', signature: 'ChatTest', status: 'new' },
  })
  expect(await send([{ type: 'balance' }, { type: 'template/chatapp/list' }], 'key-1')).toBe(first)
})

test('on the other path a repeat gives the answer of the first', async () => {
  const first = await send([rcs()], 'key-1', ASYNC_PATH)
  expect(await send([rcs()], 'key-1')).toBe(first)
})

test('the same key with another body is refused, and executes nothing', async () => {
  await send([rcs()], 'key-1')
  const other = await send([rcs({ rcs_message: 'Other' })], 'key-1')
  expect(JSON.parse(other)).toEqual({
    success: false,
    error: 'Idempotency-Key was used with another body',
    code: 'idempotency_conflict',
  })
  expect(bench.outbox.taken).toHaveLength(1)
})

test('another key, another account or another day is another request', async () => {
  const first = await send([rcs()], 'key-1')
  expect(await send([rcs()], 'key-2')).not.toBe(first)
  bench.clock.advance(24 * 3_600_000 + 1)
  expect(await send([rcs()], 'key-1')).not.toBe(first)
  expect(bench.outbox.taken).toHaveLength(3)
})

test('requests that come together under one key are executed once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => send([rcs()], 'key-1')))
  expect(new Set(answers).size).toBe(1)
  expect(bench.outbox.taken).toHaveLength(1)
})

test('a request of failures alone is remembered too', async () => {
  const first = await send([rcs({ phone: 1 })], 'key-1')
  expect(await send([rcs({ phone: 1 })], 'key-1')).toBe(first)
  expect(JSON.parse(await send([rcs({ phone: 2 })], 'key-1'))).toMatchObject({ success: false })
})

test('a request that was refused as a whole leaves its key free', async () => {
  expect(JSON.parse(await send([call({ phone: UNSERVED_PHONE })], 'key-1'))).toMatchObject({ success: false })
  expect(JSON.parse(await send([call({ phone: PHONE })], 'key-1'))).toMatchObject({ success: true })
})

test('a key of 255 characters is taken, a longer one refuses the request', async () => {
  expect(JSON.parse(await send([rcs()], 'k'.repeat(255)))).toMatchObject({ success: true })
  expect(JSON.parse(await send([rcs()], 'k'.repeat(256)))).toEqual({
    success: false,
    error: 'Idempotency-Key: at most 255 characters',
    code: 'invalid_request',
  })
  expect(bench.outbox.taken).toHaveLength(1)
})

describe('an account that keeps as many bytes of answers as it may', () => {
  const full = {
    success: false,
    error: 'Idempotency-Key: too many answers are kept for this account, send without a key or try again later',
    code: 'idempotency_full',
  }
  let first: string
  beforeEach(async () => {
    await bench.stop()
    bench = await startClientBench({ limits: { idempotencyBytes: 1 } })
    first = await send([rcs()], 'key-1')
  })

  test('is refused a new key, and still answered without one and under those it has', async () => {
    expect(JSON.parse(await send([rcs()], 'key-2'))).toEqual(full)
    expect(bench.outbox.taken).toHaveLength(1)
    expect(await bench.ask(rcs())).toMatchObject({ success: true })
    expect(await send([rcs()], 'key-1')).toBe(first)
  })

  test('has nothing cancelled by a request that is refused', async () => {
    const { msg_id } = JSON.parse(first).data[0].data
    expect(JSON.parse(await send([{ type: 'cancel', msg_id }], 'key-2'))).toEqual(full)
    expect(await bench.store.balancesOf(bench.accountId)).toMatchObject({ held: 30_000 })
    expect(await bench.ask({ type: 'cancel', msg_id })).toMatchObject({ success: true })
  })

  test('may use new keys when a day and an hour have passed', async () => {
    bench.clock.advance(25 * 3_600_000)
    expect(JSON.parse(await send([rcs()], 'key-2'))).toMatchObject({ success: true })
    expect(JSON.parse(await send([rcs()], 'key-3'))).toEqual(full)
  })
})
