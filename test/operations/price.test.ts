import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toMicros } from '../../src/domain/money/money.ts'
import { SEND_TYPES } from '../support/all-operations.ts'
import { buildPrice } from '../support/build-price.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { PHONE, rcs, send, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

/** The question what this send would cost. */
const priceOf = (item: { readonly type: string }) => ({ ...item, type: 'price', send_type: item.type })

test('price: what would be held, and what each step costs', async () => {
  const item = send('rcs+sms+chatapp', { id: 'a-1', sms_message: 'x'.repeat(161) })
  expect(await bench.ask(priceOf(item))).toEqual({
    success: true,
    data: {
      id: 'a-1',
      price: 0.1,
      currency: 'EUR',
      steps: [
        { channel: 'rcs', parts: 1, price: 0.03 },
        { channel: 'sms', parts: 2, price: 0.1 },
        { channel: 'chatapp', parts: 1, price: 0.04 },
      ],
    },
  })
  expect(Object.keys((await bench.ask(priceOf(rcs({ id: undefined })))).data)).toEqual(['price', 'currency', 'steps'])
})

test.each(SEND_TYPES)('%s: the price is what the send holds', async (type) => {
  const fields = { short_link: true, sms_message: `https://client.example/${'x'.repeat(200)}` }
  const { data } = await bench.ask(priceOf(send(type, fields)))
  await bench.ask(send(type, fields))
  const [message] = bench.outbox.taken
  expect(data.price * 1e6).toBe(message?.journey.heldMicros)
  expect(data.steps.map((step: { parts: number }) => step.parts)).toEqual(message?.plan.map((step) => step.parts))
})

describe('gives the error that the send would give', () => {
  const unshortenable = 'tiny.io '.repeat(130).slice(0, 1_000)
  test.each([
    rcs({ phone: 1 }),
    rcs({ rcs_message: '' }),
    rcs({ rcs_signature: 'Unknown' }),
    rcs({ phone: 33612345678 }),
    rcs({ hook: 'x' }),
    rcs({ short_link: 'yes' }),
    rcs({ id: [] }),
    sms({ sms_message: 'x'.repeat(1531) }),
    sms({ sms_lifetime: 5 }),
    send('chatapp+sms', { chatapp_type: 'image' }),
    send('chatapp', { chatapp_message: unshortenable, short_link: true }),
  ])('%#', async (item) => {
    const error = await bench.ask(item)
    expect(error.success).toBe(false)
    expect(await bench.ask(priceOf(item))).toEqual(error)
  })

  test.each([undefined, null, '', 'fax', 'price', 'call/otp', 5])(
    'and one for a send_type of %j',
    async (send_type) => {
      const { error } = await bench.ask({ ...rcs(), type: 'price', send_type })
      expect(error).toMatch(send_type ? /^send_type: must be one of rcs, chatapp, sms, / : /^send_type: required$/)
    },
  )
})

test('returns the price to an account without money', async () => {
  const poor = await startClientBench({ balanceMicros: 0 })
  const { data } = await poor.post([priceOf(rcs()), rcs()])
  expect(data).toMatchObject([{ data: { price: 0.03 } }, { error: 'Insufficient funds' }])
  await poor.stop()
})

test('asking sends, holds and makes nothing, not even an id', async () => {
  const item = priceOf(rcs({ rcs_message: 'https://client.example/', short_link: true, hook: 'https://a.example/' }))
  const first = await bench.ask(rcs())
  const balances = await bench.store.balancesOf(bench.accountId)
  for (const path of [SYNC_PATH, ASYNC_PATH]) expect((await bench.post([item, item], { path })).success).toBe(true)
  expect(bench.outbox.taken).toHaveLength(1)
  expect(bench.outbox.dueAts).toEqual([])
  expect(await bench.store.balancesOf(bench.accountId)).toEqual(balances)
  expect((await bench.store.counts()).open).toBe(1)
  expect((await bench.ask(rcs())).data.msg_id).toBe(first.data.msg_id + 64)
})

test('under an Idempotency-Key returns the first price again', async () => {
  const body = JSON.stringify({ auth: KEY, data: [priceOf(rcs())] })
  const headers = { 'Idempotency-Key': 'price-1' }
  const first = (await bench.postRaw(body, { headers })).text
  await bench.change({
    kind: 'set price',
    price: buildPrice({ channel: 'rcs', prefix: String(PHONE), priceMicros: toMicros(1) }),
  })
  expect((await bench.postRaw(body, { headers })).text).toBe(first)
  expect((await bench.ask(priceOf(rcs()))).data.price).toBe(0.000001)
})
