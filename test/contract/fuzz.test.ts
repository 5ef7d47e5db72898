/**
 * Any bytes on the two paths, over a real socket: always HTTP 200 with a well-formed envelope; what is refused changes
 * nothing.
 */
import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { call, chain, chatapp, PHONE, rcs, UNSERVED_PHONE } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench({
    limits: { bodyBytes: 20_000, callsPerHourToPhone: 1_000_000 },
    balanceMicros: 900_000,
  })
})
afterAll(() => bench.stop())

interface Answer {
  readonly status: number | undefined
  readonly type: string | undefined
  readonly text: string
}

/** The body goes out in the given pieces. */
function send(path: string, headers: Record<string, string>, pieces: readonly Uint8Array[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(bench.address + path, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode, type: response.headers['content-type'], text })
      })
    })
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })
}

const state = async () => ({
  counts: await bench.store.counts(),
  balances: await bench.store.balancesOf(bench.accountId),
  taken: bench.outbox.taken.length,
})

async function check(
  path: string,
  headers: Record<string, string>,
  pieces: readonly Uint8Array[],
  operations: number | null,
) {
  const before = await state()
  const answer = await send(path, headers, pieces)
  expect(answer).toMatchObject({ status: 200, type: 'application/json' })
  const envelope = JSON.parse(answer.text)
  if (envelope.success === false) {
    expect(envelope).toEqual({
      success: false,
      error: expect.stringMatching(/./),
      code: expect.stringMatching(/^[a-z_]+$/),
    })
    expect(envelope.error).not.toBe('Internal error')
    expect(await state()).toEqual(before)
  } else {
    expect(envelope.success).toBe(true)
    expect(envelope.data).toHaveLength(operations ?? envelope.data.length)
    for (const result of envelope.data) checkResult(result)
  }
}

const OPTIONAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  field: (value) => typeof value === 'string' && value !== '',
  warnings: (value) => Array.isArray(value) && value.length > 0 && value.length <= 11,
}

/** The optional members that a result has, each as it must be. */
function besides(result: object, names: readonly string[]): object {
  const had = Object.entries(result).filter(([name]) => names.includes(name))
  expect(had.filter(([name, value]) => OPTIONAL[name]?.(value) !== true)).toEqual([])
  return Object.fromEntries(had)
}

function checkResult(result: { success: unknown; error?: unknown; data: object }) {
  if (result.success === true) {
    expect(result).toEqual({ success: true, data: expect.any(Object), ...besides(result, ['warnings']) })
  } else {
    expect(result).toEqual({
      success: false,
      error: expect.stringMatching(/./),
      code: expect.stringMatching(/^[a-z_]+$/),
      data: expect.any(Object),
      ...besides(result, ['field', 'warnings']),
    })
    expect(Object.keys(result.data)).toEqual('id' in result.data ? ['id'] : [])
  }
}

const path = fc.constantFrom(SYNC_PATH, ASYNC_PATH)
const JSON_HEADERS = { 'Content-Type': 'application/json' }

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown[]>(
    '',
    null,
    0,
    -1,
    2 ** 60,
    'https://client.example/',
    'http://',
    '\ud800',
    [],
    {},
    'x'.repeat(3_073),
  ),
  fc.string({ unit: 'binary', maxLength: 50 }),
)
const whole = fc.constantFrom<object[]>(
  rcs(),
  chatapp(),
  chain(),
  chain({ short_link: true, sms_message: 'https://client.example/ and www.client.com' }),
  call(),
  call({ phone: UNSERVED_PHONE }),
  rcs({ phone: PHONE, hook: 'https://client.example/h' }),
  { type: 'balance' },
  { type: 'template/create', name: 'n', template: 't' },
  { type: 'template/chatapp/list' },
)
const fieldName = fc.constantFrom(
  ...['id', 'type', 'phone', 'hook', 'short_link', 'name', 'template', '__proto__', 'constructor'],
  ...Object.keys(chain({ rcs_image: 1, rcs_link: 1, rcs_button: 1, rcs_lifetime: 1, chatapp_image: 1 })),
)
const item = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(whole, fc.dictionary(fieldName, strange, { maxKeys: 2 }))
      .map(([base, changes]) => ({ ...base, ...changes })),
  },
  { weight: 1, arbitrary: strange },
)

test('envelopes that are nearly right', async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.array(item, { maxLength: 5 }),
      fc.option(fc.constantFrom('a', 'b'), { freq: 4 }),
      async (to, data, key) => {
        const body = Buffer.from(JSON.stringify({ auth: KEY, data }))
        await check(to, key === null ? JSON_HEADERS : { ...JSON_HEADERS, 'Idempotency-Key': key }, [body], null)
      },
    ),
    { numRuns: 200 },
  )
  expect(await bench.store.verifyLedger()).toEqual([])
})

test('right envelopes with bytes changed, left out or put in', async () => {
  const right = Buffer.from(JSON.stringify({ auth: KEY, data: [chain({ id: 12 }), call()] }))
  const change = fc.record({
    at: fc.nat(right.length - 1),
    cut: fc.nat(3),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom('"', '{', '[', '\\', '.5', '99999999999999999').map((text) => Buffer.from(text)),
    ),
  })
  await fc.assert(
    fc.asyncProperty(path, fc.array(change, { maxLength: 3 }), async (to, changes) => {
      const body = changes.reduce(
        (bytes, { at, cut, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]),
        right,
      )
      await check(to, JSON_HEADERS, [body], null)
    }),
    { numRuns: 200 },
  )
})

test('any bytes, in any pieces, under any content type', async () => {
  const type = fc.constantFrom('application/json', 'text/plain', 'APPLICATION/JSON;a', '')
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(path, type, pieces, (to, contentType, bytes) =>
      check(to, { 'Content-Type': contentType }, bytes, null),
    ),
    { numRuns: 150 },
  )
})

test('bodies that are too large, declared or not', async () => {
  const piece = Buffer.alloc(7_000, ' ')
  const error = 'The body is too large, at most 20000 bytes'
  for (const headers of [JSON_HEADERS, { ...JSON_HEADERS, 'Content-Length': '28000' }]) {
    const answer = await send(SYNC_PATH, headers, [piece, piece, piece, piece])
    expect(JSON.parse(answer.text)).toEqual({ success: false, error, code: 'too_large' })
  }
  await check(SYNC_PATH, JSON_HEADERS, [Buffer.from(`{"auth":"${KEY}","data":[]}`), piece, piece], 0)
})
