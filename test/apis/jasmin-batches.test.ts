/** The callbacks of Jasmin's batches: one for each message, to the address for its outcome. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BatchCallbacks } from '../../src/apis/jasmin/batch-callbacks.ts'
import { buildLogin, LOGIN_PASSWORD } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { eventually, turnLoop } from '../support/eventually.ts'
import { HookSink } from '../support/hook-sink.ts'

let bench: ClientBench
let sink: HookSink
beforeEach(async () => {
  bench = await startClientBench({ apis: ['jasmin'], hookAllow: ['127.0.0.0/8'] })
  await bench.change({ kind: 'set client login', login: buildLogin({ accountId: bench.accountId, name: 'foo' }) })
  sink = await HookSink.open(bench.clock)
})
afterEach(async () => {
  await bench.stop()
  await sink.close()
})

const MESSAGES = [
  { to: ['491701234501', '491701234502'], content: 'Hello', from: 'SMSTest' },
  { to: '12', content: 'Nowhere', from: 'SMSTest' },
]

async function sendBatch(config: object, messages: readonly object[] = MESSAGES) {
  const Authorization = `Basic ${Buffer.from(`foo:${LOGIN_PASSWORD}`).toString('base64')}`
  const body = JSON.stringify({ messages, batch_config: config })
  const response = await fetch(`${bench.address}/secure/sendbatch`, {
    method: 'POST',
    headers: { Authorization },
    body,
  })
  return { status: response.status, body: (await response.json()) as { data?: { batchId: string }; title?: string } }
}

/** The address and the parameters of each call. */
const calls = () =>
  sink.calls.map(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://a')
    return { pathname, ...Object.fromEntries(searchParams) }
  })

test('go to callback_url for what is accepted, and to errback_url for what is not', async () => {
  const base = new URL(sink.address).origin
  const { body } = await sendBatch({ callback_url: `${base}/ok?shop=7`, errback_url: `${base}/wrong` })
  await eventually('all calls', () => sink.calls.length === 3)
  const batchId = body.data?.batchId
  const accepted = (index: number) => `Success "${String(bench.outbox.taken[index]?.id)}"`
  expect(calls()).toEqual([
    { pathname: '/ok', shop: '7', batchId, to: '491701234501', status: '1', statusText: accepted(0) },
    { pathname: '/ok', shop: '7', batchId, to: '491701234502', status: '1', statusText: accepted(1) },
    {
      ...{ pathname: '/wrong', batchId, to: '12', status: '0' },
      statusText: 'Error "Argument [to] has an invalid value: [12]."',
    },
  ])
})

test('go to one address only if there is no other', async () => {
  await sendBatch({ errback_url: sink.address })
  await eventually('the call', () => sink.calls.length === 1)
  await turnLoop()
  expect(calls()).toMatchObject([{ to: '12' }])
})

test('end after three failures in a row; an answer of any status is no failure', async () => {
  const messages = Array.from(
    { length: 9 },
    (_, index) => ({ to: String(index), status: 1, statusText: 'Success' }) as const,
  )
  const called: string[] = []
  const callbacks = new BatchCallbacks(
    {
      post: async ({ body }) => {
        called.push(JSON.parse(body).to)
        const isAnswered = called.length === 3
        return isAnswered
          ? { kind: 'answered', status: 500, retryAfterMs: null }
          : { kind: 'failed', reason: 'ECONNREFUSED' }
      },
    },
    bench.clock,
  )
  await callbacks.run(1, { accepted: 'https://shop.example/ok', refused: null }, { batchId: 'b', messages })
  expect(called).toEqual(['0', '1', '2', '3', '4', '5'])
})

test.each([
  ['an address in a private network', 'http://10.0.0.1/ok'],
  ['no address', 'shop'],
  ['a number', 5],
  ['a long address', `https://shop.example/${'a'.repeat(2_048)}`],
])('are not accepted with %s, and nothing is sent', async (_, address) => {
  for (const config of [{ callback_url: address }, { errback_url: address }]) {
    expect(await sendBatch(config)).toMatchObject({ status: 412, body: { title: 'Validation error' } })
  }
  expect(bench.outbox.taken).toEqual([])
})

test('of 50 batches are enough: the next batch waits for its client to send it again', async () => {
  sink.answer = () => null
  const one = [{ to: '491701234501', content: 'Hello', from: 'SMSTest' }]
  for (let batch = 0; batch < 50; batch += 1) {
    expect((await sendBatch({ callback_url: sink.address }, one)).status).toBe(200)
  }
  expect(await sendBatch({ callback_url: sink.address }, one)).toMatchObject({ body: { title: 'Too many batches' } })
  expect(bench.outbox.taken).toHaveLength(50)
  sink.answer = () => ({ status: 200 })
  await eventually('some calls', () => sink.calls.length > 0)
  sink.answerAll(200)
  await eventually('a place', async () => (await sendBatch({ callback_url: sink.address }, one)).status === 200)
})
