/** SMS pumping from end to end: a burst to one prefix is stopped, seen in the metrics, and released by an operator. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const STOPPED = 'phone: traffic to numbers like this is stopped for now, ask the operator'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
  const pumping = { floor: 3, factor: 5, stopMinutes: 60 }
  await world.operate(async (store) => {
    await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, pumping } })
  })
})
afterEach(() => world.stop())

const sms = (phone: number) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Your code is 1234' })

/** For each number whether it is accepted. */
async function accepted(...phones: readonly number[]): Promise<readonly unknown[]> {
  const { data = [] } = await world.ask(phones.map(sms))
  return data.map(({ success, error }) => error ?? success)
}

test('a burst to a prefix is stopped within seconds, and only there', async () => {
  expect(await accepted(37_120_000_100, 37_120_000_200, 37_120_000_300, 37_120_000_400)).not.toContain(STOPPED)
  await world.pass(6)
  expect(await accepted(37_120_000_500, 37_121_000_500, 4_915_112_345_600)).toEqual([STOPPED, true, true])
  const metrics = await (await fetch(`${world.gateway.adminAddress}/metrics`)).text()
  expect(metrics).toContain('posthorn_guard_alarms_total{kind="messages",scope="account"} 1')

  const alarms = await world.askAdmin('GET', '/guards/alarms')
  expect(alarms.body).toMatchObject({
    data: [{ account: world.accountId, kind: 'messages', prefix: '3712000', seen: 4, usual: 0, state: 'stopped' }],
  })
  const key = { kind: 'messages', prefix: '3712000', account: world.accountId }
  const confirmed = await world.askAdmin('POST', '/guards/alarms/confirm', { body: key })
  expect(confirmed).toMatchObject({ status: 200, body: { state: 'confirmed', until: null } })
  expect(await accepted(37_120_000_500)).toEqual([STOPPED])
  const lifted = await world.askAdmin('POST', '/guards/alarms/lift', { body: key })
  expect(lifted).toMatchObject({ status: 200, body: { state: 'lifted' } })
  expect(await accepted(37_120_000_500)).toEqual([true])
  const unknown = await world.askAdmin('POST', '/guards/alarms/lift', { body: { ...key, prefix: '49' } })
  expect(unknown.status).toBe(404)
})

test('verifications that are not approved raise an alarm of their own, which stops verifications and nothing else', async () => {
  const pumping = { floor: 3, factor: 5, stopMinutes: 60 }
  const start = (phone: number) => ({ type: 'verify/start', phone, sms_signature: 'SMSTest', lifetime: 60 })
  // So few in five minutes that they raise no alarm as messages do.
  await world.operate(async (store) => {
    await store.change({
      kind: 'set guard settings',
      settings: { ...DEFAULT_GUARD_SETTINGS, pumping: { ...pumping, floor: 4 } },
    })
  })
  await world.ask([37_120_000_100, 37_120_000_200, 37_120_000_300, 37_120_000_400].map(start))
  await world.pass(10)
  expect((await world.askAdmin('GET', '/guards/alarms')).body).toMatchObject({ data: [] })
  await world.operate(async (store) => {
    await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, pumping } })
  })
  await world.pass(60)
  expect((await world.askAdmin('GET', '/guards/alarms')).body).toMatchObject({
    data: [{ account: world.accountId, kind: 'unverified', prefix: '3712000', seen: 4, state: 'stopped' }],
  })
  const { data } = await world.ask([start(37_120_000_500), sms(37_120_000_500), start(37_121_000_500)])
  expect(data?.map(({ success, error }) => error ?? success)).toEqual([STOPPED, true, true])
})
