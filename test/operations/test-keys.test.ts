/** What a test key may ask for, and that nothing of it is counted where live messages are. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TEST_POOL } from '../../src/domain/routing/test-mode.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, type ClientBenchOptions, startClientBench } from '../support/client-bench.ts'
import { call, chain, rcs, UNSERVED_PHONE } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
let secret: string
const begin = async (options: ClientBenchOptions = {}) => {
  bench = await startClientBench({ balanceMicros: 0, ...options })
  secret = makeKey('test', new SeededRandom())
  const key = buildKey({ hash: hashKey(secret), accountId: bench.accountId, name: 'tests', test: true })
  await bench.change({ kind: 'add key', key })
}
beforeEach(() => begin())
afterEach(() => bench.stop())

const ask = async (data: readonly object[], headers: Readonly<Record<string, string>> = {}) =>
  JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data }), { headers })).text)

test('sends without money, and what is sent is marked and free', async () => {
  expect(await ask([chain()])).toMatchObject({ data: [{ success: true, data: { parts: 1 } }] })
  expect(bench.outbox.taken).toMatchObject([{ test: true, journey: { heldMicros: 0 } }])
  expect(bench.outbox.taken[0]?.plan.map(({ priceMicros }) => priceMicros)).toEqual([0, 0, 0])
  expect((await bench.post([chain()])).data[0]).toMatchObject({ error: 'Insufficient funds' })
  expect(await bench.store.verifyLedger()).toEqual([])
})

test('sends to numbers without a price, under the names of the sandbox, and under no other that is not approved', async () => {
  const elsewhere = { phone: 33612345600 }
  expect((await ask([rcs(elsewhere), rcs({ ...elsewhere, rcs_signature: 'Unknown' })])).data).toMatchObject([
    { success: true },
    { success: false, error: 'Error in Alpha-name' },
  ])
  expect((await ask([{ ...rcs(), type: 'price', send_type: 'rcs' }])).data[0].data).toMatchObject({ price: 0.03 })
})

test('fields are checked as ever', async () => {
  expect((await ask([rcs({ phone: 1 })])).data[0]).toMatchObject({ error: 'Invalid phone number' })
})

test('calls come from numbers set aside, and only phones whose operator is not supported are refused', async () => {
  await ask([call()])
  const [content] = bench.outbox.taken[0]?.plan.map((step) => step.content) ?? []
  expect(content?.kind === 'call' && TEST_POOL.numbers.includes(content.from)).toBe(true)
  expect(await ask([call({ phone: UNSERVED_PHONE })])).toEqual({
    success: false,
    error: 'Operator not supported',
    code: 'operator_not_supported',
  })
})

test('calls of tests leave those of live clients as many as they had', async () => {
  await bench.stop()
  await begin({ balanceMicros: 1_000_000, limits: { callsPerHourToPhone: 1 } })
  const error = {
    success: false,
    error: 'Too many calls to this phone number, try again later',
    code: 'too_many_calls',
  }
  expect((await ask([call(), call()])).data).toMatchObject([{ success: true }, error])
  expect((await bench.post([call(), call()])).data).toMatchObject([{ success: true }, error])
})

test('ids of tests are apart from live ones, where ids are unique', async () => {
  await bench.stop()
  await begin({ balanceMicros: 1_000_000, settings: { uniqueIds: true } })
  const ids = async (answer: Promise<{ data: { data: { msg_id: number } }[] }>) =>
    (await answer).data.map(({ data }) => data.msg_id)
  const [tested, again] = await ids(ask([rcs({ id: 5 }), rcs({ id: 5 })]))
  const [live, liveAgain] = await ids(bench.post([rcs({ id: 5 }), rcs({ id: 5 })]))
  expect([again, liveAgain]).toEqual([tested, live])
  expect(live).not.toBe(tested)
  expect(bench.outbox.taken.map((message) => message.test)).toEqual([true, false])
})

test('idempotency keys of tests are apart from live ones', async () => {
  await bench.stop()
  await begin({ balanceMicros: 1_000_000 })
  const headers = { 'Idempotency-Key': 'k-1' }
  const tested = await ask([rcs()], headers)
  const live = await bench.post([rcs()], { headers })
  expect(live).toMatchObject({ success: true })
  expect(live).not.toEqual(tested)
  expect(await ask([rcs()], headers)).toEqual(tested)
  expect(bench.outbox.taken).toHaveLength(2)
})

test('guards of destinations do not hold simulated phones', async () => {
  await bench.stop()
  await begin({ balanceMicros: 1_000_000, settings: { allowedCountries: ['FR'] } })
  expect((await ask([rcs()])).data[0]).toMatchObject({ success: true })
  expect((await bench.post([rcs()])).data[0]).toMatchObject({ success: false })
})

test('a test changes nothing that live messages are made of', async () => {
  const error = { success: false, error: 'type: not allowed with a test key' }
  const { data } = await ask([
    { type: 'template/create', id: 1, name: 'a', template: 'b' },
    { type: 'template/delete', name: 'a' },
    { type: 'template/chatapp/list' },
    { type: 'balance' },
  ])
  expect(data).toMatchObject([error, error, { success: true }, { success: true, data: { amount: 0 } }])
})

test('what costs nothing comes slowly, and takes nothing from what live clients may ask', async () => {
  await bench.stop()
  await begin({
    balanceMicros: 1_000_000,
    limits: { testOperationsPerSecond: 2 },
    settings: { operationsPerSecond: 3 },
  })
  const limited = { success: false, error: 'Rate limit exceeded, at most 2 operations a second', code: 'rate_limited' }
  expect(await ask([{ type: 'balance' }, { type: 'balance' }])).toMatchObject({ success: true })
  expect(await ask([{ type: 'balance' }])).toEqual(limited)
  for (let count = 0; count < 3; count += 1) {
    expect(await bench.post([{ type: 'balance' }])).toMatchObject({ success: true })
  }
  bench.clock.advance(500)
  expect(await ask([{ type: 'balance' }])).toMatchObject({ success: true })
})
