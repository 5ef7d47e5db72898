/** A gateway that operators change while it runs, in the way of the command line: it follows without a pause. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CarrierSetup } from '../../src/domain/directory/directory.ts'
import { toMicros } from '../../src/domain/money/money.ts'
import { addCarrier } from '../../src/operations/admin/carriers/carrier.ts'
import { setPrice } from '../../src/operations/admin/prices/price.ts'
import { setSender } from '../../src/operations/admin/senders/senders.ts'
import { addRoute } from '../support/add-route.ts'
import { buildPrice } from '../support/build-price.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, chatappItem, rcsItem } from '../support/send-items.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const VIBER = 'sandbox-chat'

function setupOf(id: string): CarrierSetup & { readonly settings: object } {
  const setup = world.box.carriers.find((carrier) => carrier.id === id)
  if (setup === undefined) throw new Error(`the sandbox has no carrier ${id}`)
  return { ...setup, settings: setup.settings as object }
}

test('a sender is refused until it is approved', async () => {
  const item = rcsItem('491701241000', { id: 5, rcs_signature: 'Newcomer' })
  expect((await world.ask([item, { type: 'balance' }])).data).toMatchObject([
    { success: false, error: 'Error in Alpha-name', data: { id: 5 } },
    { success: true },
  ])
  const { accountId } = world
  await world.operate((store) => setSender(store, { accountId, channel: 'rcs', name: 'Newcomer', state: 'approved' }))
  const id = await world.sendOne(item)
  await world.pass(1)
  expect(await world.story(id)).toMatchObject({ reports: ['DELIVERED by rcs for 0.03'] })
})

test('a new price applies to messages that are accepted after it', async () => {
  const before = await world.sendOne(rcsItem('491702241000'))
  const price = buildPrice({ channel: 'rcs', prefix: '4917', priceMicros: toMicros(31_000) })
  await world.operate((store) => setPrice(store, price))
  const after = await world.sendOne(rcsItem('491703241000'))
  await world.pass(1)
  expect(await world.story(before)).toMatchObject({ money: ['hold 0.03', 'charge 0.03'] })
  expect(await world.story(after)).toMatchObject({ money: ['hold 0.031', 'charge 0.031'] })
  await world.operate((store) => setPrice(store, { ...price, priceMicros: toMicros(30_000) }))
})

test('a carrier takes new settings while a message is with it, and the message arrives once', async () => {
  const id = await world.sendOne(chatappItem('491704241013', { chatapp_signature: 'Posthorn' }))
  await world.rest()
  expect(world.box.traffic.to('491704241013')).toEqual([])
  const { settings } = setupOf(VIBER)
  const changed = {
    id: VIBER,
    kind: 'viber',
    settings: { ...settings, services: { Posthorn: 9_999 } },
    route: null,
  } as const
  await world.operate((store) => addCarrier(store, () => {}, changed))
  await world.pass(10)
  expect(await world.story(id)).toMatchObject({
    steps: ['chatapp DELIVERED'],
    arrived: ['chatapp'],
    reports: ['DELIVERED by chatapp for 0.04'],
  })
  expect(world.box.traffic.to('491704241013')).toMatchObject([{ sender: '9999' }])
})

test('without a route a message ends at once, and a chain goes on', async () => {
  const route = { prefix: '', operators: ['00102'], carrierId: 'sandbox-rcs', priority: 0, poolId: null }
  await world.operate((store) => addRoute(store, route))
  const alone = await world.sendOne(rcsItem('491711241000'))
  const chain = await world.sendOne(chainItem('491711241010'))
  await world.pass(2)
  expect(await world.story(alone)).toEqual({
    steps: ['rcs NO ROUTE'],
    timeline: ['rcs no route'],
    revoked: [],
    money: ['hold 0.03', 'release 0.03'],
    arrived: [],
    reports: ['NO ROUTE by rcs for 0: no route to this number'],
  })
  expect(await world.story(chain)).toMatchObject({ steps: ['rcs NO ROUTE', 'chatapp READ'] })
  await world.operate((store) => addRoute(store, { ...route, operators: null }))
})

test('a carrier whose settings cannot be used is left out, and comes back with good ones', async () => {
  const setup = setupOf(VIBER)
  await world.operate((store) => store.change({ kind: 'set carrier', carrier: { ...setup, settings: { baseUrl: 1 } } }))
  const lost = await world.sendOne(chatappItem('491705241000'))
  await world.pass(1)
  expect(await world.story(lost)).toMatchObject({
    money: ['hold 0.04', 'release 0.04'],
    reports: [`NO ROUTE by chatapp for 0: carrier ${VIBER} is not running`],
  })
  await world.operate((store) => store.change({ kind: 'set carrier', carrier: setup }))
  const carried = await world.sendOne(chatappItem('491706241000'))
  await world.pass(2)
  expect(await world.story(carried)).toMatchObject({ reports: ['DELIVERED by chatapp for 0.04'] })
})
