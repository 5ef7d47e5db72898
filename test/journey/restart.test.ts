/** The gateway stops and starts again on its data: whatever stood where when it stopped comes to its end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageId } from '../../src/domain/ids/message-id.ts'
import { eventually } from '../support/eventually.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

test('with messages waiting, carried and ended with unsent reports', async () => {
  const { earned } = await world.balances()
  await world.box.rbm.goDown()
  world.sink.answer = () => ({ status: 503 })
  const reported = await world.sendOne(chatappItem('491701239900'))
  await world.pass(1)
  const waiting = await world.sendOne(rcsItem('491702239900'))
  const carried = await world.sendOne(chatappItem('491703239900'))
  await world.rest()
  const phaseOf = async (id: MessageId) => (await world.trace(id)).message.journey.phase
  expect(await Promise.all([reported, waiting, carried].map(phaseOf))).toEqual(['ended', 'open', 'carried'])

  await world.stopGateway()
  await world.box.rbm.comeBack()
  world.sink.answer = () => ({ status: 200 })
  await world.startGateway()
  await world.pass(400)
  expect(await world.story(reported)).toMatchObject({
    arrived: ['chatapp'],
    reports: ['DELIVERED by chatapp for 0.04'],
  })
  expect(await world.story(waiting)).toMatchObject({ arrived: ['rcs'], reports: ['DELIVERED by rcs for 0.03'] })
  expect(await world.story(carried)).toEqual({
    steps: ['chatapp DELIVERED'],
    timeline: ['chatapp taken', 'chatapp delivered'],
    revoked: [],
    money: ['hold 0.04', 'charge 0.04'],
    arrived: ['chatapp'],
    reports: ['DELIVERED by chatapp for 0.04'],
  })
  expect(await world.gateway.store.counts()).toEqual({ open: 0, pendingReports: 0, failedReports: 0, unreadEvents: 0 })
  expect(await world.balances()).toMatchObject({ held: 0, earned: earned + 110_000 })
})

test('while a carrier owes an answer: the log says so, and the message is tried again', async () => {
  const sms = { type: 'sms', phone: '491704239913', sms_signature: 'SMSTest', sms_message: 'Hello' }
  const id = await world.sendOne(sms)
  await world.rest()
  const before = world.log.lines.length
  await world.stopGateway()
  const lines = world.log.lines.slice(before).filter(({ line }) => line.startsWith('stop'))
  const waited = lines.slice(1, -1)
  expect(lines[0]).toMatchObject({ line: 'stopping', fields: { carriers: 'sandbox-sms: 1', hooks: 0 } })
  expect(waited).toContainEqual(
    expect.objectContaining({
      line: 'stopping: waiting for answers and connections',
      fields: expect.objectContaining({ carriers: 'sandbox-sms: 1' }),
    }),
  )
  expect(lines.at(-1)).toMatchObject({ line: 'stopped' })
  await world.startGateway()
  await world.pass(20)
  expect(await world.story(id)).toMatchObject({ reports: ['DELIVERED by sms for 0.05'] })
})

test('with receipts of SMS outstanding: those that come afterwards find their messages', async () => {
  const phones = Array.from({ length: 20 }, (_, index) => `49170${2_000 + index}9902`)
  const ids = await world.send(...phones.map((phone) => chainItem(phone)))
  await world.rest()
  await world.stopGateway()
  expect(world.box.smsc.pending()).toBe(20)
  await world.startGateway()
  // The gateway binds again first, however long that takes on a loaded machine.
  await eventually('all receipts', () => world.box.smsc.pending() === 0, { clock: world.clock })
  await world.pass(10)
  for (const story of await world.stories(ids)) {
    expect(story).toMatchObject({
      money: ['hold 0.05', 'charge 0.05'],
      arrived: ['sms'],
      reports: ['DELIVERED by sms for 0.05'],
    })
  }
})

test('a request repeated under its Idempotency-Key gets the answer from before, and sends nothing', async () => {
  const data = [rcsItem('491705239900'), { type: 'balance' }, callTo('491705239900')]
  const options = { headers: { 'idempotency-key': 'once' } }
  const first = await world.ask(data, options)
  expect(first.data?.map(({ success }) => success)).toEqual([true, true, true])
  await world.pass(5)
  const balances = await world.balances()

  await world.stopGateway()
  await world.startGateway()
  expect(await world.ask(data, options)).toEqual(first)
  const other = await world.ask(data.slice(1), options)
  expect(other).toEqual({
    success: false,
    error: 'Idempotency-Key was used with another body',
    code: 'idempotency_conflict',
  })
  await world.pass(5)
  expect(await world.balances()).toEqual(balances)
  expect(
    world.box.traffic
      .to('491705239900')
      .map(({ channel }) => channel)
      .sort(),
  ).toEqual(['call', 'rcs'])
})

test('a start that fails leaves nothing open: the data and the carriers are free for the next', async () => {
  await world.stopGateway()
  const portOf = (address: string) => Number(new URL(address).port)
  const taken = portOf(world.sink.address)
  const adminPort = portOf(world.gateway.adminAddress)
  await expect(world.startGateway({ adminPort: taken })).rejects.toThrow('EADDRINUSE')
  await expect(world.startGateway({ adminPort, port: taken })).rejects.toThrow('EADDRINUSE')
  await world.startGateway({ adminPort })
  const id = await world.sendOne(rcsItem('491706239900'))
  await world.pass(2)
  expect(await world.story(id)).toMatchObject({ reports: ['DELIVERED by rcs for 0.03'] })
})

const callTo = (phone: string) => ({ type: 'call/otp', phone })
