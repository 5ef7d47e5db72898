/** Quiet hours: messages wait for the morning in the time zone of the number, and none is lost. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/domain/accounts/account.ts'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { QuietHours } from '../../src/domain/time/quiet-hours.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'

/** In Riga, where it is two o'clock when the clock of the test begins. */
const PHONE = '37120000100'
/** RCS takes what is sent to it and never delivers. */
const SLOW_PHONE = '37120000104'
const TWO = 120

/** From so many minutes after two o'clock to so many. */
const quiet = (from: number, to: number, action: QuietHours['action'] = 'wait'): QuietHours => {
  return { fromMinute: TWO + from, toMinute: TWO + to, action }
}

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const setAccount = (quietHours: QuietHours | 'off' | 'installation') =>
  world.operate(async (store) => {
    const before = (await store.loadDirectory()).accounts[0]?.settings ?? DEFAULT_ACCOUNT_SETTINGS
    const settings = { ...before, quietHours }
    await store.change({ kind: 'set account', accountId: world.accountId, settings })
  })

const setInstallation = (quietHours: QuietHours) =>
  world.operate(async (store) => {
    await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, quietHours } })
  })

const sms = (phone: string) => ({ type: 'sms', phone, sms_signature: 'SMSTest', sms_message: 'Good morning' })
const rcs = (phone: string) => ({ type: 'rcs', phone, rcs_signature: 'RCSTest', rcs_message: 'Good morning' })

describe('a message in quiet hours', () => {
  test('waits in the store till they end, over a restart, without being tried', async () => {
    await setAccount(quiet(-60, 1))
    const id = await world.sendOne(sms(PHONE))
    await world.pass(30)
    const { message, timeline } = await world.trace(id)
    expect(message.journey).toMatchObject({ phase: 'open', status: 'QUEUED', dueAt: Date.UTC(2026, 0, 1, 0, 1) })
    expect(timeline).toMatchObject([{ kind: 'postponed', detail: 'quiet hours until 2026-01-01T00:01:00.000Z' }])
    expect(world.gateway.delivery.pump.facts.held).toBe(0)
    await world.stopGateway()
    await world.startGateway()
    await world.pass(35)
    const { steps, money, arrived } = await world.story(id)
    expect({ steps, money, arrived }).toEqual({
      steps: ['sms DELIVERED'],
      money: ['hold 0.05', 'charge 0.05'],
      arrived: ['sms'],
    })
  })

  test('has its whole lifetime after them', async () => {
    await setAccount(quiet(-60, 1))
    const id = await world.sendOne({ ...rcs(SLOW_PHONE), rcs_lifetime: LIFETIME_SECONDS })
    await world.pass(60 + LIFETIME_SECONDS - 5)
    expect((await world.story(id)).steps).toEqual(['rcs ACCEPTED'])
    await world.pass(6)
    expect((await world.story(id)).steps).toEqual(['rcs EXPIRED'])
  })

  test('goes at once when the account has them off, and when it is day where the number is from', async () => {
    await setInstallation(quiet(-60, 1))
    await setAccount('off')
    const mine = await world.sendOne(sms(PHONE))
    await world.pass(3)
    expect((await world.story(mine)).steps).toEqual(['sms DELIVERED'])
    await setAccount('installation')
    const [night, day] = await world.send(sms(PHONE), sms('919812345678'))
    await world.pass(3)
    expect(await world.stories([night as never, day as never])).toMatchObject([
      { steps: ['sms QUEUED'] },
      { steps: ['sms DELIVERED'] },
    ])
  })

  test('is sent at once if it is a call', async () => {
    await setAccount(quiet(-60, 60))
    const answer = await world.ask([{ type: 'call/otp', phone: PHONE }])
    expect(answer.data?.[0]?.success).toBe(true)
  })

  test('is refused where the account wants that, also when it is planned for them', async () => {
    await setAccount(quiet(-60, 1, 'refuse'))
    const refused = {
      success: false,
      error: 'phone: quiet hours for this number, try again later',
      code: 'quiet_hours',
    }
    const later = new Date(world.clock.now() + 90_000).toISOString()
    const price = { ...sms(PHONE), type: 'price', send_type: 'sms' }
    const { data } = await world.ask([sms(PHONE), price, { ...sms(PHONE), send_at: later }, sms('919812345678')])
    expect(data).toMatchObject([refused, refused, { success: true }, { success: true }])
    await world.pass(61)
    expect((await world.ask([sms(PHONE)])).data?.[0]?.success).toBe(true)
    await setAccount(quiet(5, 6, 'refuse'))
    const night = new Date(world.clock.now() + 270_000).toISOString()
    expect((await world.ask([{ ...sms(PHONE), send_at: night }])).data).toMatchObject([refused])
  })
})

test('the next step of a chain waits as well when the night has begun', async () => {
  await setAccount(quiet(1, 3))
  const chain = { ...rcs(SLOW_PHONE), ...sms(SLOW_PHONE), type: 'rcs+sms', rcs_lifetime: 65 }
  const id = await world.sendOne(chain)
  await world.pass(90)
  expect(await world.story(id)).toMatchObject({ steps: ['rcs EXPIRED', 'sms QUEUED'], arrived: ['rcs'] })
  await world.pass(95)
  expect(await world.story(id)).toMatchObject({ steps: ['rcs EXPIRED', 'sms DELIVERED'], arrived: ['rcs', 'sms'] })
})

test('a message that stood in line when the night began waits for its end', async () => {
  await setAccount(quiet(1, 3))
  await world.box.smsc.goDown()
  const id = await world.sendOne(sms(PHONE))
  await world.pass(70)
  await world.box.smsc.comeBack()
  await world.pass(40)
  expect(await world.story(id)).toMatchObject({ steps: ['sms QUEUED'], arrived: [] })
  await world.pass(80)
  expect(await world.story(id)).toMatchObject({ steps: ['sms DELIVERED'], arrived: ['sms'] })
})
