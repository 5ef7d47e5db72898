/** Replays what published client programs of this dialect send, and compares what they read of the answers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectLike } from '../support/placeholders.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { EXCHANGES } from './json-programs.ts'

/** Programs decode answers to this depth. */
const MAX_DEPTH = 32

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start(60)
})
afterAll(() => world.stop())

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}, path = '/api/json.php') {
  const response = await fetch(world.gateway.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // Some programs treat every other status as a failed connection.
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return (await response.json()) as Readonly<Record<string, unknown>>
}

test.each(EXCHANGES)('a program $program', async ({ operations, headers, answer }) => {
  const given = await post({ auth: world.key, data: operations }, headers)
  expectLike(given, answer)
  expect(depthOf(given)).toBeLessThan(MAX_DEPTH)
})

test.each(EXCHANGES)('a program of the asynchronous address $program', async ({ operations, headers, answer }) => {
  const { request_id: id, ...given } = await post({ auth: world.key, data: operations }, headers, '/v1/json')
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expectLike(given, answer)
})

test('a program shows the error of a wrong key: success is false, and nothing stands beside the text', async () => {
  expect(await post({ auth: 'wrong', data: [{ type: 'balance' }] })).toEqual({
    success: false,
    error: 'Access denied',
    code: 'access_denied',
  })
})

test('a program asks for a status by its own id, and reads id, type and status', async () => {
  const message = { type: 'viber', id: 12332, phone: 491701234506, viber_signature: 'ChatTest' }
  await post({ auth: world.key, data: [{ ...message, viber_type: 'text', viber_message: 'Hello' }] })
  await world.pass(5)
  const { data } = await post({ auth: world.key, data: [{ type: 'status', id: 12332 }] })
  expect(data).toMatchObject([{ success: true, data: { id: 12332, type: 'viber', status: 'READ' } }])
})

test('a program whose header says text instead of JSON is refused, as its service does', async () => {
  const answer = await post({ auth: world.key, data: [{ type: 'balance' }] }, { 'content-type': 'text/plain' })
  expect(answer).toMatchObject({ success: false })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
