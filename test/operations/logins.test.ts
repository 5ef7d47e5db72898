/** What logins open: one account from their networks, slowed down after wrong passwords, within limits of their own. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Login } from '../../src/domain/accounts/login.ts'
import { type LoginAccess, type LoginRefusal, type Logins, makeSecrets } from '../../src/operations/request/logins.ts'
import { WorkQueue } from '../../src/operations/request/work-queue.ts'
import { createRuns, type LoginRun } from '../../src/operations/run/run.ts'
import { buildLogin, LOGIN_PASSWORD } from '../support/build-message.ts'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { sms } from '../support/operations.ts'
import { SeededRandom } from '../support/seeded-random.ts'

let bench: ClientBench
let logins: Logins
beforeEach(async () => {
  bench = await startClientBench()
  logins = bench.tools.logins
})
afterEach(() => bench.stop())

const HOME = '192.0.2.7'

async function add(change: Partial<Login> & Pick<Login, 'name'>): Promise<Login> {
  const login = buildLogin({ accountId: bench.accountId, ...change })
  await bench.change({ kind: 'set client login', login })
  return login
}

function open(name: string, password = LOGIN_PASSWORD, address: string | null = HOME): LoginAccess | LoginRefusal {
  return logins.open(name, password, address)
}

test('a login opens its account with its password alone', async () => {
  await add({ name: 'shop' })
  await add({ name: 'Shop', secrets: makeSecrets('another password', null, new SeededRandom()) })
  expect(open('shop')).toMatchObject({ login: { name: 'shop' }, access: { account: { id: bench.accountId } } })
  expect([open('Shop'), open('shop', 'another password'), open('shop', ''), open('none'), open('', '')]).toEqual(
    Array(5).fill('denied'),
  )
})

test('a login is refused while its account is suspended, and once it is removed', async () => {
  await add({ name: 'shop' })
  await bench.change({ kind: 'set account', accountId: bench.accountId, state: 'suspended' })
  expect([open('shop'), open('shop', 'wrong')]).toEqual(['inactive', 'denied'])
  await bench.change({ kind: 'set account', accountId: bench.accountId, state: 'active' })
  expect(open('shop')).toHaveProperty('access')
  await bench.change({ kind: 'remove client login', accountId: bench.accountId, name: 'shop' })
  expect(open('shop')).toBe('denied')
})

test('a login opens from its networks, and from those of its account', async () => {
  await add({ name: 'office', networks: ['192.0.2.0/24', '2001:db8::/32'] })
  const from = (...addresses: (string | null)[]) =>
    addresses.map((address) => open('office', LOGIN_PASSWORD, address) !== 'denied')
  expect(from(HOME, '2001:db8::7', '::ffff:192.0.2.9', '198.51.100.7', null)).toEqual([true, true, true, false, false])
  const settings = bench.tools.directory().account(bench.accountId)?.settings
  if (settings === undefined) throw new Error('no account')
  const allowedNetworks = ['192.0.2.7/32']
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings: { ...settings, allowedNetworks } })
  expect(from(HOME, '192.0.2.8', '2001:db8::7')).toEqual([true, false, false])
})

test('who guesses has to wait a minute, and stops no other address', async () => {
  await add({ name: 'shop' })
  const guesses = Array.from({ length: 11 }, (_, count) => open('shop', `guess ${count}`, '198.51.100.7'))
  expect(guesses).toEqual([...Array(10).fill('denied'), 'wait'])
  expect(open('shop', LOGIN_PASSWORD, '198.51.100.7')).toBe('wait')
  expect(open('shop')).toHaveProperty('access')
  bench.clock.advance(60_000)
  expect(open('shop', LOGIN_PASSWORD, '198.51.100.7')).toHaveProperty('access')
})

test('guesses from many addresses close the name to new addresses for an hour, and to no known one', async () => {
  await add({ name: 'shop' })
  expect(open('shop')).toHaveProperty('access')
  for (let count = 0; count < 100; count += 1) open('shop', 'guess', `198.51.${count}.7`)
  expect(open('shop', LOGIN_PASSWORD, '203.0.113.7')).toBe('wait')
  expect(open('shop')).toHaveProperty('access')
  bench.clock.advance(3_600_000)
  expect(open('shop', LOGIN_PASSWORD, '203.0.113.7')).toHaveProperty('access')
})

test('an address that tries many names has to wait, its IPv6 network as a whole', async () => {
  await add({ name: 'shop' })
  for (let count = 0; count < 100; count += 1) open(`name ${count}`, 'guess', `2001:db8::${count}`)
  expect(open('shop', LOGIN_PASSWORD, '2001:db8::1')).toBe('wait')
  expect(open('shop', LOGIN_PASSWORD, '2001:db8:0:1::1')).toHaveProperty('access')
})

async function send(login: Login, how?: LoginRun, item: object = sms()) {
  const { runFor } = runs()
  const who = logins.accessOf(login)
  if (who === 'inactive') throw new Error(who)
  return JSON.parse(await runFor(who, [item], how))
}

let made: { readonly of: ClientBench; readonly runs: ReturnType<typeof createRuns> } | null = null
function runs() {
  if (made?.of !== bench) made = { of: bench, runs: createRuns(bench.tools, new WorkQueue(bench.clock)) }
  return made.runs
}

test('a login sends as a client does, and says where and how its messages are reported', async () => {
  const login = await add({ name: 'shop' })
  const reporting = { to: 'smpp:shop?at=1', steps: true }
  expect(await send(login, { reporting })).toMatchObject({ success: true, data: [{ success: true }] })
  expect(await send(login)).toMatchObject({ success: true })
  expect(bench.outbox.taken).toMatchObject([
    { accountId: bench.accountId, hook: 'smpp:shop?at=1', reportSteps: true, test: false },
    { hook: null, reportSteps: false },
  ])
  const tester = await add({ name: 'tester', test: true })
  await send(tester)
  expect(bench.outbox.taken[2]).toMatchObject({ test: true, plan: [{ priceMicros: 0 }] })
})

test('a request of a login under a key is executed once, and apart from that of another login', async () => {
  const [shop, other] = [await add({ name: 'shop' }), await add({ name: 'other' })]
  const [first, again] = [await send(shop, { idempotencyKey: 'one' }), await send(shop, { idempotencyKey: 'one' })]
  expect(again).toEqual(first)
  await send(other, { idempotencyKey: 'one' })
  await send(shop, { idempotencyKey: 'two' })
  expect(bench.outbox.taken).toHaveLength(3)
  expect(await send(shop, { idempotencyKey: 'one' }, sms({ sms_message: 'Another' }))).toMatchObject({ success: false })
})

test('a login and the keys of its account share the rate of the account', async () => {
  const login = await add({ name: 'shop' })
  const settings = bench.tools.directory().account(bench.accountId)?.settings
  if (settings === undefined) throw new Error('no account')
  const slow = { ...settings, operationsPerSecond: 2 }
  await bench.change({ kind: 'set account', accountId: bench.accountId, settings: slow })
  expect(await bench.post([sms()])).toMatchObject({ success: true })
  expect(await send(login)).toMatchObject({ success: true })
  expect(await bench.post([sms()])).toMatchObject({ success: false, code: 'rate_limited' })
  expect(await send(login)).toMatchObject({ success: false, code: 'rate_limited' })
})

test('a login has a rate of its own, within that of its account', async () => {
  const login = await add({ name: 'slow', perSecond: 2 })
  const answers = [await send(login), await send(login), await send(login)]
  expect(answers.map(({ success }) => success)).toEqual([true, true, false])
  expect(answers[2]).toMatchObject({ code: 'rate_limited' })
  expect(await send(await add({ name: 'fast' }))).toMatchObject({ success: true })
  bench.clock.advance(1_000)
  expect(await send(login)).toMatchObject({ success: true })
})
