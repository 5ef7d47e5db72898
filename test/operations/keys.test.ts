/** What keys open: one account and their scopes, until they expire or are revoked; refusals give no details. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeyScope } from '../../src/domain/accounts/api-key.ts'
import { hashKey, makeKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { ASYNC_PATH, type ClientBench, KEY, SYNC_PATH, startClientBench } from '../support/client-bench.ts'
import { call, chain, chatapp, itemError, PHONE, rcs } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const DENIED = '{"success":false,"error":"Access denied","code":"access_denied"}'
const random = new SeededRandom()

/** Issues a key of the demo account. */
async function issue(change: { scopes?: readonly KeyScope[]; expiresAt?: number } = {}): Promise<string> {
  const secret = makeKey('live', random)
  await bench.change({
    kind: 'add key',
    key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, ...change }),
  })
  return secret
}

const askWith = async (auth: string, ...data: readonly object[]) =>
  JSON.parse((await bench.postRaw(JSON.stringify({ auth, data }))).text)

const OPERATIONS: readonly (readonly [KeyScope, object])[] = [
  ['send', rcs()],
  ['send', chatapp()],
  ['send', chain()],
  ['send', { ...rcs(), type: 'price', send_type: 'rcs' }],
  ['otp', call()],
  ['templates', { type: 'template/create', id: 1, name: 'Hello', template: 'Hello' }],
  ['templates', { type: 'template/chatapp/list', id: 1 }],
  ['balance', { type: 'balance', id: 1 }],
  ['hooks', { type: 'event/list', id: 1 }],
  ['inbound', { type: 'inbound/list', id: 1 }],
  ['hooks', { type: 'hook/replay', id: 1 }],
  ['lookup', { type: 'lookup', id: 1, phone: PHONE }],
  ['lookup', { type: 'hlr', id: 1, phone: PHONE }],
  ['hooks', { type: 'hook/list', id: 1 }],
  ['hooks', { type: 'hook/create', id: 1, hook: 'https://shop.example/reports' }],
]

test.each(['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup'] as const)(
  'the scope %s opens its operations and no other',
  async (scope) => {
    const key = await issue({ scopes: [scope] })
    const { data } = await askWith(key, ...OPERATIONS.map(([, item]) => item))
    for (const [index, [needed]] of OPERATIONS.entries()) {
      if (needed === scope) {
        expect(data[index]).toMatchObject({ success: true })
      } else {
        const error = `type: not allowed with this key, which lacks the scope ${needed}`
        expect(data[index]).toEqual(itemError(error, { id: 1 }))
      }
    }
  },
)

test('a key without the scope learns nothing of the other fields, and nothing is sent', async () => {
  const key = await issue({ scopes: ['balance'] })
  const { data } = await askWith(key, rcs({ phone: 'nonsense' }), rcs({ id: 2 }))
  expect(data.map((item: { error: string }) => item.error)).toEqual([
    'type: not allowed with this key, which lacks the scope send',
    'type: not allowed with this key, which lacks the scope send',
  ])
  expect(bench.outbox.taken).toEqual([])
})

test('an expired key opens nothing, from its very millisecond on', async () => {
  const key = await issue({ expiresAt: bench.clock.now() + 1_000 })
  expect(await askWith(key, { type: 'balance' })).toMatchObject({ success: true })
  bench.clock.turnTo(bench.clock.now() + 999)
  expect(await askWith(key, { type: 'balance' })).toMatchObject({ success: true })
  bench.clock.turnTo(bench.clock.now() + 1)
  expect(await askWith(key, { type: 'balance' })).toEqual(JSON.parse(DENIED))
})

test('every invalid key gets Access denied, whatever the cause', async () => {
  const revoked = await issue()
  await bench.change({ kind: 'remove keys', accountId: bench.accountId, hashes: [hashKey(revoked)] })
  const expired = await issue({ expiresAt: bench.clock.now() })
  const good = await issue()
  const mistyped = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`
  const never = makeKey('live', random)
  for (const auth of [
    revoked,
    expired,
    mistyped,
    never,
    makeKey('test', random),
    '',
    'x',
    `${KEY} `,
    ` ${good}`,
    7,
    null,
  ]) {
    for (const path of [SYNC_PATH, ASYNC_PATH]) {
      const answer = await bench.postRaw(JSON.stringify({ auth, data: [rcs()] }), { path })
      expect(answer).toEqual({ status: 200, type: 'application/json', text: DENIED })
    }
  }
  expect(await askWith(good, { type: 'balance' })).toMatchObject({ success: true })
})

test('the last use of a key is written in one batch when its minute comes, and never by a request', async () => {
  const [one, two, unused] = [await issue(), await issue(), await issue()]
  const lastUses = async () => {
    const { keys } = await bench.store.loadDirectory('anew')
    return [one, two, unused].map((key) => keys.find(({ hash }) => hash === hashKey(key))?.lastUsedAt)
  }
  const begin = bench.clock.now()
  await askWith(one, { type: 'balance' })
  bench.clock.turnTo(begin + 30)
  await Promise.all([askWith(one, { type: 'balance' }), askWith(two, { type: 'balance' })])
  expect(await lastUses()).toEqual([null, null, null])
  await bench.keyUses.write()
  expect(await lastUses()).toEqual([begin + 30, begin + 30, null])
})
