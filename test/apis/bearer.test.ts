/** The key of a request of the JSON API: in its body, in the header `Authorization: Bearer`, or in both. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
})
afterAll(() => bench.stop())

const DENIED = { success: false, error: 'Access denied', code: 'access_denied' }
const BALANCE = { success: true, data: [{ success: true }] }

/** Bodies that are parsed before their key is known, and after it. */
const BODIES = [
  ['a small body', ''],
  ['a body beyond 4 KiB', 'x'.repeat(5_000)],
] as const

/** The fast path reads plain requests; another content type makes Node read them. */
const READERS = [
  ['the fast path', 'application/json'],
  ['Node', 'application/json; charset=utf-8'],
] as const

describe.each([SYNC_PATH, ASYNC_PATH])('%s', (path) => {
  describe.each(READERS)('read by %s', (_, type) => {
    describe.each(BODIES)('with %s', (__, pad) => {
      const ask = async (authorization: string | null, auth?: string) => {
        const body = JSON.stringify({ pad, auth, data: [{ type: 'balance' }] })
        const headers = { 'Content-Type': type, ...(authorization === null ? {} : { Authorization: authorization }) }
        return JSON.parse((await bench.postRaw(body, { path, headers })).text)
      }

      test('the header alone gives the key, and so do both that agree', async () => {
        expect(await ask(`Bearer ${KEY}`)).toMatchObject(BALANCE)
        expect(await ask(`bearer   ${KEY}`)).toMatchObject(BALANCE)
        expect(await ask(`Bearer ${KEY}`, KEY)).toMatchObject(BALANCE)
      })

      test('both that differ open nothing, whichever is right', async () => {
        expect(await ask('Bearer other', KEY)).toEqual(DENIED)
        expect(await ask(`Bearer ${KEY}`, 'other')).toEqual(DENIED)
        expect(await ask('Bearer', KEY)).toEqual(DENIED)
        expect(await ask(`Bearer ${KEY}${'x'.repeat(1_100)}`, KEY)).toEqual(DENIED)
      })

      test('another scheme is that of a proxy', async () => {
        expect(await ask('Basic dXNlcjpwYXNz', KEY)).toMatchObject(BALANCE)
        expect(await ask(`BearerX ${KEY}`)).toEqual(DENIED)
        expect(await ask(null)).toEqual(DENIED)
      })
    })
  })
})

test('a repeat with its key in the other place is a request with another body', async () => {
  const post = async (body: object, headers: Record<string, string>) =>
    JSON.parse((await bench.postRaw(JSON.stringify(body), { headers: { 'Idempotency-Key': 'k', ...headers } })).text)
  const data = [{ type: 'balance' }]
  expect(await post({ auth: KEY, data }, {})).toMatchObject({ success: true })
  expect(await post({ data }, { Authorization: `Bearer ${KEY}` })).toMatchObject({ code: 'idempotency_conflict' })
})
