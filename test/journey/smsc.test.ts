/** An SMSC as networks have them: slow, throttling, late by days. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem } from '../support/send-items.ts'

const TWO_DAYS_SECONDS = 172_800
const DAY_MS = 86_400_000

let world: SandboxWorld
beforeEach(async () => {
  world = await SandboxWorld.start(TWO_DAYS_SECONDS)
})
afterEach(() => world.stop())

const BY_SMS = { arrived: ['sms'], money: ['hold 0.05', 'charge 0.05'], reports: ['DELIVERED by sms for 0.05'] }

test('that answers after its time has its answer learnt: nothing goes twice, and the receipt finds its message', async () => {
  world.box.smsc.inject({ kind: 'slow', answersAfterMs: 5_500 })
  const id = await world.sendOne(chainItem('491701239902'))
  await world.pass(30)
  const { timeline, ...rest } = await world.story(id)
  expect(timeline.filter((line) => line.startsWith('sms'))).toEqual(['sms unclear', 'sms taken', 'sms delivered'])
  expect(rest).toMatchObject(BY_SMS)
})

test('that wants long texts in one piece reports once for all parts', async () => {
  await world.operate(async (store) => {
    const carrier = (await store.loadDirectory()).carriers.find(({ id }) => id === 'sandbox-sms')
    if (carrier === undefined) throw new Error('the sandbox has no SMS carrier')
    const settings = { ...(carrier.settings as object), concatenation: 'payload' }
    await store.change({ kind: 'set carrier', carrier: { ...carrier, settings } })
  })
  await world.carriersUp()
  const text = 'Three parts of one text. '.repeat(16)
  const id = await world.sendOne(chainItem('491701239902', { sms_message: text }))
  await world.pass(5)
  expect(await world.story(id)).toMatchObject({
    arrived: ['sms'],
    money: ['hold 0.15', 'charge 0.15'],
    reports: ['DELIVERED by sms for 0.15'],
  })
  expect(world.box.traffic.to('491701239902').at(-1)?.text).toBe(text)
})

test('that throttles for a minute gets every message once in the end', async () => {
  world.box.smsc.inject({ kind: 'throttling', forMs: 60_000 })
  const phones = Array.from({ length: 12 }, (_, index) => `4917012${10 + index}9902`)
  const ids = await world.send(...phones.map((phone) => chainItem(phone)))
  await world.pass(30)
  expect(world.box.traffic.arrivals).toEqual([])
  await world.pass(150)
  for (const story of await world.stories(ids)) expect(story).toMatchObject(BY_SMS)
  expect(await world.gateway.store.counts()).toEqual({ open: 0, pendingReports: 0, failedReports: 0, unreadEvents: 0 })
})

test('whose receipts come a day after the gateway was stopped is understood by the next one', async () => {
  const id = await world.sendOne(chainItem('491701239902'))
  await world.rest()
  await world.stopGateway()
  world.clock.advance(DAY_MS)
  expect(world.box.smsc.pending()).toBe(1)
  await world.startGateway()
  await world.pass(10)
  expect(world.box.smsc.pending()).toBe(0)
  expect(await world.story(id)).toMatchObject(BY_SMS)
})
