/**
 * A request of few operations with very many members is refused before they are worked on; strings may hold what they
 * like.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { rcs } from '../support/operations.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

const ask = async (body: string) => JSON.parse((await bench.postRaw(body, {})).text) as object
const members = (count: number) => Array.from({ length: count }, (_, each) => `"${each}":1`).join(',')

test('so many members as an operation can have use for, and no more', async () => {
  const refused = {
    success: false,
    error: 'data: at most 1040 fields and list elements in a request of so many operations',
    code: 'invalid_request',
  }
  const item = (id: string, more: string) => `{"auth":"${KEY}","data":[{"type":"balance","id":${id},"x":{${more}}}]}`
  expect(await ask(item('1.0', members(1_100)))).toEqual(refused)
  expect(await ask(item('1', members(1_100)))).toEqual(refused)
  expect(await ask(item('1.0', members(1_000)))).toMatchObject({ success: true, data: [{ success: true }] })
  expect(await ask(`{"auth":"unknown","data":[{"type":"balance","x":{${members(1_100)}}}]}`)).toEqual({
    success: false,
    error: 'Access denied',
    code: 'access_denied',
  })
})

test('a text full of commas is a text', async () => {
  expect(await bench.post([rcs({ rcs_message: ','.repeat(3_000) })])).toMatchObject({
    success: true,
    data: [{ success: true }],
  })
})
