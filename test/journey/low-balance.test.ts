/**
 * An account with a low balance gets a report at its default hook, signed as every report; messages without a hook go
 * there too.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMicros } from '../../src/domain/money/money.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { correctBalance } from '../../src/operations/admin/money/payments.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  const { accountId } = world
  const settings = { defaultHook: world.sink.address, lowBalanceMicros: toMicros(1_000_000) }
  await world.operate(async (store) => {
    await changeAccount(store, { accountId, settings })
    const toOneEuro = { accountId, amountMicros: toMicros(-999_000_000), note: 'almost all of it', by: 'Ada' }
    await correctBalance(store, world.clock, toOneEuro)
  })
})
afterAll(() => world.stop())

test('the warning comes within a minute, and a message that names no hook is reported there', async () => {
  const { data } = await world.ask([rcsItem('491701234500')])
  const id = data?.[0]?.data['msg_id']
  await world.pass(61)
  const reports = world.reports.map(({ body }) => body)
  expect(reports.find(({ type }) => type === 'message.status')).toMatchObject({ msg_id: id, status: 'DELIVERED' })
  expect(reports.filter(({ type }) => type === 'balance.low')).toEqual([
    {
      ...{ type: 'balance.low', timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      ...{ account: 'Sandbox', available: 0.97, threshold: 1, currency: 'EUR' },
    },
  ])
  const ids = world.reports.map((report) => report.id)
  expect(new Set(ids).size).toBe(ids.length)
  await world.balances()
})

test('a message that names a hook is reported there and nowhere else', async () => {
  const before = world.reports.length
  await world.ask([{ ...rcsItem('491701234500'), hook: 'http://127.0.0.1:1/other' }])
  await world.pass(2)
  expect(world.reports).toHaveLength(before)
})
