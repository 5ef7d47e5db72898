/** Carriers and hooks that go away and come back: nothing is lost, nothing comes twice, everything is paid for once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addRoute } from '../support/add-route.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
let earnedBefore: number
let arrivedBefore: number
beforeAll(async () => {
  world = await SandboxWorld.start()
})
beforeEach(async () => {
  world.sink.answer = () => ({ status: 200 })
  earnedBefore = (await world.balances()).earned
  arrivedBefore = world.box.traffic.arrivals.length
})
afterAll(() => world.stop())

let lastPhone = 0

/** Unused phones of one ending. */
function phones(count: number, ending: string): readonly string[] {
  return Array.from({ length: count }, () => {
    lastPhone += 1
    return `4917${10_000 + lastPhone}9${ending}`
  })
}

/** Waits until everything has ended and is reported; expects so many paid messages at this price. */
async function expectAllOver(messages: number, micros: number): Promise<void> {
  expect(await world.gateway.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
  const { held, earned } = await world.balances()
  expect({ held, earned: earned - earnedBefore }).toEqual({ held: 0, earned: messages * micros })
}

describe('a carrier is away', () => {
  test('RCS: messages with the carrier and new ones wait, and are sent once when it is back', async () => {
    const unanswered = await world.send(...phones(5, '13').map((phone) => rcsItem(phone)))
    await world.rest()
    expect(world.gateway.delivery.fleet.get('sandbox-rcs')?.state()).toMatchObject({ up: true, inFlight: 5 })
    await world.box.rbm.goDown()
    const waiting = await world.send(...phones(5, '00').map((phone) => rcsItem(phone)))
    await world.pass(7)
    expect(world.box.traffic.arrivals).toHaveLength(arrivedBefore)
    expect(world.gateway.delivery.fleet.get('sandbox-rcs')?.state()).toMatchObject({ up: false, inFlight: 0 })
    await world.box.rbm.comeBack()
    await world.pass(30)
    for (const story of await world.stories([...unanswered, ...waiting])) {
      expect(story).toMatchObject({
        steps: ['rcs DELIVERED'],
        money: ['hold 0.03', 'charge 0.03'],
        arrived: ['rcs'],
        reports: ['DELIVERED by rcs for 0.03'],
      })
    }
    // Messages were not tried while the carrier was down.
    const attempts = ({ timeline }: { readonly timeline: readonly string[] }) => timeline.slice(0, -1)
    expect((await world.stories(unanswered)).map(attempts)).toEqual(unanswered.map(() => ['rcs unclear', 'rcs taken']))
    expect((await world.stories(waiting)).map(attempts).filter(({ length }) => length === 1)).not.toEqual([])
    expect(world.gateway.delivery.fleet.get('sandbox-rcs')?.state().up).toBe(true)
    await expectAllOver(10, 30_000)
  })

  test('chat app: it goes down with unsent receipts, and sends them when it is back', async () => {
    const ids = await world.send(...phones(10, '00').map((phone) => chatappItem(phone)))
    await world.rest()
    await world.box.viber.goDown()
    await world.pass(5)
    await world.box.viber.comeBack()
    await world.pass(30)
    for (const story of await world.stories(ids)) {
      expect(story).toMatchObject({
        timeline: ['chatapp taken', 'chatapp delivered'],
        arrived: ['chatapp'],
        reports: ['DELIVERED by chatapp for 0.04'],
      })
    }
    await expectAllOver(10, 40_000)
  })

  test('SMS: the connection breaks in mid-flight and again while receipts come; every part arrives once', async () => {
    const text = 'Three parts of one text. '.repeat(16)
    const sms = { sms_message: text }
    const carried = await world.send(...phones(5, '02').map((phone) => chainItem(phone, sms)))
    await world.rest()
    expect(world.box.smsc.pending()).toBe(15)
    await world.box.smsc.goDown()
    const waiting = await world.send(...phones(5, '03').map((phone) => chainItem(phone, sms)))
    await world.pass(3)
    expect(world.box.traffic.arrivals).toHaveLength(arrivedBefore + 15)
    await world.box.smsc.comeBack()
    await world.pass(4)
    world.box.smsc.cut()
    await world.pass(10)
    for (const story of await world.stories(carried)) {
      expect(story).toMatchObject({
        steps: ['rcs UNDELIVERABLE', 'chatapp UNDELIVERABLE', 'sms DELIVERED'],
        money: ['hold 0.15', 'charge 0.15'],
        arrived: ['sms', 'sms', 'sms'],
        reports: ['DELIVERED by sms for 0.15'],
      })
    }
    for (const story of await world.stories(waiting)) {
      expect(story).toMatchObject({
        steps: ['rcs UNDELIVERABLE', 'chatapp UNDELIVERABLE', 'sms UNDELIVERABLE'],
        money: ['hold 0.15', 'charge 0.15'],
        arrived: ['sms', 'sms', 'sms'],
        reports: ['UNDELIVERABLE by sms for 0.15: stat:UNDELIV err:001'],
      })
    }
    expect(world.box.smsc.pending()).toBe(0)
    await expectAllOver(10, 150_000)
  })

  test('SMS: the connection breaks while submits are unanswered; each is made again, once', async () => {
    const serveOnly = (operators: readonly string[] | null) =>
      world.operate(async (store) => {
        const route = { prefix: '', operators, priority: 0, poolId: null }
        for (const carrierId of ['sandbox-rcs', 'sandbox-chat']) await addRoute(store, { ...route, carrierId })
      })
    await serveOnly(['00102'])
    // The link has lasted a while: after those that broke at once it would be left alone for longer.
    await world.pass(10)
    const id = await world.sendOne(chainItem('491791239913', { sms_message: 'Three parts of one text. '.repeat(16) }))
    await world.rest()
    expect(world.gateway.delivery.fleet.get('sandbox-sms')?.state().inFlight).toBe(3)
    world.box.smsc.cut()
    await world.pass(10)
    expect(await world.story(id)).toEqual({
      steps: ['rcs NO ROUTE', 'chatapp NO ROUTE', 'sms DELIVERED'],
      timeline: [
        ...['rcs no route', 'chatapp no route', 'sms unclear', 'sms taken'],
        ...['sms delivered', 'sms delivered', 'sms delivered'],
      ],
      revoked: [],
      money: ['hold 0.15', 'charge 0.15'],
      arrived: ['sms', 'sms', 'sms'],
      reports: ['DELIVERED by sms for 0.15'],
    })
    await serveOnly(null)
    await expectAllOver(1, 150_000)
  })

  test('all of them, for longer than the lifetimes: every message ends, unpaid', async () => {
    const { rbm, viber, smsc } = world.box
    await Promise.all([rbm.goDown(), viber.goDown(), smsc.goDown()])
    const [phone = ''] = phones(1, '00')
    const id = await world.sendOne(chainItem(phone, { rcs_lifetime: LIFETIME_SECONDS }))
    await world.pass(3 * LIFETIME_SECONDS + 1)
    await Promise.all([rbm.comeBack(), viber.comeBack(), smsc.comeBack()])
    await world.pass(60)
    const story = await world.story(id)
    expect(story).toMatchObject({
      steps: ['rcs EXPIRED', 'chatapp EXPIRED', 'sms EXPIRED'],
      money: ['hold 0.05', 'release 0.05'],
      arrived: [],
    })
    expect(story.reports).toHaveLength(1)
    expect(story.reports[0]).toMatch(/^EXPIRED by sms for 0: /)
    await expectAllOver(1, 0)
  })
})

test('after an hour of silence every carrier still takes its messages', { timeout: 120_000 }, async () => {
  await world.passInSilence(3_700)
  const [rcs = '', chat = '', sms = ''] = phones(3, '02')
  const ids = await world.send(rcsItem(rcs.replace(/2$/, '0')), chatappItem(chat.replace(/2$/, '0')), chainItem(sms))
  await world.pass(30)
  expect((await world.stories(ids)).map(({ arrived, reports }) => [...arrived, ...reports])).toEqual([
    ['rcs', 'DELIVERED by rcs for 0.03'],
    ['chatapp', 'DELIVERED by chatapp for 0.04'],
    ['sms', 'DELIVERED by sms for 0.05'],
  ])
  await expectAllOver(3, 40_000)
})

describe('a hook is away', () => {
  test('reports wait for it and arrive in order, each under the id that it had at first', async () => {
    const callsBefore = world.sink.calls.length
    world.sink.answer = () => (world.sink.calls.length <= callsBefore + 3 ? { status: 503 } : null)
    const ids = await world.send(...phones(3, '06').map((phone) => rcsItem(phone)))
    await world.pass(20)
    expect(new Set(world.sink.ids.slice(callsBefore))).toEqual(new Set(ids.map((id) => `rep_${id}_0`)))
    expect(world.sink.calls.length).toBeGreaterThan(callsBefore + 3)
    world.sink.answer = () => ({ status: 204 })
    await world.pass(400)
    for (const story of await world.stories(ids)) {
      expect(story.reports).toEqual(['DELIVERED by rcs for 0.03', 'READ by rcs for 0.03'])
    }
    await expectAllOver(3, 30_000)
  })

  test('one that says it is gone gets no more reports until an operator resumes it', async () => {
    const hook = `${world.sink.address}/gone`
    const received = () =>
      world.sink.calls.flatMap(({ path, headers }) => (path === '/hook/gone' ? headers['webhook-id'] : []))
    const [first = '', second = '', third = ''] = phones(3, '06')
    world.sink.answer = () => ({ status: 410 })
    const reported = await world.sendOne(rcsItem(first, { hook }))
    await world.pass(1)
    world.sink.answer = () => ({ status: 200 })
    const untold = await world.sendOne(rcsItem(second, { hook }))
    await world.pass(400)
    expect(received()).toEqual([`rep_${reported}_0`])
    const { message, reports } = await world.trace(untold)
    expect([message.journey.status, ...reports.map(({ state }) => state)]).toEqual(['READ', 'failed', 'failed'])
    await expectAllOver(2, 30_000)

    const { accountId } = world
    await world.operate((store) =>
      store.change({ kind: 'resume hook', hook: { accountId, address: hook }, at: world.clock.now() }),
    )
    const resumed = await world.sendOne(rcsItem(third, { hook }))
    await world.pass(1)
    expect(received()).toEqual([`rep_${reported}_0`, `rep_${resumed}_0`, `rep_${resumed}_1`])
  })
})
