/** Flash calls through the whole gateway: the code is in the number that rings, and only ringing is paid for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useOwnWorld } from '../support/own-world.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

const callTo = (phone: string) => ({ type: 'call/otp', id: 1, phone })

test('a phone rings from a number that ends in the code, and the account pays for it', async () => {
  const { available } = await world.balances()
  const answer = await world.ask([callTo('491701234500')])
  const [arrival, ...others] = world.box.traffic.to('491701234500')
  const code = arrival?.text.slice(-4)
  expect(answer).toEqual({ success: true, data: [{ success: true, data: { code, price: 0.02 } }] })
  expect(others).toEqual([])
  expect(await world.balances()).toMatchObject({ available: available - 20_000, held: 0 })
  await world.pass(5)
  expect(world.gateway.delivery.fleet.get('sandbox-voice')?.state()).toMatchObject({ up: true, inFlight: 0 })
  expect(await world.story(await world.lastMessageTo('491701234500'))).toEqual({
    steps: ['call DELIVERED'],
    timeline: ['call taken', 'call unanswered'],
    revoked: [],
    money: ['hold 0.02', 'charge 0.02'],
    arrived: ['call'],
    reports: [],
  })
})

test('an operator that no route serves refuses the whole request', async () => {
  const before = await world.balances()
  const answer = await world.ask([callTo('491701234500'), callTo('491701234507')])
  expect(answer).toEqual({ success: false, error: 'Operator not supported', code: 'operator_not_supported' })
  expect(await world.balances()).toEqual(before)
  expect(world.box.traffic.to('491701234507')).toEqual([])
})

test('a call that fails before it rings costs nothing', async () => {
  const before = await world.balances()
  const answer = await world.ask([callTo('491701234508')])
  expect(answer).toEqual({
    success: true,
    data: [{ success: false, error: 'Call failed', code: 'call_failed', data: { id: 1 } }],
  })
  expect(await world.balances()).toEqual(before)
  expect(await world.story(await world.lastMessageTo('491701234508'))).toEqual({
    steps: ['call UNDELIVERABLE'],
    timeline: ['call refused'],
    revoked: [],
    money: ['hold 0.02', 'release 0.02'],
    arrived: [],
    reports: [],
  })
})

test('the asynchronous path answers with the code before the phone rings', async () => {
  const answer = await world.ask([callTo('491702234500')], { path: '/v1/json' })
  await world.pass(4)
  const [arrival] = world.box.traffic.to('491702234500')
  expect(answer).toMatchObject({ success: true, data: [{ success: true, data: { price: 0.02 } }] })
  expect(arrival?.text.slice(-4)).toBe(answer.data?.[0]?.data['code'])
})

test('a code is not given to a phone again while it is valid, whether or not the gateway was restarted', async () => {
  await useOwnWorld(world, (used) => {
    world = used
  })
  const numbers = ['493221129001', '493221129002', '493221129003']
  await world.operate((store) => store.change({ kind: 'set pool', pool: { id: 'sandbox', numbers, codeDigits: 6 } }))
  const phone = '491703234500'
  const codes: unknown[] = []
  for (const _ of numbers) {
    const answer = await world.ask([callTo(phone)])
    codes.push(answer.data?.[0]?.data['code'])
    await world.pass(5)
    await world.stopGateway()
    await world.startGateway()
  }
  expect(codes.toSorted()).toEqual(['129001', '129002', '129003'])
  expect((await world.ask([callTo(phone)])).data).toMatchObject([
    { success: false, error: 'No calling number is free for this phone number, try again later' },
  ])
  await world.pass(600)
  expect((await world.ask([callTo(phone)])).data).toMatchObject([{ success: true }])
})
