/** A planned message that an operator sends before its time, cancels or discards: when it counts, and what is shown. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_GUARD_SETTINGS } from '../../src/domain/guards/guard-settings.ts'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { changeAccount } from '../../src/operations/admin/accounts/accounts.ts'
import { rollUp } from '../simulation/check-statistics.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { rcsItem } from '../support/send-items.ts'

const DAY_SECONDS = 86_400
const PHONE = '491701281000'

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start()
})
afterEach(() => world.stop())

const dayIn = (days: number) => new Date(world.clock.now() + days * DAY_SECONDS * 1_000).toISOString()
const act = (id: MessageId, what: string) => world.askAdmin('POST', `/messages/${id}/${what}`)
const read = async (path: string) => (await world.askAdmin('GET', path)).body as Record<string, unknown>
const details = (id: MessageId) => read(`/messages/${id}/details`)

/** The days with messages, from today: what was asked, delivered and cancelled, and whether it took long. */
async function days() {
  const { data } = await read(
    `/statistics?from=${dayIn(0).slice(0, 10)}&through=${dayIn(3).slice(0, 10)}&resolution=day&by=none`,
  )
  const lines = (data as Record<string, number>[]).filter(({ asked, cancelled }) => asked !== 0 || cancelled !== 0)
  return lines.map(({ time, asked, delivered, cancelled, p99_seconds }) => {
    const day = [0, 1, 2, 3].findIndex((each) => dayIn(each).startsWith(String(time)))
    return { day, asked, delivered, cancelled, withinMinute: p99_seconds === null ? null : Number(p99_seconds) < 60 }
  })
}

const counted = { asked: 1, delivered: 1, cancelled: 0, withinMinute: true }
const planTwoDaysAhead = () => world.sendOne(rcsItem(PHONE, { send_at: dayIn(2) }))

test('counts on the day on which it is sent, also after a restart, and its time is measured from then', async () => {
  const id = await planTwoDaysAhead()
  expect(await days()).toEqual([{ day: 2, asked: 1, delivered: 0, cancelled: 0, withinMinute: null }])
  const sendAt = (await details(id))['send_at']
  await world.pass(100)
  expect((await act(id, 'send-now')).status).toBe(200)
  const now = new Date(world.clock.now()).toISOString()
  await world.pass(5)
  expect(await days()).toEqual([{ day: 0, ...counted }])
  expect(await details(id)).toMatchObject({ send_at: sendAt, starts_at: now })
  const { timeline } = await read(`/messages/${id}`)
  const sent = { component: 'journey', event: 'resumed', detail: 'sent now by an operator' }
  expect(timeline).toContainEqual(expect.objectContaining(sent))
  await world.stopGateway()
  await world.startGateway()
  expect(await days()).toEqual([{ day: 0, ...counted }])
  expect(await details(id)).toMatchObject({ send_at: sendAt, starts_at: now })
  await rollUp(world.gateway.store, Date.parse(dayIn(3)))
  expect(await days()).toEqual([{ day: 0, ...counted }])
})

test.each([
  ['cancelled', async (id: MessageId) => expect((await act(id, 'cancel')).status).toBe(200)],
  [
    'discarded',
    async () => {
      await world.operate((store) => changeAccount(store, { accountId: world.accountId, state: 'suspended' }))
      const discarded = await world.askAdmin('POST', '/accounts/1/queue/discard', { body: { confirm: true } })
      expect(discarded.body).toMatchObject({ discarded: 1 })
    },
  ],
] as const)('one that an operator has %s counts as cancelled on the day for which it was planned', async (how, end) => {
  const id = await planTwoDaysAhead()
  await end(id)
  await world.rest()
  expect(await days()).toEqual([{ day: 2, asked: 1, delivered: 0, cancelled: 1, withinMinute: null }])
  const { timeline } = await read(`/messages/${id}`)
  const ended = { component: 'journey', event: 'cancelled', detail: `${how} by an operator` }
  expect(timeline).toContainEqual(expect.objectContaining(ended))
})

test('one that quiet hours have postponed counts from when it was to be sent, however late an operator sends it', async () => {
  const quietHours = { fromMinute: 60, toMinute: 600, action: 'wait' } as const
  await world.operate(async (store) => {
    await store.change({ kind: 'set guard settings', settings: { ...DEFAULT_GUARD_SETTINGS, quietHours } })
  })
  const id = await world.sendOne({
    ...{ type: 'sms', phone: '37120000100', sms_signature: 'SMSTest', sms_message: 'Good morning' },
  })
  await world.pass(120)
  const { starts_at: before } = await details(id)
  expect((await act(id, 'send-now')).status).toBe(200)
  await world.pass(5)
  expect(await days()).toEqual([{ day: 0, ...counted, withinMinute: false }])
  expect(await details(id)).toMatchObject({ starts_at: before, send_at: null })
})
