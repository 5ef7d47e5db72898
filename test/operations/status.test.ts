/** `status`: how far messages have come, asked by either of their ids. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { advance } from '../../src/domain/journey/journey.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { call, itemError, PHONE, rcs, send, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const statusOf = (fields: object) => ({ type: 'status', ...fields })
const iso = (at: number) => new Date(at).toISOString()

test.each([SYNC_PATH, ASYNC_PATH])(
  'by msg_id, by id or by both: the state of the last report and the time of acceptance (%s)',
  async (path) => {
    const { data: sent } = await bench.ask(send('sms+rcs', { id: 'a-1', sms_message: 'x'.repeat(161) }))
    const at = iso(bench.clock.now())
    const facts = {
      id: 'a-1',
      msg_id: sent.msg_id,
      phone: PHONE,
      type: 'sms+rcs',
      status: 'QUEUED',
      channel: 'sms',
      parts: 2,
      price: 0,
      currency: 'EUR',
      error: null,
      steps: [{ channel: 'sms', status: 'QUEUED', at }],
      reports: { sent: 0, pending: 0, failed: 0, tried_at: null, error: null },
      accepted_at: at,
    }
    const names = [{ msg_id: sent.msg_id }, { id: 'a-1' }, { msg_id: String(sent.msg_id), id: 'a-1' }]
    const { data } = await bench.post(names.map(statusOf), { path })
    expect(data).toEqual(names.map(() => ({ success: true, data: facts })))
    expect(Object.keys(data[0].data)).toEqual(Object.keys(facts))
  },
)

test('it is what was recorded last', async () => {
  await bench.ask(sms({ id: 7 }))
  const [message] = bench.outbox.taken
  if (message === undefined) throw new Error('nothing was sent')
  const now = bench.clock.now()
  const turn = advance(message, {
    kind: 'answered',
    at: now + 5_000,
    step: 0,
    carrierId: 'smsc',
    verdicts: [{ kind: 'refused', status: 'REJECTED', reason: 'not wanted', part: 0 }],
    anotherLeft: false,
    jitter: 0,
  })
  if (turn === null) throw new Error('nothing happened')
  await bench.store.record([{ turn, held: false, reportsHeld: false, clickedCode: null }])
  expect((await bench.ask(statusOf({ id: 7 }))).data).toMatchObject({
    status: 'REJECTED',
    error: 'not wanted',
    price: 0,
    steps: [{ channel: 'sms', status: 'REJECTED', at: iso(now + 5_000) }],
    accepted_at: iso(now),
  })
})

test('a planned message is queued with its time', async () => {
  const send_at = iso(bench.clock.now() + 3_600_000)
  await bench.ask(rcs({ id: 7, send_at }))
  const { data } = await bench.ask(statusOf({ id: 7 }))
  expect(data).toMatchObject({ status: 'QUEUED', send_at, steps: [{ channel: 'rcs', status: 'QUEUED', at: send_at }] })
})

test('of several with one id it is the newest; a message without an id has none in its status', async () => {
  const { data: sent } = await bench.post([rcs({ id: 7 }), rcs({ id: 7 }), rcs({ id: undefined })])
  expect((await bench.ask(statusOf({ id: 7 }))).data.msg_id).toBe(sent[1].data.msg_id)
  const { data } = await bench.ask(statusOf({ msg_id: sent[2].data.msg_id }))
  expect(data).not.toHaveProperty('id')
})

test('finds a call by its id, without its code', async () => {
  await bench.ask(call({ id: 'call-1' }))
  const { data } = await bench.ask(statusOf({ id: 'call-1' }))
  expect(data).toMatchObject({ id: 'call-1', status: 'DELIVERED', channel: 'call' })
  expect(Object.keys(data)).not.toContain('code')
})

test('ids are compared letter for letter, but for zeros in front of a number', async () => {
  const body = (item: string) => `{"auth":"${KEY}","data":[${item}]}`
  const written = JSON.stringify(rcs({ id: '@' }))
  for (const token of ['9223372036854775807', '1.0', '"caf\\u00e9"']) {
    await bench.postRaw(body(written.replace('"@"', token)))
    const { text } = await bench.postRaw(body(`{"type":"status","id":${token}}`))
    expect(text).toContain(`{"success":true,"data":{"id":${token},"msg_id":`)
  }
  for (const token of ['2', '"09223372036854775808"', '"café"']) {
    const { text } = await bench.postRaw(body(`{"type":"status","id":${token}}`))
    expect(text).toBe(
      `{"success":true,"data":[{"success":false,"error":"Message not found","code":"no_such_message","data":{"id":${token}},"field":"id"}]}`,
    )
  }
})

describe('what names no message', () => {
  test.each<[object, string, object, string?]>([
    [{}, 'msg_id: required, or id', {}],
    [{ msg_id: '', id: null }, 'msg_id: required, or id', {}],
    [{ msg_id: 'first' }, 'msg_id: must be a positive whole number', {}],
    [{ msg_id: 1.5, id: 7 }, 'msg_id: must be a positive whole number', { id: 7 }],
    [{ id: {} }, 'id: must be a number or a string of at most 64 characters', {}],
    [{ msg_id: 1 }, 'Message not found', {}, 'msg_id'],
    [{ id: 8 }, 'Message not found', { id: 8 }, 'id'],
  ])('%j: %s', async (fields, error, data, field) => {
    await bench.ask(rcs({ id: 7 }))
    expect(await bench.ask(statusOf(fields))).toEqual(itemError(error, data, field))
  })

  test('is one of two ids that belong to different messages', async () => {
    const { data: sent } = await bench.post([rcs({ id: 7 }), rcs({ id: 8 })])
    expect(await bench.ask(statusOf({ msg_id: sent[0].data.msg_id, id: 8 }))).toMatchObject({
      error: 'Message not found',
    })
  })
})

test('all that a request asks is one reading of the store, and nothing is written down', async () => {
  const reads: number[] = []
  let accepts = 0
  const watched = await startClientBench({
    wrapStore: (store) =>
      new Proxy(store, {
        get: (target, name) => {
          const verb: unknown = Reflect.get(target, name)
          if (typeof verb !== 'function') return verb
          return (...args: unknown[]) => {
            if (name === 'findMessages') reads.push((args[1] as unknown[]).length)
            if (name === 'accept') accepts += 1
            return verb.apply(target, args)
          }
        },
      }),
  })
  await watched.post(Array.from({ length: 50 }, (_, id) => rcs({ id })))
  const { data } = await watched.post([
    { type: 'balance' },
    ...Array.from({ length: 60 }, (_, id) => statusOf({ id: 59 - id })),
    statusOf({}),
  ])
  expect(reads).toEqual([60])
  expect(accepts).toBe(1)
  expect(data.map((result: { data: { id?: number } }) => result.data.id)).toEqual([
    undefined,
    ...Array.from({ length: 60 }, (_, id) => 59 - id),
    undefined,
  ])
  expect(data.filter((result: { success: boolean }) => result.success)).toHaveLength(51)
  await watched.stop()
})

test('messages of the same request are not known yet; those of requests before are', async () => {
  const { data } = await bench.post([rcs({ id: 7 }), statusOf({ id: 7 })])
  expect(data).toMatchObject([{ success: true }, { error: 'Message not found' }])
  expect(await bench.ask(statusOf({ id: 7 }))).toMatchObject({ success: true })
})

test('under an Idempotency-Key returns the first answer', async () => {
  await bench.ask(rcs({ id: 7 }))
  const body = JSON.stringify({ auth: KEY, data: [statusOf({ id: 7 }), rcs({ id: 7 })] })
  const headers = { 'Idempotency-Key': 'status-1' }
  const { text } = await bench.postRaw(body, { headers })
  expect((await bench.postRaw(body, { headers })).text).toBe(text)
  expect(bench.outbox.taken).toHaveLength(2)
})

test('a store that cannot read: try again later', async () => {
  await bench.store.close()
  expect(await bench.post([statusOf({ id: 7 })])).toEqual({
    success: false,
    error: 'Service unavailable, try again later',
    code: 'unavailable',
  })
})
