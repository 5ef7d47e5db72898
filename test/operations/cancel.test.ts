/** `cancel`: what a client is answered, alone and in batches, once and again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../../src/domain/message/message.ts'
import type { Store } from '../../src/ports/stores/store.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { taken } from '../support/make-turn.ts'
import { call, itemError, rcs, sms, UNSERVED_PHONE } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const cancel = (fields: object) => ({ type: 'cancel', ...fields })
const statusOf = (fields: object) => ({ type: 'status', ...fields })
const inAnHour = () => new Date(bench.clock.now() + 3_600_000).toISOString()
const held = async () => (await bench.store.balancesOf(bench.accountId))?.held

/** A carrier takes the message. */
async function carry(id: number): Promise<void> {
  const [message] = await bench.store.loadMessages([id as Message['id']])
  if (message === undefined) throw new Error('there is no such message')
  await bench.store.record([{ turn: taken(message, ['r']), held: false, reportsHeld: false, clickedCode: null }])
}

test.each([SYNC_PATH, ASYNC_PATH])('by msg_id, by id or by both; the hold is released (%s)', async (path) => {
  const { data: sent } = await bench.post([rcs({ id: 1 }), rcs({ id: 'two' }), rcs({ id: 3, send_at: inAnHour() })])
  const [first, second, third] = sent.map((result: { data: { msg_id: number } }) => result.data.msg_id)
  expect(await held()).toBe(90_000)
  const { data } = await bench.post(
    [cancel({ msg_id: first }), cancel({ id: 'two' }), cancel({ msg_id: String(third), id: 3 })],
    { path },
  )
  expect(data).toEqual([
    { success: true, data: { id: 1, msg_id: first, status: 'CANCELLED' } },
    { success: true, data: { id: 'two', msg_id: second, status: 'CANCELLED' } },
    { success: true, data: { id: 3, msg_id: third, status: 'CANCELLED' } },
  ])
  expect(await held()).toBe(0)
  expect((await bench.store.counts()).open).toBe(0)
  expect(await bench.store.verifyLedger()).toEqual([])
})

test('a message without an id has none in the answer', async () => {
  const { data } = await bench.ask(rcs({ id: undefined }))
  expect((await bench.ask(cancel({ msg_id: data.msg_id }))).data).toEqual({ msg_id: data.msg_id, status: 'CANCELLED' })
})

test('asked again, in another request or the same, it answers the same', async () => {
  await bench.ask(rcs({ id: 7 }))
  const { data } = await bench.post([cancel({ id: 7 }), cancel({ id: 7 })])
  expect(data[0].success).toBe(true)
  expect(data[1]).toEqual(data[0])
  expect(await bench.ask(cancel({ id: 7 }))).toEqual(data[0])
})

test('too late, unknown, of another account or without a name: the item fails with its id alone', async () => {
  const { data: sent } = await bench.post([rcs({ id: 7 }), rcs({ id: 8 })])
  await carry(sent[0].data.msg_id)
  const { data } = await bench.post([
    cancel({ id: 7 }),
    cancel({ msg_id: sent[0].data.msg_id }),
    cancel({ id: 9 }),
    cancel({}),
    cancel({ msg_id: 'first', id: 7 }),
    cancel({ id: 8 }),
  ])
  expect(data).toEqual([
    { success: false, error: 'Too late to cancel', code: 'too_late', data: { id: 7 } },
    { success: false, error: 'Too late to cancel', code: 'too_late', data: {} },
    { success: false, error: 'Message not found', code: 'no_such_message', data: { id: 9 }, field: 'id' },
    itemError('msg_id: required, or id'),
    itemError('msg_id: must be a positive whole number', { id: 7 }),
    { success: true, data: { id: 8, msg_id: sent[1].data.msg_id, status: 'CANCELLED' } },
  ])
})

test('a status of the same request shows it, at any position', async () => {
  await bench.ask(rcs({ id: 7 }))
  const { data } = await bench.post([statusOf({ id: 7 }), cancel({ id: 7 }), statusOf({ id: 7 })])
  const facts = { status: 'CANCELLED', price: 0, error: 'cancelled by the client' }
  expect(data).toMatchObject([{ data: facts }, { success: true }, { data: facts }])
})

test('what it gives back pays for sends of the same request', async () => {
  const poor = await startClientBench({ balanceMicros: 30_000 })
  await poor.ask(rcs({ id: 7 }))
  const { data } = await poor.post([rcs({ id: 8 }), cancel({ id: 7 }), { type: 'balance' }])
  expect(data).toMatchObject([{ success: true }, { success: true }, { data: { amount: 0 } }])
  await poor.stop()
})

test('a call that has not been placed can be taken back as well', async () => {
  await bench.post([call({ id: 'call-1' })], { path: ASYNC_PATH })
  expect(await bench.ask(cancel({ id: 'call-1' }))).toMatchObject({ data: { status: 'CANCELLED' } })
})

test('with unique ids the id stays used', async () => {
  const unique = await startClientBench({ settings: { uniqueIds: true } })
  const first = await unique.ask(rcs({ id: 7 }))
  await unique.ask(cancel({ id: 7 }))
  expect(await unique.ask(rcs({ id: 7 }))).toEqual(first)
  expect(unique.outbox.taken).toHaveLength(1)
  await unique.stop()
})

describe('a request that is refused as a whole cancels nothing', () => {
  test.each<[string, unknown]>([
    ['because of an operator', [cancel({ id: 7 }), call({ phone: UNSERVED_PHONE })]],
    ['because of its length', Array.from({ length: 1_001 }, () => cancel({ id: 7 }))],
  ])('%s', async (_, operations) => {
    await bench.ask(rcs({ id: 7 }))
    expect((await bench.post(operations)).success).toBe(false)
    expect(bench.outbox.cancels).toEqual([])
    expect((await bench.ask(statusOf({ id: 7 }))).data.status).toBe('QUEUED')
  })
})

describe('under an Idempotency-Key', () => {
  const post = async (target: ClientBench, operations: unknown, key = 'k') => {
    const headers = { 'Idempotency-Key': key }
    return (await target.postRaw(JSON.stringify({ auth: KEY, data: operations }), { headers })).text
  }

  test('a repeat gives the very same text and cancels nothing, whatever the id means by then', async () => {
    await bench.ask(rcs({ id: 7 }))
    const operations = [cancel({ id: 7 }), rcs({ id: 7 }), cancel({ id: 9 })]
    const first = await post(bench, operations)
    expect(JSON.parse(first).data.map((result: { success: boolean }) => result.success)).toEqual([true, true, false])
    expect(await post(bench, operations)).toBe(first)
    expect(bench.outbox.cancels).toHaveLength(1)
    expect(bench.outbox.taken).toHaveLength(2)
    expect((await bench.ask(statusOf({ id: 7 }))).data.status).toBe('QUEUED')
  })

  test('what was too late stays too late', async () => {
    const { data } = await bench.ask(sms({ id: 7 }))
    await carry(data.msg_id)
    const first = await post(bench, [cancel({ id: 7 })])
    expect(await post(bench, [cancel({ id: 7 })])).toBe(first)
  })

  test('another body under the same key is refused before anything is cancelled', async () => {
    await bench.ask(rcs({ id: 7 }))
    await post(bench, [rcs({ id: 8 })])
    expect(JSON.parse(await post(bench, [cancel({ id: 7 })]))).toEqual({
      success: false,
      error: 'Idempotency-Key was used with another body',
      code: 'idempotency_conflict',
    })
    expect(bench.outbox.cancels).toEqual([])
  })

  test('a request that was cut off after cancelling is executed by its repeat, and cancels the same', async () => {
    let fails = false
    const cut = await startClientBench({
      wrapStore: (store): Store => {
        return new Proxy(store, {
          get: (target, name) => {
            if (name === 'accept' && fails) return () => Promise.reject(new Error('the process was killed'))
            const verb: unknown = Reflect.get(target, name)
            return typeof verb === 'function' ? verb.bind(target) : verb
          },
        })
      },
    })
    await cut.ask(rcs({ id: 7 }))
    const operations = [cancel({ id: 7 }), rcs({ id: 8 })]
    fails = true
    expect(JSON.parse(await post(cut, operations)).success).toBe(false)
    fails = false
    const { data } = JSON.parse(await post(cut, operations))
    expect(data).toMatchObject([{ data: { id: 7, status: 'CANCELLED' } }, { data: { id: 8 } }])
    expect(cut.outbox.taken).toHaveLength(2)
    expect(await cut.store.verifyLedger()).toEqual([])
    await cut.stop()
  })
})
