/** Two SMS centres over real sockets: one goes away in mid-load and comes back, without any action by an operator. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyConfiguration } from '../../src/operations/admin/configuration/apply-configuration.ts'
import { readConfiguration, writeConfiguration } from '../../src/operations/admin/configuration/configuration.ts'
import { type Smsc, startSmsc } from '../../src/simulator/smpp/smsc.ts'
import { addRoute } from '../support/add-route.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { chainItem } from '../support/send-items.ts'

const TEXT = 'Three parts of one text. '.repeat(16)

let world: SandboxWorld
let second: Smsc
beforeAll(async () => {
  world = await SandboxWorld.start()
  const { clock, box } = world
  const login = { systemId: 'second', password: 'secret' }
  second = await startSmsc({ clock, random: new SeededRandom(2), traffic: box.traffic, ...login })
  const settings = { host: '127.0.0.1', port: second.port, ...login, binds: 2, throughput: 500 }
  const route = { prefix: '', operators: null, poolId: null }
  await world.operate(async (store) => {
    await store.change({ kind: 'set carrier', carrier: { id: 'second-sms', channel: 'sms', kind: 'smpp', settings } })
    await addRoute(store, { ...route, carrierId: 'second-sms', priority: 9 })
    // Texts go straight to SMS here.
    for (const carrierId of ['sandbox-rcs', 'sandbox-chat']) {
      await addRoute(store, { ...route, operators: ['00102'], carrierId, priority: 0 })
    }
  })
  await world.carriersUp()
})
afterAll(async () => {
  await world.stop()
  await second.stop()
})

let lastPhone = 0

function sendSms(count: number, ending = '03') {
  const items = Array.from({ length: count }, () => {
    lastPhone += 1
    return chainItem(`4917${10_000 + lastPhone}9${ending}`, { sms_message: TEXT })
  })
  return world.send(...items)
}

/** Which carriers took parts of these messages, and how many parts arrived. */
async function carriersOf(ids: readonly Awaited<ReturnType<typeof sendSms>>[number][]) {
  const traces = await Promise.all(ids.map((id) => world.trace(id)))
  const steps = traces.map(({ message }) => message.journey.steps.at(-1))
  const arrived = traces.map(({ message }) => world.box.traffic.to(message.phone).length)
  return {
    carriers: new Set(steps.map((step) => step?.carrierId)),
    arrived,
    statuses: steps.map((step) => step?.status),
  }
}

test('the primary is down: the secondary takes over, nothing is lost or doubled, and the primary gets its turn again', async () => {
  const before = await sendSms(5)
  await world.rest()
  expect((await carriersOf(before)).carriers).toEqual(new Set(['sandbox-sms']))

  await world.box.smsc.goDown()
  await world.rest()
  const during = await sendSms(20)
  await world.pass(5)
  expect(await carriersOf(during)).toMatchObject({ carriers: new Set(['second-sms']), arrived: during.map(() => 3) })

  await world.box.smsc.comeBack()
  await world.pass(20)
  const after = await sendSms(5)
  await world.pass(30)
  expect((await carriersOf(after)).carriers).toEqual(new Set(['sandbox-sms']))
  const all = await carriersOf([...before, ...during, ...after])
  expect(all.arrived).toEqual(all.arrived.map(() => 3))
  expect(all.statuses).not.toContain('QUEUED')
  expect((await world.balances()).held).toBe(0)
  expect(await world.gateway.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
})

test('both are down: messages wait without an attempt, and go when one is back', async () => {
  await Promise.all([world.box.smsc.goDown(), second.goDown()])
  await world.rest()
  const ids = await sendSms(10)
  await world.pass(5)
  const tried = (await world.stories(ids)).map(({ timeline }) => timeline.filter((entry) => entry.startsWith('sms')))
  expect(tried).toEqual(ids.map(() => []))
  await second.comeBack()
  await world.pass(12)
  expect(await carriersOf(ids)).toMatchObject({ carriers: new Set(['second-sms']), arrived: ids.map(() => 3) })
  await world.box.smsc.comeBack()
  await world.pass(60)
  expect(await world.gateway.store.counts()).toMatchObject({ open: 0, pendingReports: 0 })
})

test('drained for maintenance, it takes nothing new and still says what became of what it has', async () => {
  const had = await sendSms(3, '02')
  await world.rest()
  const drain = (draining: boolean) =>
    world.operate((store) => store.change({ kind: 'set draining', carrierId: 'sandbox-sms', draining }))
  await drain(true)
  expect(world.gateway.delivery.fleet.get('sandbox-sms')?.state().up).toBe(true)
  const others = await sendSms(5)
  await world.pass(20)
  expect((await carriersOf(others)).carriers).toEqual(new Set(['second-sms']))
  expect(await carriersOf(had)).toMatchObject({
    carriers: new Set(['sandbox-sms']),
    statuses: had.map(() => 'DELIVERED'),
  })
  await drain(false)
  const resumed = await sendSms(1)
  await world.pass(20)
  expect((await carriersOf(resumed)).carriers).toEqual(new Set(['sandbox-sms']))
})

test('a configuration is applied while messages flow: they follow it from the next one on, and none is lost', async () => {
  const before = await sendSms(5)
  const lines = await world.operate(async (store) => {
    const routes = writeConfiguration(await store.loadDirectory(), 'owner')['routes'] as Iterable<
      Record<string, unknown>
    >
    const turned = [...routes].map((route) => (route['carrier'] === 'sandbox-sms' ? { ...route, priority: 50 } : route))
    const wanted = await readConfiguration({ routes: turned })
    return (await applyConfiguration(store, wanted, { checkSettings: () => {}, checkMay: () => {}, dryRun: false }))
      .lines
  })
  expect(lines).toEqual(['~ route sms every number to sandbox-sms: priority 0 → 50'])
  const after = await sendSms(5)
  await world.pass(20)
  expect(await carriersOf(after)).toMatchObject({ carriers: new Set(['second-sms']), arrived: after.map(() => 3) })
  expect((await carriersOf(before)).arrived).toEqual(before.map(() => 3))
  await world.operate((store) =>
    addRoute(store, { prefix: '', operators: null, poolId: null, carrierId: 'sandbox-sms', priority: 0 }),
  )
})

test('/carriers shows the state of each carrier, and /metrics its counters', async () => {
  await second.goDown()
  await world.pass(5)
  await second.comeBack()
  await world.box.smsc.goDown()
  await world.pass(30)
  await sendSms(4)
  await world.pass(1)
  const ask = async (path: string) => (await fetch(`${world.gateway.adminAddress}${path}`)).text()
  const { carriers } = JSON.parse(await ask('/carriers')) as { readonly carriers: readonly { readonly id: string }[] }
  expect(carriers.find(({ id }) => id === 'second-sms')).toEqual({
    id: 'second-sms',
    channel: 'sms',
    up: true,
    since: expect.stringMatching(/^2026-01-01T.*Z$/),
    draining: false,
    breaker: 'closed',
    degraded: null,
    in_flight: 0,
    window: expect.any(Number),
    waiting: 0,
    last_error: expect.any(String),
    last_error_at: expect.any(String),
    rate: expect.closeTo(1.1, 0),
    throughput: 500,
    dropped_receipts: 0,
    balance: null,
    links: ['transceiver 1', 'transceiver 2'].map((name) => ({
      name,
      state: 'up',
      since: expect.stringMatching(/^2026-01-01T.*Z$/),
      in_flight: 0,
      window: 10,
      last_error: expect.any(String),
      last_error_at: expect.any(String),
      next_try_at: null,
      protocolErrors: 0,
    })),
  })
  expect(carriers.find(({ id }) => id === 'sandbox-sms')).toMatchObject({
    up: false,
    last_error: expect.any(String),
    rate: 0,
    throughput: null,
    links: [{ name: 'transceiver 1', in_flight: 0, last_error: expect.any(String) }],
  })
  for (const [id, name] of [
    ['sandbox-rcs', 'http'],
    ['sandbox-chat', 'http'],
    ['sandbox-voice', 'udp'],
  ]) {
    expect(carriers.find((each) => each.id === id)).toMatchObject({ links: [{ name, state: 'up', last_error: null }] })
  }
  const metrics = await ask('/metrics')
  for (const line of [
    'posthorn_carrier_up{carrier="second-sms",channel="sms"} 1',
    'posthorn_carrier_up{carrier="sandbox-sms",channel="sms"} 0',
    'posthorn_carrier_breaker{carrier="second-sms",channel="sms"} 0',
    'posthorn_carrier_waiting{carrier="second-sms",channel="sms"} 0',
    'posthorn_carrier_throughput{carrier="second-sms",channel="sms"} 500',
    'posthorn_carrier_dropped_receipts{carrier="second-sms",channel="sms"} 0',
    'posthorn_carrier_link_up{carrier="second-sms",channel="sms",link="transceiver 2"} 1',
    'posthorn_carrier_link_up{carrier="sandbox-sms",channel="sms",link="transceiver 1"} 0',
    'posthorn_carrier_link_window{carrier="second-sms",channel="sms",link="transceiver 2"} 10',
    'posthorn_carrier_link_in_flight{carrier="second-sms",channel="sms",link="transceiver 2"} 0',
    'posthorn_carrier_link_up{carrier="sandbox-voice",channel="call",link="udp"} 1',
  ]) {
    expect(metrics).toContain(line)
  }
  expect(metrics).not.toContain('posthorn_carrier_throughput{carrier="sandbox-sms"')
  expect(metrics).toMatch(/posthorn_carrier_rate\{carrier="second-sms",channel="sms"\} 1(\.\d+)?$/m)
  expect(metrics).toMatch(/posthorn_carrier_events_total\{carrier="second-sms",kind="taken"\} \d+/)
  expect((await fetch(`${world.gateway.address}/carriers`)).status).toBe(404)
  await world.box.smsc.comeBack()
  await world.carriersUp()
})
