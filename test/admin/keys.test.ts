/** API keys over the admin API: changes apply to clients at once, and lists contain no keys. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWellFormedKey } from '../../src/operations/request/api-key.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const KEYS = '/accounts/1/keys'
const DENIED = { success: false, error: 'Access denied', code: 'access_denied' }

const issue = (body: object) => world.askAdmin('POST', KEYS, { body })
const listed = async (name: string) => {
  const { body } = await world.askAdmin('GET', KEYS)
  return (body['data'] as readonly Readonly<Record<string, unknown>>[]).filter((key) => key['name'] === name)
}
const balanceWith = (auth: unknown) => world.post({ auth, data: [{ type: 'balance' }] })

test('a key opens the account as soon as it is issued, and nothing as soon as it is revoked', async () => {
  const { status, body } = await issue({ name: 'at once', scopes: ['balance'] })
  expect(status).toBe(200)
  const { key, ...shown } = body
  expect(isWellFormedKey(String(key))).toBe(true)
  expect(shown).toEqual({
    account: 1,
    name: 'at once',
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    scopes: ['balance'],
    test: false,
    networks: null,
    operations_per_second: null,
    priority: null,
    created_at: new Date(world.clock.now()).toISOString(),
    expires_at: null,
    last_used_at: null,
  })
  expect(await listed('at once')).toEqual([shown])
  expect(await balanceWith(key)).toMatchObject({ success: true })
  expect((await world.askAdmin('DELETE', `${KEYS}/at%20once`)).status).toBe(204)
  expect(await balanceWith(key)).toEqual(DENIED)
  expect(await listed('at once')).toEqual([])
})

test('a key that a tool on the same machine revokes opens nothing a second later', async () => {
  const { key } = (await issue({ name: 'elsewhere' })).body
  expect(await balanceWith(key)).toMatchObject({ success: true })
  const store = world.gateway.store
  const [row] = (await store.loadDirectory()).keys.filter(({ name }) => name === 'elsewhere')
  await store.change({ kind: 'remove keys', accountId: world.accountId, hashes: [row?.hash ?? ''] })
  await world.pass(1)
  expect(await balanceWith(key)).toEqual(DENIED)
})

test('the scopes of a key are set without a new key, and the audit log has both', async () => {
  const { key, id } = (await issue({ name: 'old', scopes: ['send'] })).body
  const list = () => world.post({ auth: key, data: [{ type: 'hook/list' }] })
  expect(await list()).toMatchObject({ data: [{ success: false, error: expect.stringContaining('lacks the scope') }] })
  const set = (name: string, scopes: readonly string[]) =>
    world.askAdmin('PATCH', `${KEYS}/${name}`, { body: { scopes } })
  expect((await set('old', ['hooks', 'send'])).body).toMatchObject({ name: 'old', id, scopes: ['send', 'hooks'] })
  expect(await list()).toMatchObject({ data: [{ success: true, data: [] }] })
  expect((await set('old', [])).status).toBe(400)
  expect((await set('unknown', ['send'])).status).toBe(404)
  const { body } = await world.askAdmin('GET', `/audit?subject=${encodeURIComponent(`key ${id} of account 1`)}`)
  const [entry] = body['data'] as readonly unknown[]
  expect(entry).toMatchObject({
    action: 'setKey',
    before: { scopes: ['send'] },
    after: { scopes: ['send', 'hooks'] },
  })
})

test('a key has networks and a rate of its own, which a rotation keeps and the audit log has', async () => {
  const { status, body } = await issue({ name: 'narrow', networks: ['127.0.0.1'], operations_per_second: 5 })
  expect(status).toBe(200)
  expect(body).toMatchObject({ networks: ['127.0.0.1/32'], operations_per_second: 5 })
  const set = (change: object) => world.askAdmin('PATCH', `${KEYS}/narrow`, { body: change })
  expect((await set({ networks: ['192.0.2.0/24'] })).body).toMatchObject({
    scopes: body['scopes'],
    networks: ['192.0.2.0/24'],
    operations_per_second: 5,
  })
  expect(await balanceWith(body['key'])).toEqual(DENIED)
  const check = { key: body['key'], address: '127.0.0.1' }
  expect((await world.askAdmin('POST', '/keys/check', { body: check })).body).toMatchObject({
    opens: false,
    refusal: 'address not allowed',
    networks: ['192.0.2.0/24'],
  })
  expect((await set({ networks: null })).body).toMatchObject({ networks: null, operations_per_second: 5 })
  const { body: rotated } = await world.askAdmin('POST', `${KEYS}/narrow/rotation`, { body: { overlap_seconds: 0 } })
  expect(rotated).toMatchObject({ networks: null, operations_per_second: 5 })
  const subject = encodeURIComponent(`key ${String(body['id'])} of account 1`)
  const { body: audit } = await world.askAdmin('GET', `/audit?subject=${subject}`)
  expect(JSON.stringify(audit)).toContain('"operations_per_second":5')
})

test.each([
  [{ networks: [] }, 'networks'],
  [{ networks: ['office'] }, 'networks'],
  [{ networks: Array(101).fill('192.0.2.0/24') }, 'networks'],
  [{ operations_per_second: 0 }, 'operations_per_second'],
  [{ operations_per_second: 1.5 }, 'operations_per_second'],
])('%o is refused, and issues and changes nothing', async (rights, field) => {
  await issue({ name: 'kept' })
  const before = await listed('kept')
  for (const answer of [
    await issue({ name: 'refused', ...rights }),
    await world.askAdmin('PATCH', `${KEYS}/kept`, { body: rights }),
  ]) {
    expect([400, 422]).toContain(answer.status)
    expect(JSON.stringify(answer.body)).toContain(`"field":"${field}"`)
  }
  expect(await listed('refused')).toEqual([])
  expect(await listed('kept')).toEqual(before)
})

test('a rotation leaves both keys good until the overlap is over', async () => {
  const { key: old } = (await issue({ name: 'shop' })).body
  const { body } = await world.askAdmin('POST', `${KEYS}/shop/rotation`, { body: { overlap_seconds: 5 } })
  const ends = new Date(world.clock.now() + 5_000).toISOString()
  expect(body).toMatchObject({
    name: 'shop',
    scopes: ['send', 'otp', 'templates', 'balance', 'hooks', 'inbound', 'lookup'],
    old_expires_at: ends,
  })
  expect((await listed('shop')).map((each) => each['expires_at']).toSorted()).toEqual([ends, null])
  for (const key of [old, body['key']]) expect(await balanceWith(key)).toMatchObject({ success: true })
  await world.pass(5)
  expect(await balanceWith(old)).toEqual(DENIED)
  expect(await balanceWith(body['key'])).toMatchObject({ success: true })
})

test('shows within a minute when a key was last used', async () => {
  const { key } = (await issue({ name: 'counted' })).body
  const at = new Date(world.clock.now()).toISOString()
  await balanceWith(key)
  expect(await listed('counted')).toMatchObject([{ last_used_at: null }])
  await world.pass(60)
  expect(await listed('counted')).toMatchObject([{ last_used_at: at }])
})

test('a wrong field is named, and an unknown key is not found', async () => {
  expect((await issue({ name: 'x', scopes: ['everything'] })).body['errors']).toEqual([
    { field: 'scopes.0', detail: 'must be a list of send, otp, templates, balance, hooks, inbound, lookup' },
  ])
  expect((await issue({ name: 'x', scopes: [] })).status).toBe(400)
  expect((await issue({ name: 'x', expires_at: 'tomorrow' })).body['detail']).toMatch(/^expires_at: must be a time/)
  expect((await issue({ name: 'x', expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422)
  expect((await world.askAdmin('POST', '/accounts/77/keys', { body: { name: 'x' } })).status).toBe(404)
  expect((await world.askAdmin('DELETE', `${KEYS}/unknown`)).status).toBe(404)
  expect((await world.askAdmin('POST', `${KEYS}/unknown/rotation`, { body: {} })).status).toBe(404)
  expect(await listed('x')).toEqual([])
})

test('the audit log says which key, and nothing of the key', async () => {
  const { key, id } = (await issue({ name: 'audited' })).body
  const rotated = (await world.askAdmin('POST', `${KEYS}/audited/rotation`, { body: {} })).body
  await world.askAdmin('DELETE', `${KEYS}/${String(id)}`)
  const { body } = await world.askAdmin('GET', `/audit?subject=${encodeURIComponent(`key ${String(id)} of account 1`)}`)
  const entries = body['data'] as readonly { readonly action: string }[]
  expect(entries.map(({ action }) => action)).toEqual(['revokeKey', 'rotateKey', 'issueKey'])
  const all = JSON.stringify((await world.askAdmin('GET', '/audit')).body)
  for (const secret of [key, rotated['key']]) expect(all).not.toContain(secret)
})
