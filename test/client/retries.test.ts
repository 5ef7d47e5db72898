/** A bad road between client and gateway: what is asked again, under which key, and that nothing is ever sent twice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Operation, PosthornOptions, Retry } from '../../client/src/posthorn-client.ts'
import { DEFAULT_RETRY, delayBefore, readRetryAfter } from '../../client/src/retry.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { StoreError } from '../../src/ports/records/store-errors.ts'
import { BadRoad } from '../support/bad-road.ts'
import { BuiltClient, type ClientModule } from '../support/built-client.ts'
import { startClientBench } from '../support/client-bench.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let built: BuiltClient
let client: ClientModule
let road: BadRoad
let retries: Retry[]
beforeAll(async () => {
  built = new BuiltClient()
  client = await built.load()
  world = await SandboxWorld.start()
})
afterAll(async () => {
  built.remove()
  await world.stop()
})
beforeEach(async () => {
  road = await BadRoad.open(world.gateway.address)
  retries = []
})
afterEach(() => road.close())

/** Comes back at once, and does not wait for long. */
function make(options: Partial<PosthornOptions> = {}) {
  return new client.Posthorn({
    baseUrl: road.address,
    apiKey: world.key,
    retry: { tries: 3, firstDelayMs: 0 },
    onRetry: (retry) => retries.push(retry),
    ...options,
  })
}

const messageTo = (phone: string): Operation<'rcs'> => ({
  type: 'rcs',
  id: 9_223_372_036_854_775_807n,
  phone,
  rcs_signature: 'RCSTest',
  rcs_message: 'Your parcel is here.',
})

/** How many messages reached the phone. */
async function arrivedAt(phone: string): Promise<number> {
  await world.rest()
  return world.box.traffic.to(phone).length
}

const keysSeen = () => road.passed.map(({ headers }) => headers['idempotency-key'])

describe('a message is sent once', () => {
  test.each([
    ['breaks before', '491701236100'],
    ['breaks after', '491701237100'],
  ] as const)('when the connection %s the gateway was asked', async (mishap, phone) => {
    road.mishaps.push(mishap, mishap)
    const sent = await make().send(messageTo(phone))
    expect(sent).toMatchObject({ id: 9_223_372_036_854_775_807n, parts: 1 })
    expect(retries.map(({ tries, error }) => [tries, error instanceof client.NoAnswerError && error.reason])).toEqual([
      [1, 'network'],
      [2, 'network'],
    ])
    const [key, ...others] = keysSeen()
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(others).toEqual([key, key])
    expect(new Set(road.passed.map(({ body }) => body)).size).toBe(1)
    expect(await arrivedAt(phone)).toBe(1)
  })

  test('when the gateway takes it and its answer does not come in time', async () => {
    road.mishaps.push('silence after')
    const sent = await make({ timeoutMs: 1_000 }).send(messageTo('491701236200'))
    expect(retries[0]?.error).toMatchObject({ name: 'NoAnswerError', reason: 'timeout', tries: 1 })
    expect(sent.parts).toBe(1)
    expect(await arrivedAt('491701236200')).toBe(1)
  })

  test('when answers were lost and the program asks again itself, under the key that the error names', async () => {
    road.mishaps.push('breaks after', 'breaks after', 'breaks after')
    const posthorn = make()
    const operation = messageTo('491701236300')
    const error: unknown = await posthorn.send(operation).catch((cause: unknown) => cause)
    if (!(error instanceof client.NoAnswerError)) throw error
    expect([error.reason, error.tries, error.message]).toEqual(['network', 3, 'the connection to the gateway failed'])
    expect(error.cause).toBeInstanceOf(Error)
    expect(await arrivedAt('491701236300')).toBe(1)
    const sent = await make().send(operation, { idempotencyKey: error.idempotencyKey ?? '' })
    expect(sent.parts).toBe(1)
    expect(await arrivedAt('491701236300')).toBe(1)
  })

  test('when two programs use one key; and the key with other operations is refused', async () => {
    const options = { idempotencyKey: 'order-17' }
    const [first, second] = await Promise.all([
      make().send(messageTo('491701236400'), options),
      make().send(messageTo('491701236400'), options),
    ])
    expect(second).toEqual(first)
    expect(await arrivedAt('491701236400')).toBe(1)
    await expect(make().send(messageTo('491701236500'), options)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      tries: 1,
      idempotencyKey: 'order-17',
    })
  })

  test.each(['', 'a b', 'ü', 'a\nb', 'a'.repeat(256)])('the key %j is none', async (idempotencyKey) => {
    const failed = make().send(messageTo('491701236600'), { idempotencyKey })
    await expect(failed).rejects.toThrow(/^idempotencyKey: /)
    expect(road.passed).toEqual([])
  })
})

describe('what only reads', () => {
  test('is asked again without a key', async () => {
    road.mishaps.push('breaks after')
    const results = await make().batch([{ type: 'balance' }, { type: 'template/chatapp/list' }])
    expect(results.every(({ success }) => success)).toBe(true)
    expect(keysSeen()).toEqual([undefined, undefined])
  })
})

describe('events', () => {
  test('are read again for as long as the gateway cannot be reached, and until the signal ends it', async () => {
    await world.send({ ...messageTo('491701236700'), id: 1, hook: 'feed:' })
    await world.pass(3)
    for (let round = 0; round < 3; round += 1) road.mishaps.push('breaks before', { status: 503 }, 'breaks after')
    for await (const { report } of make().events()) {
      expect(report).toMatchObject({ type: 'message.status', status: 'DELIVERED' })
      break
    }
    expect(retries.map(({ tries }) => tries)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const controller = new AbortController()
    road.mishaps.push(...Array(20).fill('breaks before'))
    const options = { retry: { tries: 3, firstDelayMs: 0 }, onRetry: () => controller.abort(new Error('enough')) }
    const ended = make(options).events({ signal: controller.signal }).next()
    await expect(ended).rejects.toThrow('enough')
    road.mishaps.length = 0
  })

  test('end by an error that no retry can help', async () => {
    await expect(make({ apiKey: 'wrong' }).events().next()).rejects.toMatchObject({ code: 'access_denied', tries: 1 })
  })
})

describe('what stands between', () => {
  test.each([500, 502, 503, 504, 429, 408])('HTTP status %d is asked again', async (status) => {
    road.mishaps.push({ status, body: '<html>' }, { status })
    expect(await make().balance()).toMatchObject({ currency: 'EUR' })
    expect(retries.map(({ error }) => error instanceof client.NoAnswerError && [error.reason, error.status])).toEqual([
      ['status', status],
      ['status', status],
    ])
  })

  test.each([301, 307, 308, 400, 403, 404])(
    'HTTP status %d is reported at once, and no redirect is followed',
    async (status) => {
      road.mishaps.push({ status, headers: { location: '/api/json.php' } })
      await expect(make().balance()).rejects.toMatchObject({
        name: 'NoAnswerError',
        reason: 'status',
        status,
        tries: 1,
      })
      expect(road.passed).toHaveLength(1)
    },
  )

  test.each([
    ['<html>Welcome</html>'],
    ['null'],
    ['[]'],
    ['{"success":true}'],
    ['{"success":true,"data":[]}'],
    ['{"success":true,"data":[null]}'],
    ['{"success":true,"data":[{"success":true}]}'],
    ['{"success":true,"data":[{"success":false}]}'],
    ['{"success":false}'],
  ])('%s is no answer', async (body) => {
    road.mishaps.push({ status: 200, body })
    await expect(make().balance()).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'answer', tries: 1 })
  })

  test('waits for as long as Retry-After asks, up to the longest wait', async () => {
    road.mishaps.push({ status: 503, headers: { 'retry-after': '7200' } })
    await make({ retry: { tries: 2, firstDelayMs: 0, maxDelayMs: 3 } }).balance()
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([3])
  })
})

describe('answers of the gateway that ask for patience', () => {
  test('Rate limit exceeded: asked again until the account may', async () => {
    const setLimit = (operationsPerSecond: number | null) =>
      world.operate((store) => changeAccount(store, { accountId: world.accountId, settings: { operationsPerSecond } }))
    await setLimit(1)
    const posthorn = make({
      onRetry: (retry) => {
        retries.push(retry)
        world.clock.advance(1_000)
      },
    })
    await posthorn.balance()
    expect(await posthorn.send(messageTo('491701236700'))).toMatchObject({ parts: 1 })
    expect(retries.map(({ error }) => error instanceof client.RequestError && error.code)).toEqual(['rate_limited'])
    await setLimit(null)
  })

  test('Service unavailable: retried, and reported if it persists', async () => {
    let failures = 2
    const bench = await startClientBench({
      wrapStore: (store) =>
        new Proxy(store, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name)
            if (name === 'accept' && failures > 0) {
              return () => {
                failures -= 1
                return Promise.reject(new StoreError('disk full'))
              }
            }
            return typeof value === 'function' ? value.bind(target) : value
          },
        }),
    })
    const posthorn = make({ baseUrl: bench.address, apiKey: 'demo-key' })
    expect(await posthorn.send(messageTo('491701236800'))).toMatchObject({ parts: 1 })
    expect(bench.outbox.taken).toHaveLength(1)
    failures = 3
    await expect(posthorn.send(messageTo('491701236800'))).rejects.toMatchObject({ code: 'unavailable', tries: 3 })
    expect(bench.outbox.taken).toHaveLength(1)
    await bench.stop()
  })
})

describe('a signal', () => {
  test('ends a request that gets no answer', async () => {
    road.mishaps.push('silence')
    const controller = new AbortController()
    const asked = make().balance({ signal: controller.signal })
    const reason = new Error('the user has left')
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    expect(retries).toEqual([])
  })

  test('ends the wait before the next try', async () => {
    road.mishaps.push('breaks before')
    const controller = new AbortController()
    const reason = new Error('the user has left')
    const posthorn = make({
      retry: { firstDelayMs: 2 ** 31 - 1, maxDelayMs: 2 ** 31 - 1 },
      onRetry: () => queueMicrotask(() => controller.abort(reason)),
    })
    await expect(posthorn.balance({ signal: controller.signal })).rejects.toBe(reason)
    expect(road.passed).toHaveLength(1)
  })

  test('that was given before lets nothing out', async () => {
    const asked = make().send(messageTo('491701236900'), { signal: AbortSignal.abort(new Error('never')) })
    await expect(asked).rejects.toThrow('never')
    expect(road.passed).toEqual([])
  })
})

test('waits double up to the longest, half of each by chance, and never below what was asked for', () => {
  const waits = (luck: number, asked: number | null = null) =>
    [1, 2, 3, 7].map((tries) => delayBefore(DEFAULT_RETRY, tries, luck, asked))
  expect(waits(0)).toEqual([250, 500, 1_000, 10_000])
  expect(waits(1)).toEqual([500, 1_000, 2_000, 20_000])
  expect(waits(0, 1_500)).toEqual([1_500, 1_500, 1_500, 10_000])
  expect(waits(0, 99_000)).toEqual([20_000, 20_000, 20_000, 20_000])
})

test.each([
  ['3', 3_000],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
  ['Thu, 01 Jan 2015 00:00:07 GMT', 0],
  ['soon', null],
  [null, null],
])('Retry-After: %s', (value, milliseconds) => {
  expect(readRetryAfter(value, Date.UTC(2026, 0, 1))).toBe(milliseconds)
})
