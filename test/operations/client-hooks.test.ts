/** Hooks that a client manages: what is refused, and that a repeated request creates nothing twice. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MAX_CLIENT_HOOKS, MAX_HOOK_CHANGES } from '../../src/domain/reports/client-hook.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { itemError } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const creation = (fields: object = {}) => ({ type: 'hook/create', hook: 'https://shop.example/reports', ...fields })
const list = async () => (await bench.ask({ type: 'hook/list' })).data

test.each([
  [{ hook: 'http://10.0.0.7/' }, 'hook: must be a public address, private networks are not allowed'],
  [{ hook: 'feed:' }, 'hook: must be an absolute http or https address'],
  [{ hook: undefined }, 'hook: required'],
  [{ description: 'x'.repeat(201) }, 'description: at most 200 characters'],
])('a hook with %o is refused', async (fields, error) => {
  expect(await bench.ask(creation(fields))).toMatchObject({ success: false, error })
  expect(await bench.ask(creation())).toMatchObject({ success: true })
  const { hook = 'https://shop.example/reports', ...rest } = fields as { hook?: string }
  if (hook.startsWith('http://'))
    expect(await bench.ask({ type: 'hook/update', hook_id: 1, ...rest, hook })).toMatchObject({ error })
  expect(await list()).toMatchObject([{ hook_id: 1, hook: 'https://shop.example/reports' }])
})

test.each([[[]], [['message.sent']], [['link.clicked', 'link.clicked']], ['link.clicked']])(
  'the events %o are refused',
  async (events) => {
    const { error } = await bench.ask(creation({ events }))
    expect(error).toMatch(/^events: must be a list of one or more of message\.status, link\.clicked, .*, each once$/)
  },
)

test('an account has five hooks, each with an address of its own', async () => {
  for (let count = 1; count <= MAX_CLIENT_HOOKS; count += 1) {
    const created = await bench.ask(creation({ hook: `https://shop.example/${count}` }))
    expect(created).toEqual({ success: true, data: { hook_id: count, secret: expect.stringMatching(/^whsec_/) } })
  }
  const tooMany = 'hook: at most 5 hooks in an account, delete one first'
  expect(await bench.ask(creation())).toEqual(itemError(tooMany))
  expect(await bench.ask({ type: 'hook/delete', hook_id: 2 })).toEqual({ success: true, data: { hook_id: 2 } })
  const taken = 'hook: another hook of the account has this address'
  expect(await bench.ask(creation({ hook: 'https://shop.example/3?again' }))).toEqual(itemError(taken))
  expect(await bench.ask({ type: 'hook/rotate', hook_id: '2' })).toEqual(itemError('Hook not found'))
})

test('hooks are changed 20 times an hour, and nothing is written beyond', async () => {
  await bench.ask(creation())
  for (let count = 1; count < MAX_HOOK_CHANGES; count += 1) {
    expect(await bench.ask({ type: 'hook/update', hook_id: 1, description: `${count}` })).toMatchObject({
      success: true,
    })
  }
  const { revision } = await bench.store.loadHooks(0)
  const often = 'Hooks were changed or tested 20 times within an hour, try again later'
  for (const item of [creation({ hook: 'https://other.example' }), { type: 'hook/test', hook_id: 1 }]) {
    expect(await bench.ask(item)).toEqual(itemError(often))
  }
  expect((await bench.store.loadHooks(0)).revision).toBe(revision)
  bench.clock.turnTo(bench.clock.now() + 3_600_000)
  expect(await bench.ask({ type: 'hook/test', hook_id: 1 })).toMatchObject({
    data: { hook_id: 1, webhook_id: expect.stringMatching(/^rep_\d+_65536$/) },
  })
})

test('a repeat under its key returns the same secret, and creates nothing', async () => {
  const headers = { 'Idempotency-Key': 'create-1' }
  const body = JSON.stringify({ auth: KEY, data: [creation()] })
  const first = await bench.postRaw(body, { headers })
  expect(JSON.parse(first.text)).toMatchObject({ data: [{ success: true }] })
  expect((await bench.postRaw(body, { headers })).text).toBe(first.text)
  expect(await list()).toHaveLength(1)
})

test('a test key may list hooks and not change them', async () => {
  const secret = makeKey('test', new SeededRandom())
  const key = buildKey({ hash: hashKey(secret), accountId: bench.accountId, name: 'tests', test: true })
  await bench.change({ kind: 'add key', key })
  await bench.ask(creation())
  const named = { hook_id: 1 }
  const data = [
    { type: 'hook/list' },
    creation({ hook: 'https://other.example' }),
    ...['update', 'rotate', 'delete', 'test'].map((change) => ({ type: `hook/${change}`, ...named })),
  ]
  const answer = JSON.parse((await bench.postRaw(JSON.stringify({ auth: secret, data }))).text)
  expect(answer.data[0]).toMatchObject({ success: true, data: [named] })
  for (const refused of answer.data.slice(1)) {
    expect(refused).toMatchObject({ success: false, error: 'type: not allowed with a test key' })
  }
})
