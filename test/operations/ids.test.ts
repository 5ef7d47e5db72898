import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { itemError, PHONE, rcs } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

/** A body with ids written as these very tokens. */
const bodyWith = (...tokens: string[]) => {
  const items = tokens.map((token) => JSON.stringify(rcs({ id: '@' })).replace('"@"', token))
  return `{"auth":"${KEY}","data":[${items.join(',')}]}`
}

const TOKENS = [
  '0',
  '12',
  '-12',
  '-0',
  '1.0',
  '1e3',
  '9007199254740993',
  '9223372036854775807',
  '123456789012345678901234567890',
  '"007"',
  '"order-1"',
  '"Grüße 你好"',
  '"caf\\u00e9 \\/ \\"x\\""',
  '"\\ud800"',
]

test.each(TOKENS)('the id %s is returned unchanged, in results and in failures', async (token) => {
  const { text } = await bench.postRaw(bodyWith(token))
  expect(text).toMatch(/^\{"success":true,"data":\[\{"success":true,/)
  expect(text).toContain(`"data":{"id":${token},"msg_id":`)
  const failed = await bench.postRaw(bodyWith(token).replace('RCSTest', 'Unknown'))
  expect(failed.text).toBe(
    `{"success":true,"data":[{"success":false,"error":"Error in Alpha-name","code":"sender_not_approved","data":{"id":${token}},"field":"rcs_signature"}]}`,
  )
})

test.each([
  ['65 digits', '1'.repeat(65)],
  ['a million digits', '9'.repeat(1_000_000)],
  ['a long fraction', `0.${'1'.repeat(63)}`],
  ['a long exponent', `1e${'0'.repeat(63)}`],
  ['a string of 65 characters in escapes', `"${'\\u0061'.repeat(65)}"`],
  ['a string of a million escapes', `"${'\\u0061'.repeat(1_000_000)}"`],
])('an id of %s fails its item alone and is not echoed', async (_, token) => {
  const { text } = await bench.postRaw(bodyWith(token, '7'))
  const [long, short] = JSON.parse(text).data
  expect(long).toEqual(itemError('id: must be a number or a string of at most 64 characters'))
  expect(short).toMatchObject({ success: true, data: { id: 7 } })
})

test.each([
  ['64 digits', '1'.repeat(64)],
  ['64 characters in two escapes each', `"${'\\ud83d\\ude00'.repeat(64)}"`],
])('an id of %s comes back letter for letter', async (_, token) => {
  const { text } = await bench.postRaw(bodyWith(token))
  expect(text).toContain(`"data":{"id":${token},"msg_id":`)
})

test('distinguishes the ids of one request', async () => {
  const { text } = await bench.postRaw(bodyWith(...TOKENS))
  const echoed = [...text.matchAll(/"data":\{"id":(.*?),"msg_id"/g)].map((match) => match[1])
  expect(echoed).toEqual(TOKENS)
})

test.each([{}, { id: null }, { id: '' }])('without an id the result has none (%j)', async (fields) => {
  const item = { ...rcs(), id: undefined, ...fields }
  expect(Object.keys((await bench.ask(item)).data)).toEqual(['msg_id', 'data', 'parts'])
  expect((await bench.ask({ ...item, phone: 1 })).data).toEqual({})
})

test('the id may repeat, and each use is a message of its own', async () => {
  const first = await bench.ask(rcs({ id: 5 }))
  const second = await bench.ask(rcs({ id: 5 }))
  expect(second.data.msg_id).toBeGreaterThan(first.data.msg_id)
})

test('the store keeps the token for the reports', async () => {
  const { text } = await bench.postRaw(bodyWith('9223372036854775807'))
  const [stored] = await bench.store.loadMessages([JSON.parse(text).data[0].data.msg_id])
  expect(stored).toMatchObject({ clientId: '9223372036854775807', phone: String(PHONE) })
})

test('msg_id is a positive whole number below 2^53, of the bucket of its account, never given twice', async () => {
  const { data } = await bench.post(Array.from({ length: 1000 }, () => rcs()))
  const ids: number[] = data.map((result: { data: { msg_id: number } }) => result.data.msg_id)
  expect(new Set(ids).size).toBe(1000)
  expect(ids.every((id) => Number.isSafeInteger(id) && id > 0 && id % 64 === bench.accountId % 64)).toBe(true)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
})

test('unique ids: the second use of an id gives the first msg_id and sends nothing', async () => {
  const unique = await startClientBench({ settings: { uniqueIds: true } })
  const first = await unique.ask(rcs({ id: 5 }))
  const taken = unique.outbox.taken.length
  expect(await unique.ask(rcs({ id: 5, rcs_message: 'Another text' }))).toEqual(first)
  expect(unique.outbox.taken).toHaveLength(taken)
  const twice = await unique.post([rcs({ id: '5' }), rcs({ id: '5' })])
  expect(twice.data[0]).toEqual(twice.data[1])
  expect(twice.data[0]).not.toEqual(first)
  const { text } = await unique.postRaw(bodyWith('5.0', '5.5'))
  expect(text).toContain(`"data":{"id":5.0,"msg_id":${first.data.msg_id},`)
  expect(text).not.toContain(`"data":{"id":5.5,"msg_id":${first.data.msg_id},`)
  const [without, again] = (await unique.post([rcs({ id: undefined }), rcs({ id: undefined })])).data
  expect(without).not.toEqual(again)
  expect(unique.outbox.taken).toHaveLength(taken + 4)
  await unique.stop()
})
