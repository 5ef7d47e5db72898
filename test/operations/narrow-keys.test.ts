/** Networks and operations per second of a key: they narrow what its account allows, and never widen it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import type { ApiKey } from '../../src/domain/accounts/api-key.ts'
import { hashKey } from '../../src/operations/request/api-key.ts'
import { buildKey } from '../support/build-message.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

type Narrowed = Partial<Pick<ApiKey, 'networks' | 'operationsPerSecond'>>

const issue = (secret: string, rights: Narrowed) =>
  bench.change({
    kind: 'add key',
    key: buildKey({ hash: hashKey(secret), accountId: bench.accountId, name: secret, ...rights }),
  })
const narrow = (secret: string, rights: Narrowed) =>
  bench.change({ kind: 'set keys', accountId: bench.accountId, hashes: [hashKey(secret)], rights })
const narrowAccount = (settings: object) =>
  bench.change({
    kind: 'set account',
    accountId: bench.accountId,
    settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...settings },
  })

async function balanceWith(auth: string, count = 1): Promise<string> {
  const data = Array.from({ length: count }, () => ({ type: 'balance' }))
  const { error = 'done' } = JSON.parse((await bench.postRaw(JSON.stringify({ auth, data }))).text)
  return error
}

test('a key that asks too fast waits, and other keys of its account do not', async () => {
  await issue('slow', { operationsPerSecond: 2 })
  expect([await balanceWith('slow'), await balanceWith('slow')]).toEqual(['done', 'done'])
  expect(await balanceWith('slow')).toBe('Rate limit exceeded, at most 2 operations a second')
  expect(await balanceWith(KEY, 10)).toBe('done')
  bench.clock.advance(1_000)
  expect(await balanceWith('slow')).toBe('done')
  await narrow('slow', { operationsPerSecond: null })
  for (let count = 0; count < 5; count += 1) expect(await balanceWith('slow')).toBe('done')
})

test('the limit of the account holds for a key that allows more', async () => {
  await narrowAccount({ operationsPerSecond: 1 })
  await issue('fast', { operationsPerSecond: 1_000 })
  expect(await balanceWith('fast')).toBe('done')
  expect(await balanceWith('fast')).toBe('Rate limit exceeded, at most 1 operations a second')
})

test('a large request is limited before it is parsed', async () => {
  await issue('slow', { operationsPerSecond: 1 })
  expect(await balanceWith('slow', 50)).toBe('done')
  expect(await balanceWith('slow', 1_000)).toMatch(/^Rate limit exceeded/)
})

test('a key is accepted from its networks alone, whatever the API', async () => {
  await issue('office', { networks: ['192.0.2.0/24'] })
  expect(await balanceWith('office')).toBe('Access denied')
  const rest = await fetch(`${bench.address}/v1/balance`, { headers: { Authorization: 'Bearer office' } })
  expect(rest.status).toBe(401)
  expect(await balanceWith(KEY)).toBe('done')
  await narrow('office', { networks: ['192.0.2.0/24', '127.0.0.0/8'] })
  expect(await balanceWith('office')).toBe('done')
})

test('a network of a key does not widen those of its account', async () => {
  await narrowAccount({ allowedNetworks: ['192.0.2.0/24'] })
  await issue('home', { networks: ['127.0.0.0/8'] })
  expect(await balanceWith('home')).toBe('Access denied')
  await narrowAccount({ allowedNetworks: ['127.0.0.0/8', '192.0.2.0/24'] })
  expect(await balanceWith('home')).toBe('done')
})
