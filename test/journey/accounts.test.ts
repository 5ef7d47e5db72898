/** What an account may do, whole gateway: its state, its money and its settings. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AccountId } from '../../src/domain/ids/account-id.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { changeAccount, openAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { issueKey } from '../../src/operations/admin/keys/api-keys.ts'
import { topUpAccount } from '../../src/operations/admin/money/payments.ts'
import { setSender } from '../../src/operations/admin/senders/senders.ts'
import { type Answer, SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let accountId: AccountId
let key: string
let accounts = 0
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

/** Every test has an account of its own, set up as an operator would, with money for three RCS messages and a bit. */
beforeEach(async () => {
  accounts += 1
  const random = new SeededRandom(accounts)
  await world.operate(async (store) => {
    const account = await openAccount(store, random, { name: `Shop ${accounts}`, currency: 'EUR' })
    accountId = account.accountId
    key = (await issueKey(store, world.clock, random, { accountId, name: 'server' })).secret
    await topUpAccount(store, world.clock, { accountId, amountMicros: toMicros(100_000) })
    for (const [channel, name] of [
      ['rcs', 'RCSTest'],
      ['chatapp', 'ChatTest'],
      ['sms', 'SMSTest'],
    ] as const) {
      await setSender(store, { accountId, channel, name, state: 'approved' })
    }
  })
})

const ask = (...data: readonly object[]): Promise<Answer> => world.post({ auth: key, data })
const phone = (number: number) => `49170${1_000 + accounts}${number}00`

test('a suspended account is denied; what it has sent before comes to its end', async () => {
  const sent = await ask(rcsItem(phone(1)))
  expect(await world.gateway.store.balancesOf(accountId)).toMatchObject({ available: 70_000, held: 30_000, earned: 0 })
  await world.operate((store) => changeAccount(store, { accountId, state: 'suspended' }))
  expect(await ask({ type: 'balance' })).toEqual({ success: false, error: 'Access denied', code: 'access_denied' })
  await world.pass(1)
  const trace = await world.trace(sent.data?.[0]?.data['msg_id'] as MessageId)
  expect(trace.message.journey).toMatchObject({ status: 'DELIVERED', heldMicros: 0 })
  await world.operate((store) => changeAccount(store, { accountId, state: 'active' }))
  expect(await ask({ type: 'balance' })).toMatchObject({ data: [{ data: { amount: 0.07, currency: 'EUR' } }] })
})

test('an account whose steps live shorter than clients may ask for can be changed all the same', async () => {
  const demo = { accountId: world.accountId }
  await world.operate((store) => changeAccount(store, { ...demo, state: 'suspended' }))
  expect(await world.ask([{ type: 'balance' }])).toEqual({
    success: false,
    error: 'Access denied',
    code: 'access_denied',
  })
  await world.operate((store) => changeAccount(store, { ...demo, state: 'active' }))
  expect(await world.ask([{ type: 'balance' }])).toMatchObject({ success: true })
  const change = { ...demo, settings: { stepLifetimeSeconds: 59 } }
  await expect(world.operate((store) => changeAccount(store, change))).rejects.toThrow(
    'step_lifetime_seconds: must be a whole number',
  )
})

test('a balance too small refuses the item that it cannot pay, and no other', async () => {
  const answer = await ask(
    rcsItem(phone(1), { id: 1 }),
    chainItem(phone(2), { id: 2, sms_message: 'Two parts. '.repeat(20) }),
    rcsItem(phone(3), { id: 3 }),
    { type: 'balance' },
  )
  expect(answer.data).toMatchObject([
    { success: true, data: { id: 1 } },
    { success: false, error: 'Insufficient funds', data: { id: 2 } },
    { success: true, data: { id: 3 } },
    { success: true, data: { amount: 0.04 } },
  ])
  await world.pass(1)
  expect(world.box.traffic.to(phone(2))).toEqual([])
  const available = toMicros(40_000)
  expect(await world.gateway.store.balancesOf(accountId)).toMatchObject({ available, held: 0, earned: 60_000 })
  expect(await world.gateway.store.verifyLedger()).toEqual([])
})

test('with unique ids the second use of an id sends nothing and answers with the first message', async () => {
  await world.operate((store) => changeAccount(store, { accountId, settings: { uniqueIds: true } }))
  const item = rcsItem(phone(1), { id: '9223372036854775807' })
  const first = await ask(item)
  const second = await ask({ ...item, phone: phone(2) }, rcsItem(phone(3), { id: 2 }))
  expect(second.data?.[0]).toEqual(first.data?.[0])
  await world.pass(1)
  expect([1, 2, 3].map((number) => world.box.traffic.to(phone(number)).length)).toEqual([1, 0, 1])
  expect(await world.gateway.store.balancesOf(accountId)).toMatchObject({ held: 0, earned: 60_000 })
})

test('an account may get reports of intermediate steps', async () => {
  await world.operate(async (store) => {
    await changeAccount(store, { accountId, settings: { reportSteps: true } })
    const { accounts: rows } = await store.loadDirectory()
    const hookSecrets = rows.find(({ id }) => id === world.accountId)?.hookSecrets ?? []
    await store.change({ kind: 'set hook secrets', accountId, hookSecrets })
  })
  const answer = await ask(chainItem(`49171${1_000 + accounts}201`, { hook: world.sink.address }))
  await world.pass(1)
  expect(await world.story(answer.data?.[0]?.data['msg_id'] as MessageId)).toEqual({
    steps: ['rcs UNDELIVERABLE', 'chatapp DELIVERED'],
    timeline: ['rcs refused', 'chatapp taken', 'chatapp delivered'],
    revoked: [],
    money: ['hold 0.05', 'charge 0.04', 'release 0.01'],
    arrived: ['chatapp'],
    reports: ['QUEUED by chatapp for 0', 'ACCEPTED by chatapp for 0', 'DELIVERED by chatapp for 0.04'],
  })
})
